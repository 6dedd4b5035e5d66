"""How many files a process may have open."""

import resource

FILES = 4096
"""Connections and files that may be open: some three times what one core serves."""


def allow_many() -> None:
    """Raise the limit as far as needed and allowed: each guest is a file, and a shell's usual 1,024 are too few."""
    wanted, allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    if wanted < FILES <= allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, allowed))
