"""Private parts of asyncssh and Textual that ruff (SLF) cannot see: only the adapters use them."""

import ast
import importlib
import inspect
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
ADAPTERS = {path.name for path in ROOT.glob("*/*/*_private.py")}
UNDOCUMENTED = {"get_connection", "key_public_data", "send_packet", "send_userauth_failure", "send_userauth_success"}
UNDOCUMENTED |= {"sig_algorithms", "sign_async"}
"""Undocumented names of asyncssh without an underscore, which no other library has."""


def programs(*folders):
    """Yield every file in the folders except the adapters, with its syntax tree."""
    for path in sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py")):
        if path.name not in ADAPTERS:
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def undocumented(program):
    """Return the names of libraries that a program uses although their documentation does not list them."""
    names = {node.attr for node in ast.walk(program) if isinstance(node, ast.Attribute)} & UNDOCUMENTED
    for node in ast.walk(program):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            paths = [f"{module}.{name.name}" for name in node.names]
            names |= {path for path in paths if private(path.split(".")) or module.startswith("asyncssh.")}
    return names


def test_only_the_adapters_use_private_or_undocumented_parts_of_libraries():
    program = "from asyncssh.mac import a; import b._c; from b import _d; channel.send_packet()"
    assert undocumented(ast.parse(program)) == {"asyncssh.mac.a", ".b._c", "b._d", "send_packet"}
    folders = ("core", "net", "tui")
    assert [(path, names) for path, program in programs(*folders) if (names := undocumented(program))] == []


def used_on_self(node):
    """Return the private names that a class defines, or sets or reads on `self` or `super()`."""
    names = {child.name for child in ast.walk(node) if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)}
    attributes = [child for child in ast.walk(node) if isinstance(child, ast.Attribute)]
    return private(
        names
        | {attribute.attr for attribute in attributes if ast.unparse(attribute.value) in {"self", "cls", "super()"}}
    )


def private(names):
    return {name for name in names if name.startswith("_") and not name.startswith("__") and name != "_"}


@cache
def names_of(cls):
    """Return the private names of a class of Textual or Rich."""
    source = ast.parse(inspect.getsource(inspect.getmodule(cls)))
    nodes = [node for node in ast.walk(source) if isinstance(node, ast.ClassDef) and node.name == cls.__name__]
    return private(vars(cls)).union(*map(used_on_self, nodes))


def test_no_class_uses_or_overrides_private_parts_of_its_textual_base():
    compared = 0
    for path, program in programs("tui"):
        if "textual" in path.read_text(encoding="utf-8"):
            module = importlib.import_module(path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "."))
            for node in program.body:
                if isinstance(node, ast.ClassDef):
                    bases = getattr(module, node.name).__mro__[1:]
                    libraries = [base for base in bases if base.__module__.partition(".")[0] in {"textual", "rich"}]
                    assert not used_on_self(node) & set().union(*map(names_of, libraries)), path
                    compared += bool(libraries)
    assert compared > 10
