"""Synthetic tables: made, held against the records they were made from, and chosen."""
