"""Writes a file so that a crash at any moment leaves the old one or the new one, never a part."""

import os
from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all, whatever happens meanwhile, and for this user alone.

    Raises OSError.
    """
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        part.touch(mode=0o600)
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
