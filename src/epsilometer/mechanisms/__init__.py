"""Theory: noise with its guarantee."""
