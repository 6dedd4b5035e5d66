"""Players with a browser: from a deep link to the first move, at a desk and on a phone, and back to their seats."""

import asyncio
import contextlib
import re
import signal

import pytest
import pytest_asyncio
from playwright.async_api import Error

from net.limits import NAME_LENGTH
from tests.real.browsers import DESKTOP, PHONE, Visitor
from tests.real.programs import ROOT, effect_of_enter, enter_lobby, new, started

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module")
async def programs(tmp_path):
    """Yield the starter of programs on the event loop of its browser."""
    async with started(tmp_path) as programs:
        yield programs


async def open_page(chromium, host, screen=DESKTOP, path="/", script="", **more):
    """Let a new player open a deep link to the host, in a browser that a script may have changed."""
    context = await chromium.new_context(**screen, **more)
    await context.add_init_script(script)
    context.set_default_timeout(30_000)
    url = re.search(r"http://127\.0\.0\.1:\d+", host.said)[0]
    visitor = Visitor(await context.new_page(), url)
    await visitor.open(path)
    return visitor


async def start_match(ann):
    """Let a player in the lobby open a table and play against a bot, until it is their turn."""
    await ann.type("n")
    await ann.wait_for("a new table")
    await ann.type("Enter")
    await ann.wait_for("Waiting for 1 more player.")
    await ann.type("z")
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")


def offered(now):
    """Return the effect of Enter: the tile, and the end."""
    return now.rows[-2].partition(".")[0].strip()


async def named(chromium, host, name, **more):
    """Yield a player with a browser, in the lobby."""
    visitor = await open_page(chromium, host, **more)
    await enter_lobby_as(visitor, name)
    return visitor


async def pass_entrance(visitor, name=""):
    """Type a name at the entrance, or none, and go in: from the bare link to the lobby, else to the link's target."""
    await visitor.page.fill("#user", name and new(name))
    await visitor.page.click("#ways [data-go]:visible, #entrance[data-go=''] #you .main")


async def enter_lobby_as(visitor, name):
    await pass_entrance(visitor, name)
    await visitor.wait_for(lambda player: re.search(rf"{name}\d+, in the lobby", player.text))


async def test_from_a_link_to_the_first_move_at_a_desk_few_bytes_are_fetched(host, chromium):
    ann = await named(chromium, host, "Ann")
    sizes = await ann.page.evaluate(
        "performance.getEntries().filter((each) => 'encodedBodySize' in each)"
        ".map((each) => [each.name, each.encodedBodySize])"
    )
    assert sum(size for _, size in sizes) < 250 * 1024, sizes
    await start_match(ann)
    before = ann.text
    await ann.type("Enter")
    await ann.wait_for(lambda player: player.text != before and "Ann" in player.text)
    assert ann.page.url.startswith(f"{ann.url}/t/")
    assert not ann.complaints


async def test_from_a_link_to_the_first_move_by_touch(host, chromium):
    ann = await open_page(chromium, host, PHONE)
    page = ann.page
    await page.tap("#user")
    await page.fill("#user", new("Ann"))
    await page.tap("#ways [data-go]")
    await ann.wait_for("in the lobby")
    await page.tap("#buttons button:has-text('Open a table')")
    await ann.wait_for("a new table")
    await page.tap("#buttons .main")
    await ann.wait_for("Waiting for 1 more player.")
    await page.tap("#buttons button:has-text('Fill with bots')")
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    before = ann.text
    await page.tap("#buttons .main")
    await ann.wait_for(lambda player: player.text != before)
    assert not ann.complaints


@pytest.mark.parametrize("game", ["draw", "mexican-train", "chickenfoot", "forty-two", "tien-gow", "patience"])
async def test_a_round_of_every_family_is_played_by_touch_alone(host, chromium, game):
    ann = await open_page(chromium, host, PHONE, path=f"/g/{game}")
    await ann.page.tap("#you .main")
    # A tap must not go on past a result that appears while it waits for its button.
    main = ann.page.locator("#buttons .main:not(:has-text('next round')):not(:has-text('what comes next'))")
    result = ann.page.locator("#buttons button:has-text('Look')")
    async with asyncio.timeout(120):
        while not await result.count():
            with contextlib.suppress(Error):  # a bot is on turn, or the button has just changed
                await main.tap(timeout=1000)
    assert not ann.complaints


