"""Draws the gallery: plays every game for a while in the real app, with fixed deals, and takes screenshots."""

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from PIL import Image
from resvg_py import svg_to_bytes
from textual.app import App
from textual.pilot import Pilot

from core.bots.levels import play_match
from core.combos.state import ComboView
from core.games import GAMES
from core.layout.state import LayoutView
from core.match import new_match
from core.patience.state import PatienceView
from core.tricks.state import TrickView
from net.client.client import Client
from net.wire.messages import MakeTable, SeatInfo, Update
from scripts.window_fill import report
from tests.tui.served_pilot import served
from themes import load_theme
from tui.app import BoneyardApp
from tui.board.canvas import Canvas, Picture, Style
from tui.draw.panels import wrap
from tui.draw.replay import draw_replay
from tui.draw.results import BLOCKS
from tui.draw.svg import svg_of
from tui.model.look import Look
from tui.model.playback import Playback, Recording
from tui.plain.conversation import Conversation
from tui.run.frontends import ClientSession, Show
from tui.screens.base import DrawnScreen, SingleScreenApp
from tui.screens.menu import MenuScreen, WelcomeScreen
from tui.screens.replay import ReplayScreen
from tui.solo import play_alone
from tui.version import SOFTWARE

FOLDER = Path(__file__).parent.parent / "docs" / "gallery"
SMALL, WIDE = (80, 24), (140, 45)
FELT = Look(load_theme("felt"))
THEMES = ("light", "night", "high-contrast")
PLAYERS = {"mexican-train": 4, "chickenfoot": 4, "wildstar": 4, "spinner": 4}
"""Players at a table; in other games three, or the nearest possible number."""
TILES_LAID = {"chickenfoot": 14, "wildstar": 16, "spinner": 14, "mexican-train": 16, "tiddly-wink": 5}
"""Tiles on the table in a screenshot; in other games nine."""
TILES_LEFT = 22
"""Tiles left in a game for one player in its screenshot."""
SEED = 7
LEVEL = "easy"
"""A bot that does not think takes no time, so its choices do not depend on a clock."""
README = "readme"
README_SIZE = (100, 30)
README_NAMES = ("Ana", "Bruno", "Chen", "Dalia")
README_SEED = b"15"
README_PIXELS = 1000
SESSION_TIMEOUT = 60.0
"""Maximum seconds for one session."""
FILL_OPTION = "--fill"
ONE_OF_EACH = "--one-of-each"
SAMPLE = ("draw", "wildstar", "spinner", "tien-gow", "jie-long", "blind-hughie", "forty-two", "moon", "patience")
"""A game of each family; some have wild or Chinese tiles or hands that nobody sees."""
Pictures = dict[str, Picture]


def size_name(size: tuple[int, int]) -> str:
    """Return a size as it is part of a file's name."""
    return f"{size[0]}x{size[1]}"


def wish_of(game: str) -> MakeTable:
    """Return the table at which a game is shown."""
    fewest, most = GAMES[game].seats
    players = PLAYERS.get(game, min(max(3, fewest), most))
    return MakeTable(game, players, {}, levels=(LEVEL,) * (players - 1), hints=True)


async def play_until(
    table_request: MakeTable,
    look: Look,
    is_reached: Callable[[Client], bool],
    prefix: str,
    *keys: str,
    awaited_text: str = "",
) -> Pictures:
    """Play at a table with Enter alone until a condition holds, then press other keys until `awaited_text` is shown.

    Returns a picture of each size.
    """
    pictures: Pictures = {}

    async def session(client: Client, app: App[Any]) -> None:
        async with served(app, SMALL) as pilot:
            while not is_reached(client):
                await press_enter(client, pilot)
            await pilot.press(*keys)
            while awaited_text not in str(await picture_at(app, pilot, SMALL)):
                await pilot.pause()
            for size in (SMALL, WIDE):
                pictures[f"{prefix}-{size_name(size)}"] = await picture_at(app, pilot, size)
            client.goodbye()

    async def show(visit: ClientSession) -> str:
        app = BoneyardApp(
            visit.client,
            look,
            table_request=visit.table_request,
            name=visit.name,
            converse=visit.converse,
            thinkers=visit.thinkers,
        )
        await session(visit.client, app)
        return ""

    await play_fixed_deals(table_request, show)
    return pictures


async def play_fixed_deals(table_request: MakeTable, show: Show) -> None:
    """Play a solo game with fixed deals, in a temporary directory."""
    with TemporaryDirectory() as data:
        async with asyncio.timeout(SESSION_TIMEOUT):
            await play_alone(table_request, show, name="ann", data=Path(data), seed=SEED, pace=False)


