"""Data: what an attacker with a synthetic table does, and what chance alone would have given."""
