"""A solo player without screens: server, storage and client, over a link in memory."""

import asyncio
from contextlib import asynccontextmanager

from net.client.client import Client
from net.host.lobby import Lobby
from net.host.presence import Visitor
from net.host.server import Server
from net.players.accounts import Accounts
from net.storage.solo_storage import MatchStorage
from net.table.table import INSTANT
from net.wire.link import memory_pair
from net.wire.messages import Greeting, MakeTable
from tests.waiting import until

SHORT = MakeTable("draw", 2, {"target": 50}, levels=("easy",))


class SoloPlayer:
    """The player's client, and the reasons why matches could not be saved."""

    def __init__(self, storage, problems, client, server):
        self.storage = storage
        self.problems = problems
        self.client = client
        self.server = server

    @property
    def match(self):
        return self.client.update and self.client.update.match

    async def play_until(self, condition):
        """Take the first legal action again and again, until `condition` is true for the match."""
        await until(lambda: self.match)
        while not condition(self.match):
            update = self.client.update
            if self.match.play.legal:
                self.client.act(self.match.play.legal[0])
            elif self.match.play.result:
                self.client.ready()
            await until(lambda seen=update: self.client.update is not seen)


@asynccontextmanager
async def solo_player(data, wish=SHORT, path=None, entropy=None, says_goodbye=True):
    """Sit down at a new table, or at that of the match at `path`; without `says_goodbye` the player is killed."""
    problems = []
    storage = MatchStorage(data, problems.append, path=path)
    lobby = Lobby(Accounts(), new_secret=lambda: b"a seed for tests", software="test", pace=INSTANT)
    number = 0
    if path:
        snapshot, lines = storage.load()
        lobby.resume(snapshot, lines)
        number = snapshot.id
    server = Server(lobby, storage)
    ours, theirs = memory_pair()
    client = Client(ours, "test", entropy=entropy)
    async with asyncio.TaskGroup() as group:
        group.create_task(server.serve(theirs, Visitor(resume="alone")))
        group.create_task(client.run())
        player = SoloPlayer(storage, problems, client, server)
        client.subscribe(lambda message: client.enter("ada") if isinstance(message, Greeting) else None)
        await until(lambda: client.name)
        client.sit(number) if number else client.make_table(wish)
        try:
            yield player
        finally:
            if says_goodbye:
                client.goodbye()
                await until(lambda: not lobby.present or lobby.present[1].table == 0)
            under_way = any(table.recorded.in_progress for table in lobby.tables.values())
            server.close()
            ours.close()
            if says_goodbye:
                storage.close(keep=under_way)
