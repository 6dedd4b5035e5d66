"""Runs the command as `python -m tui`."""

from tui.cli import main

main()
