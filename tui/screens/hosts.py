"""A list of hosts to join: those announced on the local network, and those joined before."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager, suppress

from core.lookup import normalise
from net.client.discovery import FoundHost, discover_hosts
from tui.failures import BadUse
from tui.i18n import _, pgettext
from tui.model.look import Look
from tui.screens.pick_list import Item, PickScreen
from tui.text.names import address_of, place_text
from tui.text.notices import Place, merge_hosts

Places = tuple[Place, ...]
"""The addresses of one host, in the order in which to try them."""
Listen = Callable[[Callable[[list[FoundHost]], None]], AbstractAsyncContextManager[None]]
"""Calls a function with all announced hosts, at each change, while the block runs."""


class HostsScreen(PickScreen[Places]):
    """Lists hosts, updated while it is open, and the typed address; dismissed with the places of a host."""

    def __init__(self, look: Look, joined_hosts: Sequence[Place] = (), listen: Listen = discover_hosts) -> None:
        """`joined_hosts` are addresses and ports; `listen` finds hosts on the local network."""
        super().__init__(
            look,
            _("servers nearby"),
            (),
            pgettext("a server", "join"),
            note=_("Server not listed? Type its address."),
            searches=True,
        )
        self._open_listener = listen
        self._joined_hosts = joined_hosts
        self._show_hosts([])

    def on_mount(self) -> None:
        self.run_worker(self._listen())

    async def _listen(self) -> None:
        import asyncio  # noqa: PLC0415

        try:
            async with self._open_listener(self._show_hosts):
                await asyncio.Event().wait()
        except OSError as error:
            self._warning = _("Cannot search the local network: {error}.", error=str(error))
            self.redraw()

    def _show_hosts(self, announced: list[FoundHost]) -> None:
        """List the hosts; keep the cursor on the chosen one."""
        chosen_item = self.chosen_item
        self._items = [
            Item(
                (host.name, place_text(host.address, host.port)),
                host.places,
                " · ".join((host.address, *host.others)),
            )
            for host in merge_hosts(announced, self._joined_hosts)
        ]
        self._matching_items = self.find_items(self._text_input.text)
        self._chosen = next(
            (row for row, item in enumerate(self._matching_items) if chosen_item and item.value == chosen_item.value),
            0,
        )
        self.redraw()

    def find_items(self, text: str) -> list[Item[Places]]:
        """Return the matching hosts and the typed address, last if a word of a host's name begins with it."""
        items = super().find_items(text)
        is_beginning_of_name = any(f" {normalise(text)}" in f" {normalise(item.cells[0])}" for item in items)
        with suppress(BadUse):
            address = address_of(text.strip())
            if not any(address in item.value for item in items):
                items.insert(
                    len(items) if is_beginning_of_name else 0,
                    Item((_("Join {host}", host=text.strip()), ""), (address,)),
                )
        return items

    @property
    def empty_text(self) -> str:
        try:
            address_of(self._text_input.text.strip())
        except BadUse as error:
            if self._text_input.text:
                return error.message
        return _("Looking for servers on the local network …")
