"""Runs the command as `python -m tui`."""

from tui.cli.main import main

main()
