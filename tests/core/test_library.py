"""`core` as a library: the examples of docs/core.md run, and the public names that it lists exist."""

import re
from importlib import import_module
from pathlib import Path

PAGE = (Path(__file__).parents[2] / "docs" / "core.md").read_text()
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(core\.[\w.]+)` \| (.*) \|$", re.MULTILINE)


def test_every_example_of_the_page_runs():
    namespace = {"__name__": "docs.core"}
    blocks = list(BLOCK.finditer(PAGE))

    assert len(blocks) >= 9
    for block in blocks:
        line = PAGE.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], "docs/core.md", "exec"), namespace)  # tracebacks name the page's line


def test_the_bot_of_the_page_has_at_most_20_lines():
    (bot,) = [block[1] for block in BLOCK.finditer(PAGE) if "def heavy_bot" in block[1]]

    assert len(bot.strip().splitlines()) <= 20


def test_every_public_name_of_the_page_exists():
    rows = ROW.findall(PAGE)

    assert len(rows) >= 15
    for module, names in rows:
        for name in re.findall(r"`(\w+)`", names):
            assert hasattr(import_module(module), name), f"docs/core.md lists {module}.{name}, which does not exist"


def test_examples_import_only_public_names():
    public = {(module, name) for module, names in ROW.findall(PAGE) for name in re.findall(r"`(\w+)`", names)}
    actions = import_module("core.actions")
    public |= {("core.actions", kind.__name__) for kind in (*actions.Action.__args__, *actions.Event.__args__)}

    imported = {
        (module, name.strip())
        for block in BLOCK.finditer(PAGE)
        for module, names in re.findall(r"^from (core[\w.]*) import (.*)$", block[1], re.MULTILINE)
        for name in names.split(",")
    }
    assert imported
    assert imported - public == set()


def test_the_package_says_that_it_is_typed():
    assert (Path(import_module("core").__file__).parent / "py.typed").exists()


def test_every_family_has_the_fields_that_the_page_names():
    for view in import_module("core.variant").AnyView.__args__:
        assert {"seat", "turn", "hand", "legal", "result"} <= set(view.__struct_fields__), view.__name__
