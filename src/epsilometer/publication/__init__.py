"""Making what is published: counts with noise, samples; from rows to protected rows."""
