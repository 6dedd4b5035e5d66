"""A host for the tests that outlives its own death: nobody is told of a change before it is on disk."""

from net.players.accounts import Accounts
from net.storage.sqlite import Store
from net.table.persistence import Batch
from net.wire.messages import MakeTable, Sit
from tests.net.party import Party


class StoredParty(Party):
    """A party whose every change is written to a store before anybody is told."""

    def __init__(self, data, **options):
        self.data = data
        self.disk = Store(data)
        loaded = self.disk.load()
        super().__init__(accounts=Accounts(loaded.people), last_table=loaded.last_table, **options)
        for kept, lines in loaded.tables:
            self.lobby.resume(kept, lines)

    def deliver(self, effects):
        self.disk.write(Batch(list(effects.changes), list(effects.people)))
        super().deliver(effects)

    def killed(self):
        """The same host in another life, from what is on disk; nothing was put in order before."""
        self.disk.close()
        return StoredParty(self.data, seeds=iter([b"another secret"] * 100).__next__)


def began(house, **wish):
    """Have two players begin a short match; return its table."""
    house.come(1, "ada", "key A")
    house.come(2, "bela", "key B")
    house.say(1, MakeTable("draw", 2, {"target": 50}, **wish))
    house.say(2, Sit(house.update(1).table.id, house.update(1).code))
    return house.update(1).table.id
