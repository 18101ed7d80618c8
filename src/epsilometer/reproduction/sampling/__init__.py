"""Paper 002, worked through again."""
