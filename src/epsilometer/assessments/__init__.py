"""Use cases: where counts from the data column meet formulas from the theory column."""
