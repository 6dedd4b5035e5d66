"""Runs the command as `python -m tui`."""

import signal

if __name__ == "__main__":  # worker processes import it too
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C during the imports just ends the process
    from tui.cli.main import main

    main()
