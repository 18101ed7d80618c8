"""Publishing a sample: how well an attacker names a person's value, how far off an analyst is, which size fits."""
