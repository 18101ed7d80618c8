"""Epsilon from a guessing advantage, and the advantage from epsilon."""
