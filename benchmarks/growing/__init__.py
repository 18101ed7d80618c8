"""What the product does, as functions of one size: each module has a function that lists its questions."""
