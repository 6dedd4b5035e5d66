"""The server of a gateway in a cluster: it is the front for its guests, and brings them to the hosts of their tables.

A guest's client talks to its gateway all the time. What it says at a table goes to that table's host as it is, and so
does what the host says to it; the gateway reads only where that puts the guest.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Set
from contextlib import asynccontextmanager
from itertools import count
from time import monotonic

from core.options import Value
from core.words import Illegal, Refusal, Words, words
from net.cluster.directory import Directory
from net.cluster.lines import Open
from net.cluster.visits import Asked, Here, Visits
from net.host.front import Front, LostTables
from net.host.listing import Listing
from net.host.login import Login, not_theirs
from net.host.news import News
from net.host.presence import Presence, Visitor
from net.host.server import CLOSING
from net.host.thinkers import Thinkers
from net.logs import fields
from net.loop import LoopScheduler
from net.players.codes import new_code
from net.table.table import Outbox
from net.wire.codec import WireError, unpack
from net.wire.link import LineLost, Link
from net.wire.messages import (
    Bye,
    Enter,
    Goodbye,
    Leave,
    MakeTable,
    Refused,
    Sit,
    ToHost,
    Watch,
)

log = logging.getLogger(__name__)


class _Names:
    """The names of keys that are connected, as the cluster remembers them; whose a name is, the directory decides."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    def name_of(self, token: str) -> str:
        return self.of.get(token, "")

    def owner_of(self, _name: str) -> str:
        return ""

    def remember(self, token: str, name: str) -> None:
        self.of[token] = name


class FrontServer:
    """A `net.host.game_server.GameServer` whose tables are on other machines."""

    def __init__(
        self,
        directory: Directory,
        open_line: Open,
        *,
        software: str,
        house_rules: Mapping[str, Mapping[str, Value]] | None = None,
        thinkers: Thinkers | None = None,
        moves: LoopScheduler | None = None,
        clock: Callable[[], float] = monotonic,
        codes: Callable[[int], str] = new_code,
    ) -> None:
        """`open_line` opens a line to a table host; `moves` hears of moves of which guests here are told.

        The rest is as for `net.host.lobby.Lobby`.
        """
        self.thinkers = thinkers
        self.closed = False
        self._directory = directory
        self._bans = frozenset(directory.bans)
        self._clock = clock
        self._listing = Listing()
        self._names = _Names()
        login = Login(self._names, codes, software, house_rules or {})
        self._front = Front(login, lambda: self._listing, LostTables(), clock)
        self._visits = Visits(directory, open_line, self._front, moves or LoopScheduler())
        self._news = News(self._front.news, self._visits.send)
        self._numbers = count(1)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Follow the directory and keep lines to all table hosts until the block ends; everybody is told goodbye."""
        stop = self._directory.on_change(self._changed)
        self._changed(frozenset(self._directory.tables))
        try:
            yield
        finally:
            self.close()
            stop()
            await self._visits.aclose()

    def close(self) -> None:
        """Tell everybody goodbye and close all links; `serve` calls then return."""
        self.closed = True
        self._news.close()
        for here in self._visits.here.values():
            here.tell(Bye(CLOSING, again=True))
            here.end()

    @property
    def present(self) -> Mapping[int, Presence]:
        """Everybody who is connected to this gateway, by connection."""
        return self._front.present

    def remove_players(self, kind: str, value: str, reason: Words) -> None:
        """Say goodbye to everybody with this `key`, `address` or `name`, as `kind` says."""
        for here in list(self._visits.here.values()):
            if here.presence.shows(kind, value):
                here.tell(Bye(reason))
                here.end()

    def expects(self, token: str) -> bool:
        """Whether a seat is kept for a token somewhere in the cluster."""
        return bool(token) and self._listing.kept_for(token) >= 0

    async def serve(self, link: Link, visitor: Visitor) -> None:
        """Serve one connection until it ends; its seat is kept. The link is closed at the end."""
        connection = next(self._numbers)
        self._front.connect(connection, visitor)
        here = self._visits.here[connection] = Here(connection, link, self._front.present[connection])
        try:
            if visitor.key:
                self._names.of[visitor.key] = await self._directory.name_of(visitor.key)
            while (payload := await link.receive()) is not None and not self.closed:
                await self._take(here, unpack(payload, ToHost), payload)
                await asyncio.sleep(0)  # one message of each guest at a time
        except WireError as error:
            log.info("no-message", extra=fields(address=visitor.address, error=error))
            here.tell(Bye(words("That was not a Boneyard message, so the connection was closed.")))
        except LineLost:
            pass
        except OSError as error:
            log.error("no-directory", extra=fields(error=error))
            here.tell(Bye(words("The host cannot ask its database right now. Come again in a moment."), again=True))
        finally:
            link.close()
            await self._forget(here)

    async def _forget(self, here: Here) -> None:
        self._visits.forget(here)
        self._front.disconnect(here.connection)
        others, key = self._visits.here.values(), here.presence.visitor.key
        if not any(other.presence.visitor.key == key for other in others):
            self._names.of.pop(key, None)
        if here.claimed and not any(other.claimed == here.claimed for other in others):
            await self._directory.release_name(here.claimed)

    # What guests say

    async def _take(self, here: Here, message: ToHost, payload: bytes) -> None:
        try:
            if isinstance(message, Enter) and self._may_claim(here):
                await self._claim(here, message)
            out = self._front.receive(here.connection, here.presence, message)
            if out is None:
                out = await self._to_tables(here, message, payload)
        except Refusal as refusal:
            out = [(here.connection, Refused(refusal.reason))]
        self._visits.send(out)

    def _may_claim(self, here: Here) -> bool:
        """Whether a guest may ask for a name now; one who asks too fast does not reach the database."""
        presence = here.presence
        return presence.guest is None and presence.greeted and not presence.messages.empty(self._clock())

    async def _claim(self, here: Here, message: Enter) -> None:
        """Make a name theirs in the whole cluster. Raises Illegal when it is somebody else's."""
        visitor = here.presence.visitor
        name, token = self._front.wish(here.presence, message.name)
        if owner := await self._directory.claim_name(token, name, remember=bool(visitor.key)):
            raise Illegal(not_theirs(name, owner, visitor.port))
        here.claimed = token

    async def _to_tables(self, here: Here, message: ToHost, payload: bytes) -> Outbox:
        match message:
            case Sit(table=number) | Watch(table=number):
                await self._visits.go(here, Asked(number, payload))
                return []
            case MakeTable():
                await self._visits.open_table(here, payload)
                return []
            case Goodbye() if not here.at:
                return [(here.connection, Bye())]
            case Leave() if not here.at:
                self._visits.send_back(here, None)
                return []
        if here.at:
            await self._visits.say(here, payload)
        elif not here.presence.table:  # else it is interrupted, and what is said meanwhile is lost
            raise Illegal(words("You are not at a table."))
        return []

    def _changed(self, numbers: Set[int]) -> None:
        """Take in what is different in the cluster."""
        for number in numbers:
            listed = self._directory.tables.get(number)
            self._listing.drop(number) if listed is None else self._listing.put(listed.info, listed.tokens)
        bans, self._bans = self._bans, frozenset(self._directory.bans)
        for who in self._bans - bans:
            for kind in ("key", "address"):
                self.remove_players(kind, who, words("You are banned from this host."))
        self._visits.changed(numbers)
        self._news.changed()
