"""Two players who add their shares to the deals of a match: pledged, revealed, and played to the end."""

from core.fair import commit
from net.wire.messages import MakeTable, Reveal, Sit
from tests.net.party import Party

SHARES = [bytes([n]) * 32 for n in range(4)]


def party_with_known_secrets():
    """Return a lobby of a host whose secrets are known, with ada and bela."""
    party = Party(new_secret=iter([b"first secret", b"second secret", b"third secret"]).__next__)
    party.come(1, "ada")
    party.come(2, "bela")
    return party


def sit_down_with_pledges(party, **wish):
    """Let both sit down with a pledge at a new table; no share is revealed yet."""
    party.say(1, MakeTable("draw", 2, {"target": 50}, pledge=commit(SHARES[1]), **wish))
    number = party.update(1).table.id
    party.say(2, Sit(number, pledge=commit(SHARES[2])))
    return party.get_table(number)


def play_with_shares(party):
    """Play a match with revealed shares to its end; return its table."""
    table = sit_down_with_pledges(party)
    party.say(1, Reveal(SHARES[1].hex()))
    party.say(2, Reveal(SHARES[2].hex()))
    party.play_out(1, 2)
    return table
