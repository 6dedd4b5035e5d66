"""A source file has one subject, and is short enough to read."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST = 600
"""Lines of the longest source file: beyond that, some value in it needs a separate file."""
SIZES = {
    path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
    for folder in ("core", "net", "tui", "themes", "scripts")
    for path in (ROOT / folder).rglob("*.py")
}


def test_no_source_file_is_too_long():
    assert not [file for file, size in SIZES.items() if size > MOST]


def test_the_files_are_found():
    assert len(SIZES) > 150
