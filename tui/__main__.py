"""Runs the command as `python -m tui`."""

from tui.cli.main import main

if __name__ == "__main__":  # worker processes import it too
    main()
