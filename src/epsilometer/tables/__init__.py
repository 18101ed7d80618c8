"""Data: open a table, give its columns roles, count it inside the engine."""
