"""Sessions of guests on a terminal, which continue after a screen has crashed."""

import logging
import secrets
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import partial
from urllib.parse import urlsplit

from msgspec.structs import replace

from net.client.client import Client
from net.client.discovery import address_for_others
from net.doors.terminal import Identity, SessionOver, Terminal, visitor
from net.host.access import network_of
from net.host.guest_server import CLOSED, GuestServer, InProcessGuest, ScheduledLink
from net.host.reviewing import Coach
from net.hosting.garbage_collector import GarbageCollector
from net.logs import fields
from net.loop import BackgroundWork, LoopScheduler, enter_background
from net.options import DoorOptions, is_loopback
from net.scheduler import Bucket, FullError, Work, new_owner
from net.wire.link import Link
from net.wire.messages import MakeTable, Sit, Watch
from themes import DEFAULT_THEME, BadTheme
from tui.app import BoneyardApp, show_again
from tui.i18n import _, begin_session, language_of, translate
from tui.model.look import Look, look_for_terminal
from tui.pictures import can_paint
from tui.serve.deep_links import LessonLink, MatchLink, Show, WebPages, learn, replay, target_of
from tui.serve.plain_session import serve_lines
from tui.terminal.app import run_app
from tui.terminal.page_notes import PageNotifier

log = logging.getLogger(__name__)


