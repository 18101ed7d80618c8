"""Results as pictures; nothing is computed here."""