async def test_a_tap_is_a_click_and_opens_no_keyboard(host, chromium):
    ann = await named(chromium, host, "Ann", screen=PHONE)
    await ann.page.tap("#buttons button:has-text('Open a table')")
    await ann.wait_for("▶ game")
    ann.typed = b""
    await ann.page.touchscreen.tap(*await ann.at("level of the bots"))
    await ann.wait_for("▶ level of the bots")
    await ann.page.tap("#open-more")
    await ann.page.tap("#keys button >> text=explain")
    await ann.wait_for("level of the bots")
    assert ann.typed.count(b"\x1b[<0;") == 2, "pressed once, and let go"
    assert await ann.page.evaluate("document.activeElement.inputMode") == "none"
    assert await ann.page.locator("#composer").is_hidden()
    assert not ann.complaints


async def fingers_on(page):
    """Return a function that dispatches a touch event with a finger at each place."""
    session = await page.context.new_cdp_session(page)

    async def touch(kind, *places):
        points = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(places)]
        await session.send("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    return touch


async def test_a_swipe_turns_the_wheel_and_does_not_click(host, chromium):
    ann = await named(chromium, host, "Ann", screen=PHONE)
    touch = await fingers_on(ann.page)
    ann.typed = b""
    await touch("Start", (200, 500))
    for y in range(490, 300, -10):
        await touch("Move", (200, y))
    await touch("End")
    await ann.type("n")
    await ann.wait_for("a new table")
    wheels = ann.typed.count(b"\x1b[<65;")
    assert wheels >= 3
    assert ann.typed.count(b"\x1b[<") == wheels, "a swipe is no click"


async def test_a_pinch_outwards_enlarges_the_letters(host, chromium):
    ann = await named(chromium, host, "Ann", screen=PHONE)
    touch = await fingers_on(ann.page)
    columns = len(ann.rows[0])
    await touch("Start", (150, 400), (250, 400))
    for apart in range(10, 60, 10):
        await touch("Move", (150 - apart, 400), (250 + apart, 400))
    await touch("End")
    await ann.wait_for(lambda player: len(player.rows[0]) < columns)


async def test_keys_with_a_meaning_in_browsers_reach_the_game(host, chromium):
    ann = await named(chromium, host, "Ann")
    ann.typed = b""
    await ann.type("Control+p")
    await ann.wait_for("find anything")
    await ann.type("Escape")
    await ann.wait_for("in the lobby")
    await ann.type("Tab", "Control+s", "ArrowUp", "F1")
    await ann.wait_for("Help")
    assert ann.typed == b"\x10\x1b\t\x13\x1b[A\x1bOP"


async def test_a_click_in_the_browser_reaches_the_game(host, chromium):
    ann = await named(chromium, host, "Ann")
    await ann.type("n")
    await ann.wait_for("▶ game")
    await ann.page.mouse.click(*await ann.at("level of the bots"))
    await ann.wait_for("▶ level of the bots")


async def test_two_browsers_and_a_real_ssh_sit_at_one_table(host, client, chromium):
    ann = await named(chromium, host, "Ann")
    ben = await named(chromium, host, "Ben", screen=PHONE)
    await ann.type("n")
    await ann.wait_for("a new table")
    await ann.type("ArrowDown", "ArrowRight")
    await ann.wait_for("3 players")
    await ann.type("Enter")
    await ann.wait_for("Waiting for 2 more players.")
    await ben.wait_for(lambda player: "Ann" in player.text and "Draw" in player.text)
    await ben.type("Enter")
    await ben.wait_for("Waiting for 1 more player.")
    cid = client.start(host.port, key=client.key("cid")[0])
    await enter_lobby(cid, new("Cid"))
    cid.type("\r")
    for player in (ann, ben, cid):
        await player.wait_for(
            lambda player: "round 1" in player.text and "Ann" in player.text and "Cid" in player.text
        )


async def test_one_button_of_the_entrance_seats_a_guest_with_those_who_wait(host, chromium):
    ann = await named(chromium, host, "Ann")
    await ann.type("n")
    await ann.wait_for("a new table")
    await ann.type("Enter")
    await ann.wait_for("Waiting for 1 more player.")
    ben = await open_page(chromium, host)
    await ben.page.get_by_text("Sits you down with Ann").wait_for()
    await ben.page.click("#you .main")
    await ben.wait_for(lambda player: "round 1" in player.text and "Ann" in player.text)
    assert not ben.complaints


async def test_a_link_from_the_settings_leads_a_friend_to_a_seat(host, chromium):
    ann = await named(chromium, host, "Ann", permissions=["clipboard-read", "clipboard-write"])
    await ann.type("n")
    await ann.wait_for("a new table")
    await ann.type("Enter")
    await ann.wait_for("Waiting for 1 more player.")
    await ann.page.mouse.move(300, 300)
    await ann.page.click("#open-settings")
    await ann.page.click("#share")
    await ann.page.get_by_text("Copied.").wait_for()
    link = await ann.page.evaluate("navigator.clipboard.readText()")
    ben = await open_page(chromium, host, path=link.removeprefix(ann.url))
    await pass_entrance(ben, "Ben")
    for player in (ann, ben):
        await player.wait_for(
            lambda player: "round 1" in player.text and "Ann" in player.text and "Ben" in player.text
        )


INSECURE = "Object.defineProperty(crypto, 'subtle', {value: undefined})"
"""Makes a page as it is over HTTP, at all addresses except those of the machine itself."""


@pytest.mark.parametrize("script", ["", INSECURE], ids=["with a key", "with a code"])
async def test_a_reload_in_the_middle_of_a_match_returns_to_the_seat(host, chromium, script):
    ann = await open_page(chromium, host, script=script)
    await enter_lobby_as(ann, "Ann")
    await start_match(ann)
    before = offered(ann)
    await ann.page.reload()
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert offered(ann) == before


SILENT = {
    "storage": "indexedDB.open = () => ({});",
    "keys": "SubtleCrypto.prototype.generateKey = () => new Promise(() => {});",
    "signatures": "SubtleCrypto.prototype.sign = () => new Promise(() => {});",
}
"""Browser APIs that never answer."""


@pytest.mark.parametrize("part", SILENT)
async def test_a_browser_whose_storage_or_keys_never_answer_logs_in_by_name(host, chromium, part):
    ann = await open_page(chromium, host, script=SILENT[part])
    await pass_entrance(ann, "Ann")
    await ann.page.get_by_text("Your browser keeps no key for this page.").wait_for()
    await ann.page.get_by_role("button", name="Enter").click()
    await ann.wait_for("in the lobby")
    await start_match(ann)
    assert not ann.complaints


async def test_a_browser_without_any_storage_comes_in(host, chromium):
    forbids = "for (const name of ['localStorage', 'indexedDB'])"
    forbids += "Object.defineProperty(window, name, { get: () => { throw new DOMException('', 'SecurityError'); } })"
    ann = await open_page(chromium, host, script=forbids)
    await pass_entrance(ann, "Ann")
    await ann.page.get_by_role("button", name="Enter").click()
    await ann.wait_for("in the lobby")
    assert not ann.complaints


@pytest.mark.parametrize("way", ["closed", "silent"])
async def test_where_no_websocket_comes_through_the_page_leads_to_plain_text(programs, chromium, way):
    host = await programs.start_host("--web", "127.0.0.1:0")
    closes = "setTimeout(() => this.onclose?.())" if way == "closed" else ""
    dropped = f"class {{ close() {{}} constructor() {{ {closes} }} }}"
    hurried = "const later = setTimeout; window.setTimeout = (call, ms) => later(call, ms / 20);"
    ann = await open_page(chromium, host, path="/g/draw", script=f"{hurried} window.WebSocket = {dropped};")
    await pass_entrance(ann)
    await ann.page.get_by_text("Your network lets no WebSockets through.").wait_for()
    await ann.page.get_by_role("link", name="Play in plain text", exact=True).click()
    await ann.page.get_by_label("name").fill(new("Ann"))
    await ann.page.get_by_role("button", name="Enter").click()
    await ann.page.get_by_text("It is your turn.").first.wait_for()
    assert 'handshake-failed address=127.0.0.1 reason="pages come through, but no WebSocket"' in host.log


async def test_a_browser_that_forgets_after_a_week_is_told_once_how_to_keep_the_name(host, chromium):
    safari = "navigator.standalone = false; StorageManager.prototype.persist = async () => false"
    ann = await open_page(chromium, host, script=safari)
    await pass_entrance(ann, "Ann")
    await ann.page.get_by_text("after seven days without a visit").wait_for()
    await ann.page.get_by_role("button", name="Enter").click()
    await ann.wait_for("in the lobby")
    await ann.page.reload()
    await ann.wait_for("in the lobby")
    assert await ann.page.locator("#notice").is_hidden()


async def test_a_lost_network_is_reported_and_found_again_with_the_seat(host, chromium):
    ann = await named(chromium, host, "Ann")
    await start_match(ann)
    before = offered(ann)
    await ann.page.context.set_offline(True)
    await ann.page.get_by_text("Connection lost. Reconnecting …").wait_for()
    await ann.page.context.set_offline(False)
    await ann.page.locator("#notice").wait_for(state="hidden")
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert offered(ann) == before


async def test_a_phone_that_wakes_up_with_a_dead_connection_detects_it_and_reconnects(programs, chromium):
    host = await programs.start_host("--web", "127.0.0.1:0")
    ann = await open_page(chromium, host, PHONE, path="/plain")
    await ann.page.clock.install()
    await ann.open()
    await enter_lobby_as(ann, "Ann")
    wakes = "dispatchEvent(new Event('online'))"
    async with ann.line.expect_event("framereceived", lambda frame: b'"alive"' in frame):
        await ann.page.evaluate(wakes)
    host.kill(signal.SIGSTOP)
    try:
        await ann.page.evaluate(wakes)
        await ann.page.clock.fast_forward(6_000)
        await ann.page.get_by_text("Connection lost. Reconnecting …").wait_for()
    finally:
        host.kill(signal.SIGCONT)
    await ann.page.locator("#notice").wait_for(state="hidden")
    await ann.wait_for("in the lobby")


async def test_a_host_that_comes_back_finds_its_players_back(programs, chromium):
    host = await programs.start_host("--web", "127.0.0.1:0")
    ann = await named(chromium, host, "Ann")
    await start_match(ann)
    before = offered(ann)
    host.kill()
    await host.wait_for_exit()
    await ann.page.get_by_text("Connection lost. Reconnecting …").wait_for()
    await programs.start_host("--web", ann.url.removeprefix("http://"), data=host.data)
    await ann.page.locator("#notice").wait_for(state="hidden")
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert offered(ann) == before


GUTTER = 24
"""Pixels beside the screen for the button of the settings, at a desk."""


async def test_the_terminal_fills_every_window(host, chromium):
    ann = await named(chromium, host, "Ann")
    await start_match(ann)
    for width, height in ((700, 900), (1600, 700), (844, 390)):
        await ann.page.set_viewport_size({"width": width, "height": height})
        most = width / 6
        await ann.wait_for(
            lambda player, most=most: len(player.rows[0]) < most and player.rows[0].rstrip().endswith("14")
        )
        box = await ann.page.locator(".xterm-screen").bounding_box()
        assert box["width"] > width - 12 - GUTTER
        assert box["height"] > height - 24


async def test_pasted_text_is_plain_text(host, chromium):
    ann = await named(chromium, host, "Ann")
    await ann.type("t")
    await ann.wait_for("To all in the lobby")
    hostile = "\x1b[201~\x03\x11A\x1b]52;c;eA==\x07n\x9b201~\x00n\x7f"
    paste = """(text) => {
      const data = new DataTransfer();
      data.setData("text/plain", text);
      document.querySelector(".xterm-helper-textarea").dispatchEvent(
        new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
    }"""
    ann.typed = b""
    await ann.page.evaluate(paste, hostile)
    await ann.wait_for("A ]52;c;")
    before, pasted = ann.typed.split(b"\x1b[200~")
    assert (before, pasted.count(b"\x1b[201~")) == (b"", 1)
    assert pasted.removesuffix(b"\x1b[201~").decode().isprintable()
    await ann.type(*["Backspace"] * NAME_LENGTH)
    name = new("Ann")
    await ann.page.evaluate(paste, name)
    await ann.wait_for(name)
    await ann.type("Enter")
    await ann.wait_for("in the lobby")
    assert not ann.complaints


async def test_an_invitation_is_asked_for_on_the_page_until_it_is_right(programs, chromium):
    host = await programs.start_host("--web", "127.0.0.1:0", "--invite", "double six")
    ann = await open_page(chromium, host)
    await pass_entrance(ann, "Ann")
    field = ann.page.locator("#notice input")
    await ann.page.get_by_text("This server asks for an invitation code.").wait_for()
    await field.fill("double five")
    await field.press("Enter")
    await ann.page.get_by_text("That is not the invitation code.").wait_for()
    await field.fill("double six")
    await field.press("Enter")
    await ann.wait_for("in the lobby")
    assert not ann.complaints


WITHOUT_WEBGL = """
HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
  apply: (get, canvas, [kind, ...more]) => (kind.startsWith("webgl") ? null : get.call(canvas, kind, ...more)),
});
"""


async def test_with_webgl_the_terminal_is_painted_on_a_canvas(host, chromium):
    ann = await named(chromium, host, "Ann", screen=PHONE)
    if not await ann.page.evaluate("Boolean(document.createElement('canvas').getContext('webgl2'))"):
        pytest.skip("this browser has no WebGL here")
    await ann.page.locator("#screen canvas:not(.xterm-image-layer)").first.wait_for()
    assert not ann.complaints


async def test_without_webgl_the_page_draws_all_the_same_and_breaks_no_policy(host, chromium):
    ann = await named(chromium, host, "Ann", script=WITHOUT_WEBGL)
    assert not await ann.page.locator("#screen canvas").count()
    row = ann.page.locator(".xterm-rows > div", has_text="BONEYARD")
    await row.wait_for()
    colours = "(row) => [...row.children].map((cell) => getComputedStyle(cell).color)"
    assert len(set(await row.evaluate(colours))) > 1
    assert not ann.complaints


async def test_a_player_who_comes_back_is_in_with_one_click_and_may_choose_another_name(host, chromium):
    ann = await named(chromium, host, "Ann")
    name = re.search(r"Ann\d+", ann.text)[0]
    await ann.type("q")
    await ann.page.get_by_role("button", name=f"Play as {name}").wait_for()
    await ann.page.click("#ways [data-go]")
    await ann.wait_for(f"{name}, in the lobby")
    await ann.type("q")
    await ann.page.get_by_role("button", name="Another name").click()
    assert await ann.page.locator("#user").is_visible()
    assert not ann.complaints


async def test_a_new_guest_plays_against_bots_after_one_click(host, chromium):
    ann = await open_page(chromium, host, path="/g/draw")
    assert await ann.page.get_by_role("heading").inner_text() == "Draw, against bots"
    await pass_entrance(ann)
    await ann.wait_for("round 1")
    assert not ann.complaints


async def test_a_link_to_a_closed_table_says_so_at_the_entrance(host, chromium):
    ann = await open_page(chromium, host, path="/t/999999")

    assert await ann.page.get_by_role("heading").inner_text() == "That table is no longer open."


@pytest.mark.parametrize("locale", ["de-DE", "pt-BR"])
async def test_the_page_and_the_game_speak_the_language_of_the_browser(host, chromium, locale):
    ann = await open_page(chromium, host, locale=locale)
    assert "Your name" not in await ann.page.inner_text("#entrance")
    await pass_entrance(ann)
    await ann.wait_for("BONEYARD")
    assert "in the lobby" not in ann.text
    assert (await ann.page.get_attribute("html", "lang")).startswith(locale[:2])
    await ann.page.context.set_offline(True)
    await ann.page.locator("#notice").wait_for()
    assert "Connection lost" not in await ann.page.inner_text("#notice")


async def test_the_icon_and_the_title_show_that_it_is_the_players_turn(host, chromium):
    ann = await named(chromium, host, "Ann")
    icon = ann.page.locator("link[rel=icon]")
    assert await icon.get_attribute("href") == "/icon.svg"
    await start_match(ann)
    await ann.page.locator("link[rel=icon][href='/icon-turn.svg']").wait_for(state="attached")
    assert "your turn" in await ann.page.title()


async def test_settings_and_the_size_of_letters_outlive_a_reload(host, chromium):
    ann = await named(chromium, host, "Ann")
    await start_match(ann)
    await ann.type("Control+,")
    await ann.page.check("[name=sound]")
    await ann.type("Escape")
    columns = len(ann.rows[0])
    await ann.type("Control+Equal", "Control+Equal")
    await ann.wait_for(lambda player: len(player.rows[0]) < columns and effect_of_enter(player.rows) == "play")
    fewer = len(ann.rows[0])
    await ann.page.reload()
    await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    assert len(ann.rows[0]) == fewer
    assert await ann.page.is_checked("[name=sound]")
    await ann.type("Control+0")
    await ann.wait_for(lambda player: len(player.rows[0]) == columns)


AWAKE = "navigator.wakeLock.request = async () => (awake += 1, {release: async () => {}}); window.awake = 0"
"""Makes a browser count the wake locks of its screen."""
SHOWN = """async () => {
  const worker = await navigator.serviceWorker.ready;
  return (await worker.getNotifications()).map(({body}) => body);
}"""
"""JavaScript that returns the visible notifications of a browser."""
CALLED = f"({SHOWN})().then(([shown]) => shown === 'It is your turn.')"
CLOSED = """async () => {
  const worker = await navigator.serviceWorker.ready;
  for (const shown of await worker.getNotifications()) shown.close();
}"""
GONE = f"({SHOWN})().then((shown) => !shown.length)"
AWAY = "Object.defineProperty(document, 'hidden', {value: true}); awake = 0"


async def test_players_may_get_notifications_of_their_turn_and_the_screen_stays_on(host, chromium):
    ann, ben = [
        await named(chromium, host, name, script=AWAKE, permissions=["notifications"]) for name in ("Ann", "Ben")
    ]
    for player in (ann, ben):
        await player.type("Control+,")
        await player.page.check("[name=notify]")
        await player.page.wait_for_function(CALLED)  # a sample notification appears at once
        await player.page.evaluate(CLOSED)
        await player.page.wait_for_function(GONE)
        await player.type("Escape")
    await ben.page.evaluate(AWAY)
    await ann.type("n")
    await ann.wait_for("a new table")
    await ann.type("Enter")
    await ann.wait_for("Waiting for 1 more player.")
    await ben.wait_for(lambda player: "Ann" in player.text and "Draw" in player.text)
    await ben.type("Enter")
    await ben.wait_for("round 1")
    await ann.wait_for(lambda player: "round 1" in player.text)
    if effect_of_enter(ann.rows) != "play":
        await ben.wait_for(lambda player: effect_of_enter(player.rows) == "play")
        await ben.page.wait_for_function(CALLED)
        assert not await ben.page.evaluate("awake"), "nobody looks at that screen"
        await ben.type("Enter")
        await ann.wait_for(lambda player: effect_of_enter(player.rows) == "play")
    await ann.page.wait_for_function("awake === 1")
    await ann.page.wait_for_function(GONE)  # a visible page needs no notification
    assert not ann.complaints


async def test_a_browser_that_shows_no_notifications_says_so(host, chromium):
    ann = await named(chromium, host, "Ann", script="delete window.Notification")
    await ann.type("Control+,")
    await ann.page.click("[name=notify]")
    await ann.page.get_by_text("This browser shows no notifications here.").wait_for()
    assert not await ann.page.is_checked("[name=notify]")


PAINTED = """([columns, rows]) => {
  const layer = document.querySelector(".xterm-image-layer");  // another one, once WebGL draws
  if (!layer?.width) return;
  const {width, height} = layer, box = layer.getBoundingClientRect();
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(layer, 0, 0);
  const painted = canvas.getImageData(0, 0, width, height).data.filter((value, place) => place % 4 === 3 && value);
  const tile = 4 * (width / columns) * (height / rows);  // four cells: less than any tile
  return painted.length > 7 * tile && [width, height, box.width, box.height];
}"""


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_tiles_are_pictures_in_the_pixels_of_the_screen(host, chromium, screen):
    ann = await named(chromium, host, "Ann", screen=screen)
    await start_match(ann)
    assert "▌▐" not in ann.text.replace(" ", "")
    painted = await ann.page.wait_for_function(PAINTED, arg=[len(ann.rows[0]), len(ann.rows)])
    wide, high, *box = await painted.json_value()
    scale = screen.get("device_scale_factor", 1)
    assert (wide, high) == pytest.approx([length * scale for length in box], abs=scale)
    assert not ann.complaints


async def test_tiles_are_drawn_in_cells_where_a_browser_cannot_decode_pictures(host, chromium):
    ann = await named(chromium, host, "Ann", script="delete window.WebAssembly")
    await start_match(ann)
    assert "▌▐" in ann.text.replace(" ", "")
    assert not ann.complaints


@pytest.mark.parametrize("screen", [DESKTOP, PHONE], ids=["desk", "phone"])
async def test_axe_finds_no_violation(host, chromium, screen):
    axe = ROOT / "scripts" / "page" / "tools" / "node_modules" / "axe-core" / "axe.min.js"
    if not axe.exists():
        pytest.skip("axe-core is not here; ./scripts/check fetches it")
    ann = await open_page(chromium, host, screen, bypass_csp=True)
    await ann.page.add_script_tag(path=axe)
    assert not await violations(ann)
    await enter_lobby_as(ann, "Ann")
    assert not await violations(ann)


async def violations(visitor):
    report = await visitor.page.evaluate("axe.run()")
    return [(finding["id"], finding["nodes"][0]["html"]) for finding in report["violations"]]
