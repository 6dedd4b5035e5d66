"""Fixtures for several test files: the real OpenSSH client, isolated from the tester's own files."""

import gc
from itertools import count, groupby

import pytest
from hypothesis import settings

from tests.databases import empty_database, postgres, template  # noqa: F401 - fixtures
from tests.faults import FailureLog
from tests.ptys import Client

REAL = "tests/real/"

gc.disable()  # while tests are collected: half of the time would be wasted on garbage collection
settings.register_profile("boneyard", deadline=None, max_examples=40)  # a busy machine is no failure
settings.load_profile("boneyard")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Let each worker begin with whole programs, which take long, and end with quick tests: so all end at once."""
    workers = int(getattr(config, "workerinput", {}).get("workercount", 1))
    quick, real = ([item for item in items if item.nodeid.startswith(REAL) is is_real] for is_real in (False, True))
    programs = [[*items_of_file] for _, items_of_file in groupby(real, lambda item: item.path)]
    items_left, items[:] = len(items), []
    for worker in range(workers):
        long_items = [item for items_of_file in programs[worker::workers] for item in items_of_file]
        quick_count = max(0, items_left // (workers - worker) - len(long_items))  # as many as xdist gives each
        items += long_items + quick[:quick_count]
        del quick[:quick_count]
        items_left -= len(long_items) + quick_count
    items += quick


def pytest_collection_finish():
    gc.enable()
    gc.freeze()


def pytest_terminal_summary(terminalreporter, config):
    """Print how to repeat the order in which a test failed."""
    if terminalreporter.stats.get("failed") or terminalreporter.stats.get("error"):
        seed = config.getoption("randomly_seed", None)
        terminalreporter.write_line(f"The tests ran in a random order; --randomly-seed={seed} repeats it.")


@pytest.fixture
async def client(tmp_path):
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    client = Client(home)
    yield client
    client.close()


@pytest.fixture(scope="session")
def homes(tmp_path_factory):
    directory = tmp_path_factory.mktemp("settings")
    return (directory / str(number) for number in count())


@pytest.fixture(autouse=True)
def _contained():
    with FailureLog() as failures:
        yield failures
    failures.check()


@pytest.fixture(autouse=True)
def _python_collects():
    """Let Python collect garbage again after a host that controlled the collector."""
    yield
    gc.enable()


@pytest.fixture
def fresh_heap():
    """Freeze the heap: the garbage collector takes half a second to traverse it."""
    gc.freeze()


@pytest.fixture
def failures(_contained):
    """Return the intended failures of this test: (event, type of the error)."""
    _contained.expected = True
    return _contained.seen


@pytest.fixture(autouse=True)
def _without_delays(monkeypatch):
    """Send lobby updates at once, show results without a delay, accept keys as soon as a screen has changed.

    Do not wait for the disk either: no test loses its power.
    """
    monkeypatch.setattr("net.storage.sqlite.SYNCHRONOUS", "OFF")
    monkeypatch.setattr("os.fsync", lambda _number: None)
    monkeypatch.setattr("net.host.guest_server.NEWS_EVERY", 0.0)
    monkeypatch.setattr("tui.screens.table.TableScreen.LAST_LOOK_SECONDS", 0.0)
    monkeypatch.setattr("tui.screens.base.DrawnScreen.SETTLE_SECONDS", 0.0)


@pytest.fixture(autouse=True)
def _no_settings(homes, monkeypatch):
    """Hide the tester's own themes and settings, and isolate the settings of each test."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(next(homes)))
