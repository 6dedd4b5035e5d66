"""No file uses the private parts of a library, but for one adapter for each of asyncssh and Textual."""

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASYNCSSH = "net/ssh/asyncssh_private.py"
TEXTUAL = "tui/terminal/textual_private.py"
ADAPTERS = {ASYNCSSH, TEXTUAL}
DOCUMENTED = {"_exit", "_replace"}
"""Names with an underscore that are documented: `os._exit`, and `_replace` on a NamedTuple."""
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
        elif isinstance(node, ast.keyword) and node.arg and is_private(node.arg):
            yield node.value.lineno, node.arg
        elif isinstance(node, ast.ImportFrom):
            words = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from ((node.lineno, word) for word in words if is_private(word))
        elif isinstance(node, ast.Import):
            words = [word for alias in node.names for word in alias.name.split(".")]
            yield from ((node.lineno, word) for word in words if is_private(word))


def is_super(node):
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


@cache
def parsed(file):
    return ast.parse((ROOT / file).read_text(encoding="utf-8"))


def test_no_file_uses_private_parts_of_others():
    files = sorted(set(FILES) - ADAPTERS)
    found = [f"{file}:{line} uses {name}" for file in files for line, name in uses(parsed(file))]

    assert not found, f"move this into one of {sorted(ADAPTERS)}"


def test_no_other_file_uses_what_asyncssh_does_not_document():
    found = []
    for file in FILES:
        if file.startswith("net/") and file != ASYNCSSH:
            for node in ast.walk(parsed(file)):
                found += [f"{file}:{node.lineno} uses {name}" for name in undocumented(node)]

    assert not found, f"move this into {ASYNCSSH}"


def undocumented(node):
    """What a part of a program uses of asyncssh although its documentation does not list it."""
    if isinstance(node, ast.Attribute) and node.attr in UNDOCUMENTED:
        yield node.attr
    names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
    names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
    yield from (name for name in names if name.startswith("asyncssh."))


def private_names_below(cls):
    """The private names that the classes of Textual and Rich under this one define or set."""
    for base in cls.__mro__[1:]:
        if base.__module__.partition(".")[0] in ("textual", "rich"):
            yield from private_names_of(base)


@cache
def private_names_of(cls):
    """The private names that a class defines or sets."""
    source = ast.parse(inspect.getsource(inspect.getmodule(cls)))
    found = [node for node in ast.walk(source) if isinstance(node, ast.ClassDef) and node.name == cls.__name__]
    return {*filter(is_private, vars(cls)), *(name for node in found for name in names_on_self(node))}


def names_on_self(cls):
    """The private names that a class defines, or sets or reads on `self`."""
    for node in ast.walk(cls):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_private(node.name):
            yield node.name
        elif (
            isinstance(node, ast.Attribute)
            and is_private(node.attr)
            and (is_self(node.value) or is_super(node.value))
        ):
            yield node.attr


def test_no_class_uses_or_replaces_what_a_class_of_textual_under_it_keeps_private():
    for file in FILES:
        if file != TEXTUAL and "textual" in (ROOT / file).read_text(encoding="utf-8"):
            module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
            for node in parsed(file).body:
                if isinstance(node, ast.ClassDef):
                    taken = set(names_on_self(node)) & set(private_names_below(getattr(module, node.name)))
                    assert not taken, f"{file}, {node.name}: {taken}"


def test_the_adapters_are_needed():
    for file in ADAPTERS:
        assert list(uses(parsed(file))), f"{file} uses no private part"


@pytest.mark.parametrize(
    "line",
    [
        "a._b",
        "self.app._b",
        "super()._b()",
        "from a._b import c",
        "from a import _b",
        "import a._b",
        "a._b = 1",
        "A(_b={})",
    ],
)
def test_the_check_itself_finds_private_parts_of_others(line):
    assert [name for _, name in uses(ast.parse(line))] == ["_b"]


@pytest.mark.parametrize(
    "line", ["self._b", "cls._b", "a.__dict__", "from a import _", "a._replace(b=1)", "self._b = 1\nother._b"]
)
def test_the_check_itself_takes_a_files_own_parts_and_documented_ones(line):
    assert not list(uses(ast.parse(line)))
