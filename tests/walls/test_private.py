"""One file alone uses what Textual and Rich keep private: `tui/serve/textual_private.py`."""

import ast
import importlib
import inspect
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALLOWED = "tui/serve/textual_private.py"
OWN = ("self", "cls")
NAMED_TUPLE = ("_replace", "_asdict", "_fields")
"""Public in spite of the underscore."""
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "tui").rglob("*.py")
    if path.relative_to(ROOT).as_posix() != ALLOWED
)


def is_private(name):
    return name.startswith("_") and not name.startswith("__") and name != "_"


def is_foreign(value, same_class):
    """Whether an object is another than the one whose method this is, and of another class."""
    if isinstance(value, ast.Call) and ast.unparse(value) == "super()":
        return False
    return not (isinstance(value, ast.Name) and value.id in (*OWN, *same_class))


def private_uses(source):
    """Each use of somebody else's private attribute, module or argument, with its line."""
    tree = ast.parse(source)
    same_class = {}
    for cls in [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]:
        for function in [node for node in ast.walk(cls) if isinstance(node, ast.FunctionDef)]:
            args = [*function.args.args, *function.args.kwonlyargs]
            names = {arg.arg for arg in args if arg.annotation and cls.name in ast.unparse(arg.annotation)}
            made = [node for node in ast.walk(function) if isinstance(node, ast.Assign)]
            names |= {
                ast.unparse(node.targets[0]) for node in made if ast.unparse(node.value).startswith(f"{cls.name}(")
            }
            same_class |= {id(node): names for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in NAMED_TUPLE:
            if is_foreign(node.value, same_class.get(id(node), ())):
                yield f"{node.lineno}: {ast.unparse(node)}"
        elif isinstance(node, ast.keyword) and node.arg and is_private(node.arg):
            yield f"{node.value.lineno}: {node.arg}="
        elif isinstance(node, ast.Import | ast.ImportFrom):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names = [*modules, *(alias.name for alias in node.names)]
            if any(is_private(part) for name in names for part in name.split(".")):
                yield f"{node.lineno}: {ast.unparse(node)}"


def textual_names(cls):
    """The private names that the classes of Textual under this one define or set."""
    for base in cls.__mro__[1:]:
        if base.__module__.partition(".")[0] in ("textual", "rich"):
            yield from filter(is_private, vars(base))
            for node in ast.walk(ast.parse(inspect.getsource(inspect.getmodule(base)))):
                if isinstance(node, ast.ClassDef) and node.name == base.__name__:
                    yield from own_names(node)


def own_names(cls):
    """The private names that a class sets or reads on `self`, or defines."""
    for node in ast.walk(cls):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and is_private(node.name):
            yield node.name
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and not is_foreign(node.value, ()):
            yield node.attr


@pytest.mark.parametrize("file", FILES)
def test_no_other_file_uses_what_somebody_else_keeps_private(file):
    assert list(private_uses((ROOT / file).read_text())) == []


@pytest.mark.parametrize("file", [file for file in FILES if "textual" in (ROOT / file).read_text()])
def test_no_class_uses_or_replaces_what_a_class_of_textual_under_it_keeps_private(file):
    module = importlib.import_module(file.removesuffix(".py").replace("/", "."))
    for node in ast.parse((ROOT / file).read_text()).body:
        if isinstance(node, ast.ClassDef):
            taken = set(own_names(node)) & set(textual_names(getattr(module, node.name)))
            assert not taken, f"{node.name}: {taken}"


@pytest.mark.parametrize(
    "line",
    [
        "app._driver = None",
        "self.app._driver.flush()",
        "super(App, app)._exit",
        "from textual._parser import Parser",
        "import textual._parser",
        "from rich import _wrap",
        "Console(_environ={})",
        "getattr(app, 'screen')._bindings",
    ],
)
def test_the_wall_sees(line):
    assert list(private_uses(line))


@pytest.mark.parametrize(
    "line", ["self._at = 1", "super()._at()", "place._replace(x=1)", "from tui.i18n import _", "_('a word')"]
)
def test_the_wall_lets_pass(line):
    assert not list(private_uses(line))
