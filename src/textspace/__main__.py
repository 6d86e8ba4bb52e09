"""``python -m textspace`` is ``textspace``."""

from textspace.cli import main

if __name__ == "__main__":
    main()
