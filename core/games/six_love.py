"""Six Love, the Jamaican game: hands are counted, not pips, to six or to six in a row (`docs/rules` §C.7)."""

from functools import partial
from typing import Literal

from core.actions import RoundOver, Term
from core.layout.blocking import last_tile, winner_of
from core.layout.policies import equal_halves, highest_double, previous_winner, two_ends
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, UNLIMITED, Drawing, Ending, Goal, Opening, RoundContext, Start, State
from core.tiles import Hand, full_set
from core.variant import Option, Options, Variant
from core.words import BadOption, RoundEnd, phrase, words

TARGET = 6
MatchKind = Literal["first", "love"]


def choose_leader(hands: tuple[Hand, ...], context: RoundContext) -> Opening:
    """The last winner leads; while all scores are 0, and after a hand that nobody won, the highest double does."""
    return previous_winner(hands, context) if any(context.scores) else highest_double(hands, context)


def settle(state: State, *, sides: int, key: int, match: MatchKind, one_all: bool) -> RoundOver:
    """A hand won is a point; in a match of love it may set the others back to 0 instead."""
    winner, tied = winner_of(state, sides)
    how: RoundEnd = "out" if () in state.hands else "blocked"
    sums: list[tuple[Term, ...]] = [()] * sides
    if winner != NOBODY:
        side, scores = winner % sides, state.before.scores or (0,) * sides
        win_term = Term("out" if how == "out" else "block", winner, 1)
        rivals = [score for other, score in enumerate(scores) if other != side]
        if match == "first" or not any(rivals):
            sums[side] = (win_term, Term("key", winner, key - 1)) if key > 1 and is_key(state) else (win_term,)
        elif one_all and sum(rivals) == 1 and scores[side] < 2:
            sums = [
                () if other == side or not scores[side] else _reset_term(score) for other, score in enumerate(scores)
            ]
            sums[side] = (win_term,)
        else:
            sums = [_reset_term(score) for score in scores]
    return RoundOver(how, winner, state.hands, tuple(sums), tied)


def is_key(state: State) -> bool:
    """Return True if the last tile fitted two different ends, and no other hand has a tile for either."""
    last = last_tile(state) if () in state.hands else None
    if last is None or last.matched_end == last.other_end or not last.also_fitted_other_end:
        return False
    return not any(last.matched_end in tile or last.other_end in tile for hand in state.hands for tile in hand)


def _reset_term(score: int) -> tuple[Term, ...]:
    """Return the term that sets a score back to 0."""
    return (Term("reset", NOBODY, -score),) if score else ()


def _build(players: int, options: Options) -> LayoutRules:
    is_love_match, one_all = options["sl.match"] == "love", options["sl.one_all"] == "yes"
    if one_all and not is_love_match:
        raise BadOption(words("sl.one_all=yes needs sl.match=love."))
    sides = 2 if players == 4 and options["partners"] == "yes" else players
    two_players_hand = int(options["sl.two"])
    tiles = full_set(6)
    return LayoutRules(
        tiles=tiles[1:] if players == 3 else tiles,
        seats=players,
        sides=sides,
        start=Start(hand={2: two_players_hand, 3: 9, 4: 7}[players], opener=choose_leader),
        meets=equal_halves,
        opens=two_ends,
        ending=Ending(
            partial(settle, sides=sides, key=int(options["sl.key"]), match=_MATCH_OPTION.of(options), one_all=one_all)
        ),
        goal=Goal(target=TARGET, shutout="six_love"),
        drawing=Drawing(max_per_turn=UNLIMITED if players == 2 and two_players_hand == 7 else 0),
    )


_MATCH_OPTION: Option[MatchKind] = Option("sl.match", ("first", "love"), "how six rounds win the match")

SIX_LOVE = Variant(
    id="six-love",
    name=phrase("Six Love"),
    pitch=phrase("The Jamaican game: every round is one point, and the first with six wins."),
    brief=phrase("rounds, not pips"),
    seats=(2, 4),
    options=(
        Option("partners", ("yes", "no"), "four players as two pairs"),
        _MATCH_OPTION,
        Option("sl.one_all", ("no", "yes"), "losing at one to zero"),
        Option("sl.key", (1, 2), "what a key is worth"),
        Option("sl.two", (7, 14), "tiles for each of two players"),
    ),
    build=_build,
)
