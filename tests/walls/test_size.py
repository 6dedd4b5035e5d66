"""Files are short enough to be read in one go."""

from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
MOST, MEDIAN = 350, 120
"""Lines of the longest source file, and of the middle one."""
SIZES = {
    path.relative_to(ROOT).as_posix(): len(path.read_text().splitlines())
    for folder in ("core", "net", "tui", "themes", "scripts")
    for path in (ROOT / folder).rglob("*.py")
}


def test_no_source_file_is_too_long():
    assert not [file for file, size in SIZES.items() if size > MOST]


def test_half_of_the_files_are_short():
    assert median(size for file, size in SIZES.items() if not file.endswith("__init__.py")) <= MEDIAN


def test_the_files_are_found():
    assert len(SIZES) > 150
