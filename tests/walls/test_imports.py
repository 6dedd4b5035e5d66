"""No import cycles; and the modules that each entry point loads, checked in a fresh interpreter."""

import re
import subprocess
import sys
import tomllib
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[2]


def imported_by(statement):
    """Return the names of the modules that are loaded after a statement."""
    code = f"{statement}\nimport sys; print(' '.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return set(done.stdout.split())


def test_no_module_imports_one_that_imports_it_not_even_its_own_package():
    # Import-linter's contract sees no cycle through the `__init__` of the modules' own package.
    graph = grimp.build_graph("core", "net", "themes", "tui", cache_dir=None)
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


def test_every_library_that_is_imported_is_a_dependency():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["cluster"], *extras["web"], "rich"]  # rich is Textual's
    graph = grimp.build_graph("core", "net", "themes", "tui", include_external_packages=True, cache_dir=None)
    distributions = packages_distributions()
    imported = {name.lower().replace("_", "-") for module in graph.modules for name in distributions.get(module, ())}

    assert len(imported) > 10
    assert imported - {re.match(r"[\w-]+", line)[0].lower() for line in wanted} == set()


@pytest.mark.parametrize("name", ["games", "match", "records", "bots.levels", "prompts"])
def test_the_core_loads_no_terminal_no_network_and_no_event_loop(name):
    assert not imported_by(f"import core.{name}") & {
        "textual",
        "rich",
        "asyncssh",
        "msgpack",
        "asyncio",
        "socket",
        "net",
    }


def test_tables_and_their_wire_load_no_screen_and_no_ssh():
    assert not imported_by(
        "import net.host.server, net.client.client, net.client.discovery, net.storage.sqlite, net.hosting.solo"
    ) & {
        "textual",
        "rich",
        "asyncssh",
        "zeroconf",
        "tui",
        "click",
    }


def test_a_solo_table_is_painted_before_network_and_database_are_loaded():
    loaded = imported_by("import tui.cli.main, tui.solo")

    assert not loaded & {"asyncssh", "zeroconf", "cryptography", "sqlite3"}


def test_the_first_picture_of_a_table_needs_no_other_screens_games_or_bots():
    loaded = imported_by("import tui.cli.main, tui.solo, tui.app, net.host.reviewing, core.games.line_games")

    assert not loaded & {"core.bots.levels", "core.bots.reasons.hints", "core.coach", "json"}
    assert {name for name in loaded if name.startswith("core.games.")} == {"core.games.line_games"}
    assert {name for name in loaded if name.startswith("tui.screens.")} == {
        "tui.screens.base",
        "tui.screens.global_keys",
        "tui.screens.table",
    }


def test_guests_wait_for_no_module_as_their_host_has_loaded_all_screens_and_games():
    loaded = imported_by("import tui.run.gateway; tui.run.gateway.load_all()")

    screens = {f"tui.screens.{path.stem}" for path in (ROOT / "tui/screens").glob("[a-z]*.py")}
    games = {f"core.games.{path.stem}" for path in (ROOT / "core/games").glob("[a-z]*.py")}
    # screens of a local player
    assert screens - loaded <= {f"tui.screens.{name}" for name in ("hosts", "menu", "welcome")}
    assert games <= loaded


def test_joining_a_host_loads_no_database():
    assert "sqlite3" not in imported_by("import tui.run.join")


def test_a_host_of_one_machine_loads_no_postgresql():
    assert not imported_by("import tui.cli.main, tui.run.host, net.storage.sqlite") & {"asyncpg"}


def test_the_command_itself_loads_next_to_nothing():
    assert not imported_by("import tui.cli.main") & {"textual", "rich", "asyncssh", "zeroconf", "msgpack", "sqlite3"}


def test_the_board_is_drawn_without_textual():
    assert not imported_by("import tui.board, tui.draw.scene, tui.draw.results, tui.draw.panels") & {
        "textual",
        "asyncssh",
    }


def test_plain_lines_load_no_screens():
    loaded = imported_by(
        "import tui.cli.main, tui.run.plain, tui.run.frontends, tui.solo, tui.run.join"
        ", tui.plain.conversation, tui.plain.runner, tui.plain.terminal_lines"
    )

    assert not loaded & {"textual", "tui.app"}
