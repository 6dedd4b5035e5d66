"""No file uses the private parts of a library, but for one adapter for each of asyncssh and Textual."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASYNCSSH = "net/ssh/asyncssh_private.py"
ADAPTERS = {ASYNCSSH, "tui/serve/textual_private.py"}
TEXTUAL_UNTIL_THE_MERGE = {
    "tui/draw/widget.py",
    "tui/screens/base.py",
    "tui/screens/table.py",
    "tui/serve/driver.py",
    "tui/serve/served.py",
}
"""Files that use private parts of Textual until `tui/serve/textual_private.py` does it for them: to be emptied."""
DOCUMENTED = {"_replace"}
"""Names with an underscore that are documented: `_replace` is public on a NamedTuple."""
UNDOCUMENTED = {
    "get_connection",
    "key_public_data",
    "send_packet",
    "send_userauth_failure",
    "send_userauth_success",
    "sig_algorithms",
    "sign_async",
}
"""What asyncssh's documentation does not list although it has no underscore, where no other library has that name."""
FILES = sorted(
    path.relative_to(ROOT).as_posix() for room in ("core", "net", "tui") for path in (ROOT / room).rglob("*.py")
)


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name not in {"_", *DOCUMENTED}


def own_names(tree):
    """The private names that a file defines itself, which it may also use on another object of its own class."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and is_self(node.value):
            yield node.attr


def is_self(node):
    return isinstance(node, ast.Name) and node.id in {"self", "cls"}


def uses(tree):
    """The private names of others that a file uses, as attributes or imports, with their lines."""
    own = set(own_names(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and not is_self(node.value):
            if node.attr not in own or is_super(node.value):
                yield node.lineno, node.attr
        elif isinstance(node, ast.ImportFrom):
            words = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from ((node.lineno, word) for word in words if is_private(word))
        elif isinstance(node, ast.Import):
            words = [word for alias in node.names for word in alias.name.split(".")]
            yield from ((node.lineno, word) for word in words if is_private(word))


def is_super(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def parsed(file):
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", sorted(set(FILES) - ADAPTERS - TEXTUAL_UNTIL_THE_MERGE))
def test_no_file_uses_private_parts_of_others(file):
    found = [f"{file}:{line} uses {name}" for line, name in uses(parsed(file))]

    assert not found, f"move this into one of {sorted(ADAPTERS)}"


@pytest.mark.parametrize("file", sorted({file for file in FILES if file.startswith("net/")} - {ASYNCSSH}))
def test_no_other_file_uses_what_asyncssh_does_not_document(file):
    found = []
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Attribute) and node.attr in UNDOCUMENTED:
            found.append(f"{file}:{node.lineno} uses {node.attr}")
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        found += [f"{file}:{node.lineno} imports {name}" for name in names if name.startswith("asyncssh.")]

    assert not found, f"move this into {ASYNCSSH}"


def test_nothing_is_excused_that_is_gone_or_needs_no_excuse():
    for file in (*TEXTUAL_UNTIL_THE_MERGE, *(ADAPTERS & set(FILES))):
        assert list(uses(parsed(file))), f"{file} uses no private part"


@pytest.mark.parametrize(
    "line",
    ["a._b", "self.app._b", "super()._b()", "from a._b import c", "from a import _b", "import a._b", "a._b = 1"],
)
def test_the_check_itself_finds_private_parts_of_others(line):
    assert [name for _, name in uses(ast.parse(line))] == ["_b"]


@pytest.mark.parametrize(
    "line", ["self._b", "cls._b", "a.__dict__", "from a import _", "a._replace(b=1)", "self._b = 1\nother._b"]
)
def test_the_check_itself_takes_a_files_own_parts_and_documented_ones(line):
    assert not list(uses(ast.parse(line)))
