"""Players with a browser: from a link to the first move, at a desk and by touch on a phone, and back to their seats."""

import re

import pytest

from tests.real.browsers import DESKTOP, PHONE, Visitor, browser
from tests.real.programs import asked

pytestmark = pytest.mark.real


@pytest.fixture
async def chromium():
    async with browser() as found:
        yield found


async def comes(chromium, house, screen=DESKTOP, path="/", **more):
    """A player who has never been here opens a link to the host."""
    context = await chromium.new_context(**screen, **more)
    context.set_default_timeout(30_000)
    url = re.search(r"http://127\.0\.0\.1:\d+", house.said)[0]
    visitor = Visitor(await context.new_page(), url)
    await visitor.opens(path)
    return visitor


async def named(chromium, house, name, **more):
    """A player with a browser, in the lobby."""
    visitor = await comes(chromium, house, **more)
    await visitor.sees("What name will you play under?")
    await visitor.writes(name)
    await visitor.types("Enter")
    await visitor.sees(f"{name}, in the lobby")
    return visitor


async def test_from_a_link_to_the_first_move_at_a_desk(programs, chromium):
    house = await programs.hosts("--web", "127.0.0.1:0")
    ann = await named(chromium, house, "Ann")
    await ann.types("n")
    await ann.sees("open the table")
    await ann.types("Enter")
    await ann.sees("Waiting for 1 more player.")
    await ann.types("z")
    await ann.sees(lambda now: asked(now.rows) == "play")
    before = ann.text
    await ann.types("Enter")
    await ann.sees(lambda now: now.text != before and "Ann" in now.text)
    assert ann.page.url.startswith(f"{ann.url}/t/")
    assert not ann.complaints


async def test_from_a_link_to_the_first_move_by_touch(programs, chromium):
    house = await programs.hosts("--web", "127.0.0.1:0")
    ann = await comes(chromium, house, PHONE)
    page = ann.page
    await ann.sees("What name will you play under?")
    await page.tap("#composer input")
    await page.fill("#composer input", "Ann")
    await page.tap("#composer button")
    await ann.sees("Ann, in the lobby")
    await page.screenshot(path="/tmp/fake/t1.png")
    await page.tap("#keys button[value=n]")
    await ann.sees("open the table")
    await page.screenshot(path="/tmp/fake/t2.png")
    await page.tap("#keys button >> text=↵")
    await ann.sees("Waiting for 1 more player.")
    await page.screenshot(path="/tmp/fake/t3.png")
    await page.tap("#keys button[value=z]")
    await ann.sees(lambda now: asked(now.rows) == "play")
    await page.screenshot(path="/tmp/fake/t4.png")
    before = ann.text
    await page.tap("#keys button >> text=↵")
    await ann.sees(lambda now: now.text != before)
    assert not ann.complaints
