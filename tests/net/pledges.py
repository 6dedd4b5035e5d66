"""Two players who add their shares to the deals of a match: pledged, revealed, and played to the end."""

from core.fair import commit
from net.wire.messages import MakeTable, Reveal, Sit
from tests.net.party import Party

SHARES = [bytes([n]) * 32 for n in range(4)]


def couple():
    """Return a lobby with ada and bela whose secrets are known."""
    party = Party(new_secret=iter([b"first secret", b"second secret", b"third secret"]).__next__)
    party.come(1, "ada")
    party.come(2, "bela")
    return party


def pledged(party, **wish):
    """Let both sit down with a pledge; no share is revealed yet."""
    party.say(1, MakeTable("draw", 2, {"target": 50}, pledge=commit(SHARES[1]), **wish))
    table = party.update(1).table.id
    party.say(2, Sit(table, pledge=commit(SHARES[2])))
    return party.at(table)


def finished(party):
    table = pledged(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    party.play_out(1, 2)
    return table
