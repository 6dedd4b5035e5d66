"""A host for the tests that survives its own death: changes are written to disk before they are sent."""

from net.players.accounts import Accounts
from net.storage.sqlite import Store
from net.table.persistence import Batch
from net.wire.messages import MakeTable, Sit
from tests.net.party import Party


class StoredParty(Party):
    """A party whose every change is written to a store before it is sent."""

    def __init__(self, data, **options):
        self.data = data
        self.disk = Store(data)
        loaded = self.disk.load()
        super().__init__(accounts=Accounts(loaded.account_entries), last_table=loaded.last_table, **options)
        for snapshot, lines in loaded.tables:
            self.lobby.resume(snapshot, lines)

    def deliver(self, effects):
        self.disk.write(Batch(list(effects.changes), list(effects.account_entries)))
        super().deliver(effects)

    def kill_and_resume(self):
        """Kill the host; return the one that resumes from its disk."""
        self.disk.close()
        return StoredParty(self.data, new_secret=iter([b"another secret"] * 100).__next__)


def begin_match(host, **wish):
    """Let two players begin a short match; return the number of its table."""
    host.come(1, "ada", "key A")
    host.come(2, "bela", "key B")
    host.say(1, MakeTable("draw", 2, {"target": 50}, **wish))
    host.say(2, Sit(host.update(1).table.id, host.update(1).code))
    return host.update(1).table.id
