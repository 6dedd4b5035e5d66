"""Why some tiles are well laid together: who could beat them, and what they are worth to keep."""

from core.actions import Action
from core.bots.combos import cost, sight_of, sure, tiles_of
from core.bots.reasons.parts import Reasons
from core.bots.rules import rules_of
from core.combos.actions import Beat, Hide
from core.combos.state import ComboView
from core.match import MatchView
from core.words import several_words, words


def reasons_in_combos(match: MatchView, view: ComboView, action: Action) -> Reasons:
    """Return what speaks for a lead, for beating, or for what is hidden."""
    sight, tiles = sight_of(rules_of(match), view), tiles_of(action)
    least = min(cost(sight, tiles_of(each)) for each in view.legal if type(each) is type(action))
    if isinstance(action, Hide):
        return Reasons([words("gives away what serves you least")] if cost(sight, tiles) == least else [])
    deeds = []
    if sure(sight, tiles):
        deeds.append(words("cannot be beaten"))
        size = len(tiles)
        deeds.append(several_words("takes a trick", "takes {count} tricks at once", size))
    elif isinstance(action, Beat) and cost(sight, tiles) == least:
        deeds.append(words("beats it as cheaply as you can"))
    elif cost(sight, tiles) == least:
        deeds.append(words("risks only what serves you least"))
    return Reasons(deeds)
