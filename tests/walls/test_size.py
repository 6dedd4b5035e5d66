"""A file holds one thing, and no more than one can read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 600
"""Lines of the longest source file: past that, some value in it wants a file of its own."""
SIZES = {
    path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
    for folder in ("core", "net", "tui", "themes", "scripts")
    for path in (ROOT / folder).rglob("*.py")
}


def test_no_source_file_is_too_long():
    assert not [file for file, size in SIZES.items() if size > MOST]


def test_the_files_are_found():
    assert len(SIZES) > 150
