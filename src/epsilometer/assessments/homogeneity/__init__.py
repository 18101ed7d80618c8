"""The homogeneity attack on a counted table: four measures, three ways to know each, and what goes with them."""
