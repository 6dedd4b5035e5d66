"""The programs that these tests start, and the browser, and their end."""

import os
import shutil

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.real.programs import ROOT, Standing, started

BARE = (
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI,SpareRendererForSitePerProcess"
)
"""What Chromium leaves out of its own windows, which nobody sees here: its pages in them cost more than ours."""


@pytest.fixture(scope="session")
def _standing(tmp_path_factory):
    house = Standing(tmp_path_factory.mktemp("standing"))
    try:
        yield house
        house.stops()
    finally:
        house.kills()


@pytest.fixture
def house(_standing):
    """A host with both doors open, and nobody there; a test that ends it or wants another starts its own."""
    _standing.empties()
    before = len(_standing.log)
    yield _standing
    assert "Traceback" not in _standing.log[before:], _standing.log[before:]


@pytest.fixture
async def programs(tmp_path):
    async with started(tmp_path) as programs:
        yield programs


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started_chromium():
    """A Chromium of this machine, for all tests of a file; they are skipped where there is none."""
    program = os.environ.get("BONEYARD_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not program:
        pytest.skip("there is no Chromium on this machine (Debian: apt install chromium)")
    if not (ROOT / "net" / "web" / "vendor" / "xterm.mjs").exists():
        pytest.skip("what the page is made of could not be fetched with npm")
    async with async_playwright() as playwright:
        chromium = await playwright.chromium.launch(executable_path=program, args=[BARE])
        try:
            yield chromium
        finally:
            await chromium.close()


@pytest_asyncio.fixture(loop_scope="module")
async def chromium(started_chromium):
    """The same for one test, without what others have opened."""
    yield started_chromium
    for context in started_chromium.contexts:
        await context.close()