async def press_enter(client: Client, pilot: Pilot[Any]) -> None:
    """Press Enter, if there is something to do, until it takes effect; then wait for the update that follows."""
    update = client.update
    view = update.play if update else None
    if update and view and (view.legal or (view.result and update.seat not in update.ready)):
        has_acted = asyncio.Event()
        act, ready = client.act, client.ready
        client.act = lambda action: has_acted.set() or act(action)
        client.ready = lambda: has_acted.set() or ready()
        while not has_acted.is_set() and client.update is update:
            await pilot.press("enter")
            await pilot.pause()
        client.act, client.ready = act, ready
    await wait_for_update(client, update)
    await pilot.pause()


async def wait_for_update(client: Client, update: Update | None) -> None:
    """Wait until a client has received a newer update."""
    received = asyncio.Event()
    unsubscribe = client.subscribe(lambda _message: received.set())
    while client.update is update:
        received.clear()
        await received.wait()
    unsubscribe()


async def picture_at(app: App[Any], pilot: Pilot[Any], size: tuple[int, int]) -> Picture:
    """Return the picture on the screen in a window of some size."""
    await pilot.resize_terminal(*size)
    await pilot.pause()
    assert isinstance(app.screen, DrawnScreen)
    while len(app.screen.picture.rows) != size[1]:
        await pilot.pause()
    return app.screen.picture


def is_mid_round(client: Client) -> bool:
    """Return True if it is the player's turn in the middle of a round."""
    view = client.update.play if client.update else None
    if view is None or not view.legal:
        return False
    if isinstance(view, ComboView):
        return len(view.tricks) >= 2 and bool(view.trick)
    if isinstance(view, TrickView):
        return len(view.tricks) == 3 and bool(view.trick)
    if isinstance(view, PatienceView):
        return view.counts[0] <= TILES_LEFT
    game = client.update.table.game if client.update else ""
    return isinstance(view, LayoutView) and len(view.layout) >= TILES_LAID.get(game, 9)


def is_round_over(client: Client) -> bool:
    """Return True if a round is over."""
    view = client.update.play if client.update else None
    return view is not None and view.result is not None


def is_match_over(client: Client) -> bool:
    """Return True if the match is over."""
    return client.update is not None and client.update.match is not None and client.update.match.over


async def game_pictures(names: list[str]) -> AsyncIterator[Pictures]:
    """Yield every game in the middle of a round."""
    for name in names:
        yield await play_until(wish_of(name), FELT, is_mid_round, name)


async def other_pictures(names: list[str]) -> AsyncIterator[Pictures]:
    """Yield the other screens, and themes."""
    if "menu" in names:
        app = SingleScreenApp(MenuScreen(FELT))
        async with served(app, SMALL) as pilot:
            yield {f"menu-{size_name(size)}": await picture_at(app, pilot, size) for size in (SMALL, WIDE)}
    if "result" in names:
        yield await play_until(wish_of("stakes"), FELT, is_round_over, "result")
    if "match-end" in names:
        yield await play_until(wish_of("draw"), FELT, is_match_over, "match-end", "enter", awaited_text=BLOCKS[-1])
    if "welcome" in names:
        welcome = SingleScreenApp(WelcomeScreen(FELT))
        async with served(welcome, SMALL) as pilot:
            yield {"welcome": await picture_at(welcome, pilot, SMALL)}
    if "find" in names:
        menu = SingleScreenApp(MenuScreen(FELT))
        async with served(menu, SMALL) as pilot:
            await pilot.press(":", *"fi")
            yield {"find": await picture_at(menu, pilot, SMALL)}
    if "themes" in names:
        for theme in THEMES:
            theme_pictures = await play_until(
                wish_of("all-fives"), Look(load_theme(theme), name=theme), is_mid_round, theme
            )
            yield {f"theme-{theme}": theme_pictures[f"{theme}-{size_name(SMALL)}"]}
    if "replay" in names:
        match = new_match(GAMES["draw"], 3, {})
        replay = SingleScreenApp(ReplayScreen(Recording(play_match(match, ("greedy",) * 3, b"7", SOFTWARE)), FELT))
        async with served(replay, SMALL) as pilot:
            await pilot.press(*["right"] * 12, *["h"] * 4)
            yield {"replay": await picture_at(replay, pilot, SMALL)}
    if "plain" in names:
        yield {"plain": await plain_picture()}


async def plain_picture() -> Picture:
    """Return plain text as a picture: the last lines of a session in which the first choice was typed a few times."""
    lines: list[str] = []

    async def show(visit: ClientSession) -> str:
        client = visit.client
        conversation = Conversation(
            client, lines.append, table_request=visit.table_request, name="ann", thinkers=visit.thinkers
        )
        conversation_task = asyncio.ensure_future(visit.converse())
        while not is_mid_round(client):
            update = client.update
            if update and conversation.can_take("1", piped=True):
                lines.append("> 1")
                conversation.handle_line("1")
            await wait_for_update(client, update)
        client.goodbye()
        await conversation_task
        return ""

    await play_fixed_deals(wish_of("draw"), show)
    mono = load_theme("mono")
    canvas = Canvas(*SMALL, Style(mono.text, mono.felt))
    rows = [row for line in lines for row in wrap(line, SMALL[0] - 2)][-SMALL[1] :]
    for y, row in enumerate(rows):
        canvas.put(1, y, row, Style(mono.text, mono.felt, row.startswith(">")))
    return Picture(canvas.rows())


