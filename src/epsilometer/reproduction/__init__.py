"""The papers' numbers and figures next to ours, and what is wrong with them; every number of ours is computed."""
