"""The parts of choosing a parameter: what is searched, the search, its words, and the cheapest changes."""
