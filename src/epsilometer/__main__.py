"""``python -m epsilometer``."""

from epsilometer.cli.main import main

if __name__ == "__main__":
    main()
