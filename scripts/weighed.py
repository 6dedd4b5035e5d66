"""Weighs the program: lines, statements, circles of imports and what a move passes, here and in other revisions.

A statement is a node `ast.stmt`, so that no way of packing lines helps. A circle is a set of modules of one folder
that import each other, also where that is inside a function, or for type checkers alone.
"""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PRODUCT = ("core", "net", "tui", "themes", "scripts")
WRITTEN = {".py", ".sh", ".tcss", ".toml", ""}
"""The endings of what people write by hand; without an ending, shell scripts."""


def main(revisions: list[str]) -> None:
    """Print the table: a column for each revision, and one for what is here."""
    columns = {}
    for revision in revisions:
        with checked_out(revision) as tree:
            columns[revision] = weights(tree)
    columns["here"] = weights(ROOT)
    width = max(9, *(len(name) + 1 for name in columns))
    print(f"{'':34}" + "".join(f"{name:>{width}}" for name in columns))
    for row in columns["here"]:
        print(f"{row:34}" + "".join(f"{column[row]:>{width}}" for column in columns.values()))


def weights(tree: Path) -> dict[str, str]:
    """What a tree weighs, row by row, as text."""
    lines = {part: sum(map(_length, _files(tree / part))) for part in (*PRODUCT, "tests")}
    statements = {part: sum(map(_statements, (tree / part).rglob("*.py"))) for part in ("core", "net", "tui")}
    modules = [path for part in PRODUCT[:-1] for path in (tree / part).rglob("*.py")]
    sent, shown = _passed(tree)
    return {
        "lines of product and scripts": _number(sum(lines[part] for part in PRODUCT)),
        **{f"  {part}": _number(lines[part]) for part in PRODUCT},
        "modules": _number(len(modules)),
        "statements of core, net and tui": _number(sum(statements.values())),
        **{f"  of {part}": _number(count) for part, count in statements.items()},
        "modules of a move, until sent": sent,
        "modules of a move, until shown": shown,
        "circles of imports": _number(len(circles(imports_of(tree, modules)))),
        "lines of tests": _number(lines["tests"]),
    }


def imports_of(tree: Path, modules: list[Path]) -> dict[str, set[str]]:
    """By the name of each module, the modules of its own folder that it imports anywhere."""
    names = {_name(tree, path): path for path in modules}
    return {
        name: {other for other in _imported(path, names) if names[other].parent == path.parent} - {name}
        for name, path in names.items()
    }


def circles(graph: Mapping[str, set[str]]) -> list[set[str]]:
    """The sets of modules that import each other, directly or through others (Tarjan's algorithm)."""
    found: list[set[str]] = []
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(name: str) -> None:
        numbers[name] = lowest[name] = len(numbers)
        stack.append(name)
        for other in sorted(graph[name]):
            if other not in numbers:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == numbers[name]:
            at = stack.index(name)
            component = set(stack[at:])
            del stack[at:]
            if len(component) > 1:
                found.append(component)

    for name in graph:
        if name not in numbers:
            visit(name)
    return found


def _name(tree: Path, path: Path) -> str:
    return ".".join(path.relative_to(tree).with_suffix("").parts).removesuffix(".__init__")


def _imported(path: Path, names: Mapping[str, Path]) -> Iterator[str]:
    """The modules among `names` that a file imports."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield from (name for name in (inner if inner in names else node.module,) if name in names)


def _passed(tree: Path) -> tuple[str, str]:
    """How many modules a move passes until it is sent, and until it is shown, by the tree's own `trace-move`."""
    script = tree / "scripts" / "benches" / "trace_move.py"
    if not script.exists():
        return "", ""
    env = {**os.environ, "BONEYARD_SETTLES": "0"}  # keys come as fast as the screen changes
    done = subprocess.run([sys.executable, script], cwd=tree, env=env, capture_output=True, text=True, check=False)
    rows = [line for line in done.stdout.splitlines() if line[:4].strip().isdigit()]
    marked = [line for line in rows if line.endswith(" sent")]
    return _number(len(marked)) if marked else "", _number(len(rows)) if rows else ""


def _files(folder: Path) -> Iterator[Path]:
    return (
        path
        for path in folder.rglob("*")
        if path.is_file() and path.suffix in WRITTEN and "__pycache__" not in path.parts and path.name[:1] != "."
    )


def _length(path: Path) -> int:
    return len(path.read_bytes().splitlines())


def _statements(path: Path) -> int:
    return sum(isinstance(node, ast.stmt) for node in ast.walk(ast.parse(path.read_text())))


def _number(count: int) -> str:
    return f"{count:,}"


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A copy of a revision, to throw away."""
    with TemporaryDirectory(prefix="boneyard-revision-") as folder:
        archive = subprocess.run(["git", "archive", revision], cwd=ROOT, capture_output=True, check=False)
        if archive.returncode:
            print(f"boneyard: there is no revision “{revision}”.", file=sys.stderr)
            sys.exit(2)
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        yield Path(folder)


if __name__ == "__main__":
    main(sys.argv[1:])