OTHERS = {
    "menu": "The menu",
    "welcome": "The first start",
    "find": "Finding anything by its name",
    "result": "A result",
    "match-end": "The end of a match",
    "replay": "A replay with all hands",
    "plain": "Plain text",
    "themes": "Themes",
}
KITTY = "pictures-kitty.png"
"""Tiles as images, in a terminal that shows them; this screenshot is taken by hand."""


def page() -> str:
    """Return the text of the page that shows all screenshots."""
    lines = [
        "# Gallery",
        "",
        "Every picture is from a real session. `./scripts/gallery` plays them again and draws them anew.",
    ]
    for name, variant in GAMES.items():
        lines += [
            "",
            f"## {variant.name}",
            "",
            *_image_lines(variant.name, [f"{name}-{size_name(size)}" for size in (SMALL, WIDE)]),
        ]
    for name, title in OTHERS.items():
        files = {
            "themes": [f"theme-{theme}" for theme in THEMES],
            "menu": [f"menu-{size_name(size)}" for size in (SMALL, WIDE)],
            "result": [f"result-{size_name(size)}" for size in (SMALL, WIDE)],
            "match-end": [f"match-end-{size_name(size)}" for size in (SMALL, WIDE)],
        }.get(name, [name])
        lines += ["", f"## {title}", "", *_image_lines(title, files)]
    if (FOLDER / KITTY).exists():
        lines += ["", "## Tiles as pictures", "", f"![Tiles as pictures]({KITTY})"]
    return "\n".join(lines) + "\n"


def _image_lines(title: str, files: list[str]) -> Iterator[str]:
    for file in files:
        size = re.search(r"\d+x\d+$", file)
        yield f"![{title}, {size[0] if size else file.removeprefix('theme-')}]({file}.svg)\n"


async def draw(names: list[str], folder: Path = FOLDER) -> None:
    """Draw the named screenshots into a folder; in that of the gallery, the page as well."""
    DrawnScreen.SETTLE_SECONDS = 0.0  # keys come as fast as screens change
    for source in (game_pictures([name for name in names if name in GAMES]), other_pictures(names)):
        async for pictures in source:
            for name, picture in pictures.items():
                (folder / f"{name}.svg").write_text(svg_of(picture, name), encoding="utf-8")
                sys.stdout.write(f"{name}.svg\n")
    if folder == FOLDER:
        (FOLDER / "README.md").write_text(page(), encoding="utf-8")


def draw_readme() -> None:
    """Draw the film at the top of the README: the first round of a match of four, as a replay shows it."""
    steps = play_match(new_match(GAMES["draw"], len(README_NAMES), {}), (LEVEL,) * 4, README_SEED, SOFTWARE)
    recording = Recording(steps)
    seats = tuple(SeatInfo(name, LEVEL if number else "") for number, name in enumerate(README_NAMES))
    frames = [frame._replace(seats=seats) for frame in recording.frames if frame.match.round == 1]
    recording.frames = frames
    film = []
    for number in range(len(frames)):
        playback = Playback(recording, number, is_playing=True, open_hand=0)
        svg = svg_of(draw_replay(playback, *README_SIZE, FELT), "Draw")
        film.append(Image.open(BytesIO(svg_to_bytes(svg_string=svg, width=README_PIXELS))).convert("RGB"))
    colours = film[-2].quantize(64)
    film = [picture.quantize(palette=colours, dither=Image.Dither.NONE) for picture in film]
    milliseconds = [1500, *[900] * (len(film) - 2), 5000]
    film[0].save(FOLDER.parent / "table.gif", save_all=True, append_images=film[1:], duration=milliseconds, loop=0)


def main() -> None:
    """Draw everything, or the named screenshots; with `--fill`, measure how games fill their windows.

    With `--one-of-each`, draw a game of each family into a temporary folder.
    """
    if sys.argv[1:] == [ONE_OF_EACH]:
        folder = Path(mkdtemp(prefix="boneyard-gallery-"))
        asyncio.run(draw([*SAMPLE], folder))
        sys.stdout.write(f"Look at each picture in {folder}.\n")
        return
    measures_fill = FILL_OPTION in sys.argv[1:]
    known_names = [*GAMES] if measures_fill else [*GAMES, *OTHERS, README]
    names = [name for name in sys.argv[1:] if name != FILL_OPTION]
    if unknown := [name for name in names if name not in known_names]:
        sys.exit(f"boneyard: there is no picture of “{unknown[0]}”; choose some of: {', '.join(known_names)}.")
    if measures_fill:
        for line in report(names or known_names):
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
        return
    names = names or known_names
    if README in names:
        draw_readme()
    asyncio.run(draw([name for name in names if name != README]))


if __name__ == "__main__":
    main()
