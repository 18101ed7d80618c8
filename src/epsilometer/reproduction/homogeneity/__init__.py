"""Section 4 of papers 000 and 001: the homogeneity attack on the Adult and Bankruptcy tables."""
