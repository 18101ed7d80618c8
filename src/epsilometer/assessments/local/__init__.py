"""Local releases: each person randomises, a shuffler may mix, an analyst estimates."""
