"""Runs the command as `python -m tui`."""

from tui.cli.main import main

if __name__ == "__main__":  # workers of `net.host.thinkers` import this file under another name
    main()
