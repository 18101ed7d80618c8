"""Data: how far a released table is from the original."""
