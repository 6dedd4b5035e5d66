"""Taking back: how far a seat may go back in the round that is played, and the match as it is then."""

from collections.abc import Collection

from msgspec.structs import replace

from core.actions import Action, Bury, Drew, Event, TakenBack
from core.match import MOST_ACTIONS, Match
from core.words import Illegal, words


def last_choice(match: Match, seat: int, people: Collection[int]) -> tuple[Match, Action]:
    """Return the moment at which a seat last had a choice in this round, and what it chose.

    Raises Illegal, with a sentence for that player, where it cannot go back there: `people` are the seats whose tiles
    must not have come from the boneyard since, besides its own. Who plays alone may always go back. What bots have
    seen does not matter: they forget it.
    """
    if match.state is None or match.over or match.state.result:
        raise Illegal(words("The hands are shown at the end of a round; nothing can be taken back then."))
    if match.actions >= MOST_ACTIONS:  # else a record could grow without end
        raise Illegal(words("This match has gone on for too long to take anything back."))
    at = next((at for at in reversed(range(len(match.past))) if _chose(match.past[at][0], seat)), None)
    if at is None:
        raise Illegal(words("You have not had a choice in this round that you could take back."))
    before, action = match.past[at]
    if isinstance(action, Bury):  # all would be told which tile it was
        raise Illegal(words("You have put a tile away; that cannot be taken back."))
    since = match.history[len(before.history) :] if match.rules.seats > 1 else ()  # alone, nobody is wronged
    drew = [event.seat for event in since if isinstance(event, Drew)]
    if seat in drew:
        raise Illegal(words("You have drawn a tile since; that cannot be taken back."))
    for other in drew:
        if other in people:
            raise Illegal(words("{seat} has drawn a tile since; that cannot be taken back.", seat=other))
    return replace(before, past=match.past[:at], actions=match.actions + 1), action


def take_back(match: Match, seat: int, people: Collection[int]) -> tuple[Match, tuple[Event, ...]]:
    """Return the match as it was before a seat last had a choice, and what is told of that.

    Only the count of actions goes on. Raises Illegal as `last_choice` does.
    """
    after, action = last_choice(match, seat, people)
    return after, (TakenBack(seat, action),)


def undone(match: Match, after: Match) -> int:
    """Return how many actions of a match were taken back to get to where it is `after`."""
    return len(match.past) - len(after.past)


def _chose(before: Match, seat: int) -> bool:
    return before.turn == seat and len(before.legal) > 1
