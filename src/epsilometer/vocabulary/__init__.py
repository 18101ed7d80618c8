"""The nouns every other folder speaks in: immutable, and free of data engines and of theory."""
