"""Plans: source, roles, bins, release and targets, in Python or in one file."""
