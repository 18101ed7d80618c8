"""Data: synthetic tables made under differential privacy."""
