"""Apps on a host, driven by Textual's pilot over links in memory."""

from contextlib import asynccontextmanager

from rich.cells import cell_len

from net.client.client import Client
from net.host.presence import Visitor
from tests.net.local_host import LocalHost, local_host
from tests.tui.served_pilot import served
from tests.tui.tables import DARK
from tests.waiting import until
from tui.app import BoneyardApp
from tui.board.canvas import Picture


class AppHost(LocalHost):
    """A local host whose guests are apps under test."""

    @asynccontextmanager
    async def guest(self, user="", *, look=DARK, size=(80, 24), token="", is_local=False, **options):
        """Yield a guest: an app and its pilot."""
        link, _ = self.link(Visitor(user, token or user))
        app = BoneyardApp(Client(link, "test"), look, **options)
        try:
            async with served(app, size, is_local=is_local) as pilot:
                yield Guest(app, pilot)
        finally:
            link.close()


class Guest:
    """An app, its screen as text, and its keys."""

    def __init__(self, app, pilot):
        self.app = app
        self.pilot = pilot

    @property
    def text(self):
        """The screen as it is painted."""
        return "\n".join(
            "".join(text for text, _ in row).rstrip() for row in getattr(self.app.screen, "picture", Picture(())).rows
        )

    @property
    def update(self):
        return self.app._client.update

    async def press(self, *keys):
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def resize(self, columns, rows):
        """Change the window's size, and wait until the screen is drawn for it."""
        await self.pilot.resize_terminal(columns, rows)
        await self.until(lambda: self.drawn_size == (columns, rows), f"a screen of {columns}×{rows}:\n{{}}")

    @property
    def drawn_size(self):
        """Columns and rows of the picture that fills the screen."""
        rows = self.app.screen.picture.rows
        return sum(cell_len(text) for text, _ in rows[0]) if rows else 0, len(rows)

    async def wait_for(self, *texts):
        """Wait until all these texts are on the screen."""
        await self.until(lambda: all(text in self.text for text in texts), f"{texts} on\n{{}}")

    async def until(self, holds, what="it"):
        """Wait until a condition holds; an error shows the screen in place of `{}` in `what`."""

        async def held():
            return holds() or await self.pilot.pause() or holds()

        try:
            await until(held)
        except TimeoutError:
            raise AssertionError(f"never saw {what.format(self.text)}") from None


def app_host(**options):
    """Run a host with apps for one test, like `local_host`."""
    return local_host(AppHost, **options)


async def sit_together(ada, bela, table=None):
    """Let two guests enter, the first open `table`, or else that of the default form, and the second sit down."""
    await ada.wait_for("What name will you play under?")
    await ada.press("enter")
    await bela.press("enter")
    await ada.wait_for("No table is open yet")
    if table:
        ada.app._client.make_table(table)
    else:
        await ada.press("n", "enter")
    await bela.wait_for("ada's table")
    await bela.press("enter")
    await ada.wait_for("round 1")
    await bela.wait_for("round 1")


async def play_to_the_end(*guests):
    """Play a match up to its last result."""
    first = guests[0]
    await first.until(lambda: first.update and first.update.match)
    while not first.update.match.over:
        for guest in guests:
            play = guest.update.match.play
            if play.result or play.turn == guest.update.seat:
                await guest.press("enter")
        await first.pilot.pause()
    for guest in guests:
        await guest.wait_for("how the match went")
