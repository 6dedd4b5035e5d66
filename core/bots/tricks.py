"""How the greedy bot plays a trick game: it bids better than the baseline, and plays its tiles as that does."""

from core.actions import Action, Bid, Name, Pass
from core.bots.alone import alone_in_tricks
from core.bots.baseline import baseline_in_tricks, cost
from core.family import Rules
from core.tricks.state import MARK, TrickView, worth

OUTBID, OUTBID_PARTNER = 4, 5
"""Points by which the bot bids more than its hand is worth to outbid opponents, or less to outbid its partner."""
SURE = 3
"""The bot bids two marks if it expects to lose fewer points than these."""
TWO_MARKS = Bid(MARK, 2)


def greedy_with(rules: Rules, view: TrickView) -> Action:
    """Play as partners do, or alone where there are none."""
    return greedy_in_tricks(view) if rules.sides < rules.seats else alone_in_tricks(view, rules.tiles)


def greedy_in_tricks(view: TrickView) -> Action:
    """Bid what the hand is worth with its best trump; the rest as `core.bots.baseline`."""
    return _bid(view) if view.bid is None else baseline_in_tricks(view)


def _bid(view: TrickView) -> Action:
    """The lowest bid that is not above what the hand is worth, since a higher one of one mark pays no more.

    The bid of the opponents would cost a mark too, so it is raised with less; the partner's with more. Two marks
    are for a hand that is nearly sure of every trick.
    """
    names = [Name("number", number) for number in range(view.highest + 1)]
    names += [Name("doubles"), Name("follow_me")]
    most = MARK - min(cost(view.hand, name) for name in names)
    bids = [action for action in view.legal if isinstance(action, Bid) and not action.kind]
    lowest = min(bids, key=worth)
    standing = max(view.calls, key=lambda call: worth(call.bid), default=None)
    if standing and standing.bid:
        most += -OUTBID_PARTNER if standing.seat % 2 == view.seat % 2 else OUTBID
    elif most > MARK - SURE and TWO_MARKS in bids:
        return TWO_MARKS
    if worth(lowest) <= most or Pass() not in view.legal:
        return lowest
    return Pass()
