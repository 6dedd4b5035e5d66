"""Fixtures for the programs that these tests start, and for the browser."""

import os
import shutil

import pytest
import pytest_asyncio
from playwright.async_api import async_playwright

from tests.real.programs import ROOT, StandingHost, started

BARE = (
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,PreloadTopChromeWebUI,SpareRendererForSitePerProcess"
)
"""Unused features of Chromium's own windows: their pages would cost more than ours."""


@pytest.fixture(scope="session")
def _standing(tmp_path_factory):
    host = StandingHost(tmp_path_factory.mktemp("standing"))
    try:
        yield host
        host.stop()
    finally:
        host.kill()


@pytest.fixture
def host(_standing):
    """Yield the shared host, with both doors open and no guests. A test that stops a host starts its own."""
    _standing.disconnect_all()
    before = len(_standing.log)
    yield _standing
    assert "Traceback" not in _standing.log[before:], _standing.log[before:]


@pytest.fixture
async def programs(tmp_path):
    async with started(tmp_path) as programs:
        yield programs


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def started_chromium():
    """Yield Chromium for all tests of a file; they are skipped on a machine without it."""
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
    """Yield the same browser for one test, without the tabs of others."""
    yield started_chromium
    for context in started_chromium.contexts:
        await context.close()
