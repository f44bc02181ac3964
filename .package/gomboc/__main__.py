"""`python -m gomboc` is the command `gomboc`."""

from gomboc.checker.cli import main

if __name__ == "__main__":
    main()