class SessionServer:
    """Sessions of all terminals and links of one server."""

    def __init__(
        self,
        server: GuestServer,
        door: DoorOptions,
        software: str,
        scheduler: LoopScheduler | None = None,
    ) -> None:
        self.server = server
        self._door = door
        self._bad_theme = ""
        """Last logged error of the theme."""
        self._software = software
        self._scheduler = scheduler or LoopScheduler()
        self.garbage_collector = GarbageCollector(self._scheduler)
        self.pages = WebPages(server)
        self._coach = Coach(server.thinkers.workers) if server.thinkers else None
        """Shared by all guests, so that reviews take one process at most."""

    async def on_terminal(self, identity: Identity, terminal: Terminal) -> None:
        """Serve screens or plain text to a guest who has only `ssh`, with a client on a link in memory."""
        begin_session(language_of(terminal.env))
        try:
            last_word = await (self._serve_lines if terminal.lines else self._serve_screens)(identity, terminal)
        except FullError:
            last_word = _("Too many people are logging in right now; try again in a minute.")
        if terminal.tell is not None:
            terminal.tell(SessionOver(last_word, again=self.server.closed and self.server.returns))
        elif last_word:
            terminal.write(f"{last_word}\r\n")

    async def _serve_screens(self, identity: Identity, terminal: Terminal) -> str:
        """Show screens to a guest until they leave; return the farewell."""
        await terminal.ask(pictures=self._door.pictures and can_paint())
        look = self.look_for(terminal)
        with self.garbage_collector.count_session(), terminal.hold_screen():
            async with AsyncExitStack() as opening:
                await opening.enter_async_context(self._opening_turn(identity))
                opening.callback(self._end_opening, enter_background())
                owner = new_owner()
                show = partial(
                    run_app,
                    terminal=terminal,
                    scheduler=self._scheduler,
                    owner=owner,
                    on_ready=opening.aclose,
                )
                target, message = await self._follow_link(terminal.path, look, show)
                last_word = await self._serve(identity, terminal, look, show, owner, target, message)
        if not last_word and self.server.closed:
            return translate(CLOSED)  # their terminal ended before the host's goodbye came over their link
        return last_word or ""

    async def _follow_link(self, path: str, look: Look, show: Show) -> tuple[MakeTable | Sit | Watch | None, str]:
        """Follow a deep link: show a match or lesson; return the table to join, and the message to show there."""
        match target_of(path):
            case MatchLink() as link:
                return None, await replay(link, self.server, show, look, self._coach)
            case LessonLink():
                return await learn(show, look, self.server.thinkers), ""
            case target:
                return target, ""

    def _opening_turn(self, identity: Identity) -> AbstractAsyncContextManager[None]:
        network = network_of(identity.address)
        return self._scheduler.turn(Work.OPENING, self._scheduler.owner(Work.OPENING, network))

    def _end_opening(self, background: BackgroundWork) -> None:
        """End the background work of a screen that has opened or failed to open, and record its cost."""
        background.end()
        self._scheduler.metrics.record_cost(Work.OPENING, background.cpu_seconds)

    def look_for(self, terminal: Terminal) -> Look:
        """Return the operator's theme on a guest's terminal, or the default theme while its file is unreadable."""
        look = partial(
            look_for_terminal,
            terminal.name,
            terminal.env,
            ascii=terminal.ascii,
            cell=terminal.cell,
            touched=terminal.touched,
        )
        try:
            return look(self._door.theme)
        except BadTheme as error:
            if (error_text := str(error)) != self._bad_theme:  # once per edit, not per guest
                self._bad_theme = error_text
                log.warning("bad-theme", extra=fields(theme=self._door.theme, why=error_text))
            return look(DEFAULT_THEME)

    async def _serve_lines(self, identity: Identity, terminal: Terminal) -> str:
        """Converse with a guest who asked for plain text. The conversation shows the farewell itself."""
        with self.garbage_collector.count_session():
            async with self._opening_turn(identity):
                pass  # a plain session is cheap, but must not open faster than a screen
            target = target_of(terminal.path)
            await serve_lines(
                self.server,
                visitor(identity),
                terminal,
                software=self._software,
                port=identity.port,
                places=self._host_addresses(identity, terminal.link),
                scheduler=self._scheduler,
                target=target if isinstance(target, MakeTable | Sit | Watch) else None,
            )
        return ""

    async def _serve(
        self,
        identity: Identity,
        terminal: Terminal,
        look: Look,
        show: Show,
        owner: Bucket,
        target: MakeTable | Sit | Watch | None,
        message: str,
    ) -> str | None:
        """Run the guest's client and its screens until they leave; return the farewell."""
        wrap = partial(ScheduledLink, scheduler=self._scheduler, owner=owner)
        async with InProcessGuest(self.server, visitor(identity), wrap) as guest:
            client = Client(guest.link, self._software, entropy=secrets.token_bytes)
            client.port, client.destination = identity.port, target
            client.places = self._host_addresses(identity, terminal.link)
            client.link = "" if is_loopback(_host_in(terminal.link)) else terminal.link
            page_notifier = PageNotifier(client, terminal.tell) if terminal.tell else None

            def make_app(error_message: str) -> BoneyardApp:
                if page_notifier is not None:
                    client.subscribe(page_notifier.handle)
                return BoneyardApp(
                    client,
                    look,
                    error_message=error_message,
                    converse=partial(guest.converse, client),
                    thinkers=self.server.thinkers,
                    review_worker=self._coach.compute if self._coach else None,
                    terminal=terminal.name,
                )

            return await show_again(
                client,
                make_app,
                show,
                lambda: terminal.ended or self.server.closed,
                error_message=message,
                user=identity.user,
                key=identity.key,
            )

    def _host_addresses(self, identity: Identity, link: str) -> tuple[tuple[str, int], ...]:
        """Return the host's address with its port; empty if the address is unknown.

        The operator's choice comes first, then the address that the guest dialled by ssh or in a browser (`link`),
        unless a proxy is in between. For a guest who came through a tunnel, or from this machine, it is the machine's
        own address.
        """
        door, port = self._door, identity.port or self._door.port
        dialled_address = _host_in(link) if link and door.web and not door.web.url else identity.reached
        address = door.address or address_for_others(dialled_address, door.bind)
        return ((address, port),) if address and port else ()

    async def on_link(self, identity: Identity, link: Link) -> None:
        """Serve a guest who came with `boneyard join`."""
        await self.server.serve(link, replace(visitor(identity), joined=True))


def _host_in(link: str) -> str:
    """Return the host of a URL; empty if the text has none."""
    return urlsplit(link).hostname or ""
