"""Real releases: the budget is entered in a ledger, then the files appear, with a passport."""
