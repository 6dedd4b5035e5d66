"""The hosts that are heard on the local network, and those joined before, to choose one from."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager

from textual.widgets import Input
from textual.worker import Worker

from net.client.discovery import FoundHost, listening
from tui.cli.arguments import BadUse, address_of
from tui.draw.lists import Row
from tui.draw.look import Look
from tui.i18n import _
from tui.model.keys import MOVES, Key
from tui.screens.base import Line, Listed, ListScreen, OneScreen
from tui.text.notices import Place, with_known

ADDRESS_LENGTH = 260
"""Characters of the longest name in the DNS, with a port."""

Listen = Callable[[Callable[[list[FoundHost]], None]], AbstractAsyncContextManager[None]]
"""Calls a function with all hosts that are heard, whenever one comes or goes, while a block runs."""


class HostsScreen(ListScreen[Place | None]):
    """Lists hosts while it is open; dismissed with the address and port of one, or None."""

    DEFAULT_CSS = "HostsScreen > Line { dock: bottom; }"
    KEYS = (*MOVES, Key("choose", "enter"), Key("address", "a"), Key("leave", "escape,q", leaves=True))
    HINTS = (("a", lambda: _("type an address")),)

    def __init__(self, look: Look, known: Sequence[Place] = (), listen: Listen = listening) -> None:
        """`known` are the addresses and ports of hosts that were joined before; `listen` hears others."""
        super().__init__(look)
        self._listens = listen
        self._known = known
        self._heard: list[FoundHost] = []
        self._problem = ""
        self._worker: Worker[None] | None = None

    def on_mount(self) -> None:
        """Begin to listen to the network."""
        self._worker = self.run_worker(self._listen())

    async def _listen(self) -> None:
        import asyncio  # noqa: PLC0415

        try:
            async with self._listens(self._changed):
                await asyncio.Event().wait()
        except OSError as error:
            self._problem = _("Cannot search the local network: {error}.", error=str(error))
            self.redraw()

    def _changed(self, heard: list[FoundHost]) -> None:
        chosen = self._hosts[self._chosen : self._chosen + 1]
        self._heard = heard
        hosts = self._hosts
        self._chosen = hosts.index(chosen[0]) if chosen and chosen[0] in hosts else 0
        self.redraw()

    @property
    def _hosts(self) -> list[FoundHost]:
        return with_known(self._heard, self._known)

    def listed(self, _width: int) -> Listed:
        """List the hosts."""
        rows = [Row((host.name, f"{host.address}:{host.port}")) for host in self._hosts]
        told = self._problem or _("Host not listed? Press a.")
        empty = _("Looking for hosts on the local network …")
        wrong = bool(self._problem)
        return Listed(_("hosts nearby"), rows, (36, 30), _("join"), told, wrong=wrong, empty=empty)

    @property
    def count(self) -> int:
        """How many hosts there are to choose from."""
        return len(self._hosts)

    def action_choose(self) -> None:
        """Take the chosen host; where there is none, ask for an address."""
        if hosts := self._hosts:
            host = hosts[self._chosen]
            self.dismiss((host.address, host.port))
        else:
            self.action_address()

    def action_address(self) -> None:
        """Open a line to type an address."""
        line = Line(placeholder=_("HOST or HOST:PORT; Escape cancels"), max_length=ADDRESS_LENGTH)
        line.set_look(self.look)
        self.mount(line)
        line.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the address, or say why it is none."""
        event.stop()
        try:
            self.dismiss(address_of(event.value.strip()))
        except BadUse as error:
            self._problem = error.message
            self.redraw()

    def action_leave(self) -> None:
        """Go back without a host; or leave the address unsaid."""
        if self.typing:
            self._problem = ""
            self.query(Line).remove()
            self.set_focus(None)
            self.redraw()
        else:
            super().action_leave()


class HostsApp(OneScreen[Place]):
    """Shows the hosts and returns the chosen one."""

    def __init__(self, look: Look, known: Sequence[Place] = (), listen: Listen = listening) -> None:
        """`known` and `listen` are as in `HostsScreen`."""
        super().__init__(HostsScreen(look, known, listen))
