"""Measures the size of the program: lines, statements and the modules of a move, here and in other revisions.

A statement is a node `ast.stmt`, so that no way of packing lines helps.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PRODUCT = ("core", "net", "tui", "themes", "scripts")
SUFFIXES = {".py", ".sh", ".tcss", ".toml", ".js", ".css", ".html", ""}
"""The suffixes of files written by hand; no suffix means a shell script."""


def main(revisions: list[str]) -> None:
    """Print the table: a column for each revision, and one for this checkout."""
    columns = {}
    for revision in revisions:
        with check_out(revision) as tree:
            columns[revision] = weights(tree)
    columns["here"] = weights(ROOT)
    width = max(9, *(len(name) + 1 for name in columns))
    print(f"{'':34}" + "".join(f"{name:>{width}}" for name in columns))
    for row in columns["here"]:
        print(f"{row:34}" + "".join(f"{column[row]:>{width}}" for column in columns.values()))


def weights(tree: Path) -> dict[str, str]:
    """Return the sizes of a tree, row by row, as text."""
    lines = {part: sum(map(_length, _files(tree / part))) for part in (*PRODUCT, "tests")}
    statements = {part: sum(map(_statements, (tree / part).rglob("*.py"))) for part in ("core", "net", "tui")}
    modules = sum(1 for part in PRODUCT[:-1] for _path in (tree / part).rglob("*.py"))
    until_sent, until_shown = _modules_of_move(tree)
    return {
        "lines of product and scripts": _number(sum(lines[part] for part in PRODUCT)),
        **{f"  {part}": _number(lines[part]) for part in PRODUCT},
        "modules": _number(modules),
        "statements of core, net and tui": _number(sum(statements.values())),
        **{f"  of {part}": _number(count) for part, count in statements.items()},
        "modules of a move, until sent": until_sent,
        "modules of a move, until shown": until_shown,
        "lines of tests": _number(lines["tests"]),
    }


def _modules_of_move(tree: Path) -> tuple[str, str]:
    """Run the `trace_move` of a tree; return the numbers of modules that a move passes through until it is sent, and
    until it is shown, as text; empty where there is none.
    """
    script = tree / "scripts" / "benches" / "trace_move.py"
    if not script.exists():
        return "", ""
    env = {**os.environ, "BONEYARD_SETTLES": "0"}  # keys come as fast as the screen changes
    process = subprocess.run([sys.executable, script], cwd=tree, env=env, capture_output=True, text=True, check=False)
    rows = [line for line in process.stdout.splitlines() if line[:4].strip().isdigit()]
    rows_until_sent = [line for line in rows if line.endswith(" sent")]
    return _number(len(rows_until_sent)) if rows_until_sent else "", _number(len(rows)) if rows else ""


FOREIGN_FOLDERS = {"__pycache__", "vendor", "tools"}
"""Folders of code written elsewhere."""


def _files(folder: Path) -> Iterator[Path]:
    return (
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix in SUFFIXES
        and not FOREIGN_FOLDERS.intersection(path.parts)
        and path.name[:1] != "."
    )


def _length(path: Path) -> int:
    return len(path.read_bytes().splitlines())


def _statements(path: Path) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(path.read_text())))


def _number(count: int) -> str:
    return f"{count:,}"


@contextmanager
def check_out(revision: str) -> Iterator[Path]:
    """Check a revision out into a temporary folder."""
    with TemporaryDirectory(prefix="boneyard-revision-") as folder:
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=False)
        if archive.returncode:
            print(f"boneyard: there is no revision “{revision}”.", file=sys.stderr)
            sys.exit(2)
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        yield Path(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
