"""A plugin of pytest that notes which lines of the product each test runs, and how long the test takes.

`run.py` loads it. What a test starts as processes of its own is noted too.
"""

import json
import os
from collections import defaultdict
from pathlib import Path

import coverage
import pytest

FOLDER = "BONEYARD_REACH"
"""Names the folder for what is found."""
SETTINGS = """
[run]
core = ctrace
source = {root}/core,{root}/net,{root}/tui
data_file = {folder}/lines
parallel = true
sigterm = true
context = ${{PYTEST_CURRENT_TEST-}}
"""


class Reach:
    """What is noted in one process that runs tests."""

    def __init__(self, folder: Path) -> None:
        self._seconds: dict[str, float] = defaultdict(float)
        self._folder = folder
        settings = folder / "settings"
        settings.write_text(SETTINGS.format(root=Path.cwd(), folder=folder), encoding="utf-8")
        self._lines = coverage.Coverage(config_file=str(settings), context="", auto_data=False)
        self._lines.start()
        os.environ["COVERAGE_PROCESS_START"] = str(settings)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item):
        """Note lines under the name of the test."""
        self._lines.switch_context(item.nodeid)
        return (yield)

    def pytest_runtest_logreport(self, report):
        """Note how long it took."""
        self._seconds[report.nodeid] += report.duration

    def pytest_sessionfinish(self):
        """Write all of it down."""
        self._lines.stop()
        self._lines.save()
        (self._folder / f"seconds-{os.getpid()}.json").write_text(json.dumps(self._seconds), encoding="utf-8")


def pytest_configure(config):
    """Begin to note, where tests run: of several processes, not in the one that hands tests out."""
    if "PYTEST_XDIST_WORKER" in os.environ or not config.getoption("numprocesses", None):
        config.pluginmanager.register(Reach(Path(os.environ[FOLDER])))
