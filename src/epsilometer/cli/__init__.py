"""The command line: parse, assess, render."""
