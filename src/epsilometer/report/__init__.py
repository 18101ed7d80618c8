"""Results in words and as documents."""
