"""Numbers that move with a slider: computed once where they can be, and exact wherever they stand."""
