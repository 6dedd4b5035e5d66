"""The files, classes and functions that decisions and other pages name exist, and code on pages is ours.

A page about history may name code that is gone: the word “former” stands right before it, as in former `tui/old.py`.
"""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = ("core", "net", "themes", "tui", "scripts", "tests", "docs")
FILES = [path for folder in CODE for path in (ROOT / folder).rglob("*.*") if path.is_file()]
PAGES = [
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
    *(ROOT / "docs" / f"{page}.md" for page in ("adding-a-game", "architecture", "bots", "fair-deals", "protocol")),
    ROOT / "CONTRIBUTING.md",
]
FORMER = re.compile(r"\bformer `[^`]+`")
FILE = re.compile(r"`((?:[\w.-]+/)*[\w-]+\.(?:js|json|py|sh))`")
PLACEHOLDER = re.compile(r"[A-Z]{2}")
"""Part of a path that a reader replaces, such as MODULE."""
BESIDE = re.compile(r"((?:`[\w.]+`(?:, | and ))*`[A-Za-z_][\w.]*`) (?:\(|in )`((?:[\w-]+/)*\w+\.py)`")
"""Names that stand before the file that has them: `name` (`path.py`), or `name` and `other` in `path.py`."""
CLASS = re.compile(r"`((?:[A-Z][a-z]+){2,}|[A-Z][a-z]+(?=\.))(?:\.\w+)?`")


def candidates(file):
    """Return the files that a page may mean by a path, which may leave out the first folders."""
    return [path for path in FILES if f"/{path.relative_to(ROOT).as_posix()}".endswith(f"/{file}")]


@cache
def names_in(path):
    """Return the names of classes, functions, parameters, variables and fields in a Python file, and its strings."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Constant(value=str(name)):
                names.add(name)  # a word on the wire or in records
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                names.add(name)
    return names


@cache
def words():
    """Return every word of the Python code: a class of a library counts if we use it."""
    return {word for path in FILES if path.suffix == ".py" for word in re.findall(r"\w+", path.read_text("utf-8"))}


def missing(text):
    """Return the names on a page that do not exist."""
    text = FORMER.sub("", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    files = {file for file in FILE.findall(text) if not PLACEHOLDER.search(file)}
    lost = {file for file in files if not candidates(file)}
    for names, file in BESIDE.findall(text):
        bound = set().union(*map(names_in, candidates(file)))
        lost |= {
            f"{name} in {file}" for name in re.findall(r"`(.+?)`", names) if not bound.issuperset(name.split("."))
        }
    return sorted(lost | {name for name in CLASS.findall(text) if name not in words()})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_names_only_files_and_code_that_exist(page):
    assert missing(page.read_text(encoding="utf-8")) == [], "correct it, or write “former” before what is gone"


def test_a_file_or_name_that_is_gone_is_found_unless_it_is_called_former():
    assert missing("`net/old.py`, `lines/gone.py` and `test_names_on_pages.py`") == ["lines/gone.py", "net/old.py"]
    assert missing("`no_such`, `names_in` (`test_names_on_pages.py`)") == ["no_such in test_names_on_pages.py"]
    assert missing("`Tasks` and `gone_from_loop` in `net/loop.py`") == ["gone_from_loop in net/loop.py"]
    gone = "Gone" + "Class"
    assert missing(f"`{gone}` and `Scheduler.come`") == [gone]
    assert missing(f"former `net/old.py`, former `{gone}` and `core/games/MODULE.py`") == []


@pytest.mark.parametrize("page", PAGES[:-6], ids=lambda page: page.stem)
def test_a_decision_has_its_number_and_a_bottom_line_and_names_its_successor_first(page):
    title, blank, first, *rest = page.read_text(encoding="utf-8").splitlines()

    assert title.startswith(f"# {page.stem[:3]} ")
    assert blank == ""
    if first.startswith("*Overtaken"):
        assert re.search(r"\]\(\d{3}-[\w-]+\.md\)", first)
        first = rest[1]
    assert first.startswith("**Bottom line:**")


def bare(node):
    """Return the parts of a definition as text, without docstrings and comments."""
    if isinstance(node, ast.ClassDef):  # the page shows the first fields
        return [ast.unparse(field) for field in node.body if not isinstance(field, ast.Expr)]
    return [ast.unparse(node)]


def defined(program):
    """Yield the name and the node of each definition at the top of a program, without its docstring."""
    for node in program.body:
        if isinstance(node, ast.FunctionDef):
            node.body = node.body[isinstance(node.body[0], ast.Expr) :]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, node
        elif isinstance(node, ast.Assign):
            yield ast.unparse(node.targets[0]), node


def test_the_code_on_the_page_about_adding_a_game_is_that_of_the_games():
    text = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    ours = {}
    for path in (ROOT / "core").rglob("*.py"):
        for name, node in defined(ast.parse(path.read_text(encoding="utf-8"))):
            ours.setdefault(name, []).append(bare(node))
    examples = [
        part for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) for part in defined(ast.parse(block))
    ]

    assert len(examples) > 5
    for name, node in examples:
        assert any(code[: len(bare(node))] == bare(node) for code in ours[name]), name
