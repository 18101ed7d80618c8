"""How fast the package is, next to what people would use instead and next to what the machine can do at best.

One command: python -m benchmarks. What it measures goes to results.json, and from there to docs/explanation/speed.md.
"""
