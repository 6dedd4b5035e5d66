"""Players without a terminal: the page in plain text, by keyboard, as screen readers read it, with scripts or not."""

import re

import pytest

from tests.real.browsers import DESKTOP, PHONE
from tests.real.programs import ROOT, new

pytestmark = pytest.mark.asyncio(loop_scope="module")
AXE = ROOT / "scripts/page/tools/node_modules/axe-core/axe.min.js"


async def open_page(host, chromium, path="/plain/g/draw", **more):
    """Let a new visitor open a page of the host."""
    context = await chromium.new_context(**{**DESKTOP, **more})
    context.set_default_timeout(30_000)
    page = await context.new_page()
    await page.goto(re.search(r"http://127\.0\.0\.1:\d+", host.said)[0] + path)
    return page


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
async def test_a_move_is_made_by_keyboard_alone(host, chromium, scripts):
    page = await open_page(host, chromium, java_script_enabled=scripts)
    await page.get_by_label("What name will you play under?").press_sequentially(name := new("Zoe"))
    await page.keyboard.press("Enter")
    log = page.get_by_role("log")
    await log.get_by_text("It is your turn.").first.wait_for()
    choice = page.get_by_role("button", name=re.compile(r"^1\. (Lead|Play|Draw|Pass)"))  # of this turn, no other
    before = await choice.inner_text()
    await choice.press("Enter")
    await log.get_by_text(re.compile(r"\b[Yy]ou (lead|play|draw|pass)\b")).first.wait_for()
    assert before.startswith("1. ")
    await page.get_by_label("Your answer, or “help”").press_sequentially("leave")
    await page.keyboard.press("Enter")
    await log.get_by_text(f"You are in the lobby, as {name}.").nth(1).wait_for()


async def test_actions_of_others_are_announced_as_they_happen(host, chromium):
    page = await open_page(host, chromium, path="/plain")
    await page.get_by_label("What name will you play under?").fill(name := new("Zoe"))
    await page.keyboard.press("Enter")
    await page.get_by_role("log").get_by_text(f"You are in the lobby, as {name}.").wait_for()
    other = await page.context.new_page()
    await other.goto(page.url.partition("/plain")[0] + "/plain/g/block")
    await other.get_by_label("What name will you play under?").fill(name := new("Bob"))
    await other.keyboard.press("Enter")
    await page.get_by_role("log").get_by_text(f"{name}'s table").wait_for()


async def test_a_screen_reader_gets_a_role_and_name_for_everything(host, chromium):
    page = await open_page(host, chromium)
    await page.get_by_label("What name will you play under?").fill(new("Zoe"))
    await page.keyboard.press("Enter")
    await page.get_by_role("log").get_by_text("Your hand:").wait_for()
    tree = await page.locator("body").aria_snapshot()

    assert "- main:" in tree
    assert re.search(r'heading "Boneyard · .*" \[level=1\]', tree)
    assert 'log "What happens, the newest last"' in tree
    assert re.search(r'button "1\. ', tree)
    assert 'textbox "Your answer, or “help”"' in tree
    assert 'button "Send"' in tree


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desktop", "phone"])
async def test_axe_finds_no_violation(host, chromium, screen):
    if not AXE.exists():
        pytest.skip("axe-core is not here; ./scripts/check fetches it with npm")
    page = await open_page(host, chromium, **screen, bypass_csp=True)
    for step in ("entrance", "table"):
        if step == "table":
            await page.get_by_label("What name will you play under?").fill(new("Zoe"))
            await page.get_by_role("button", name="Enter").click()
            await page.get_by_role("log").get_by_text("Your hand:").wait_for()
        await page.evaluate(AXE.read_text(encoding="utf-8"))
        violations = await page.evaluate("axe.run().then((report) => report.violations.map((each) => each.id))")
        assert violations == [], step
