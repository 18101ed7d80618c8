"""Attackers: who needs to know least to break a target."""
