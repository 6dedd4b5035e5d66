"""The presenter of layout games."""

from functools import lru_cache
from operator import is_
from typing import cast

from core.actions import Drew, Passed, Play, PutDown
from core.layout.rules import LayoutRules
from core.layout.state import NOBODY, LayoutView, PlacedTile
from core.match import MatchView
from tui.board import draw_board
from tui.board.canvas import Picture, fit
from tui.board.lanes import MAX_TITLE_WIDTH
from tui.draw.results import draw_result
from tui.i18n import _, with_sign
from tui.model.choice import Choice, layout_choice
from tui.model.look import Look
from tui.model.presenter import Moment, Presenter, SeatFacts
from tui.text.layouts import compared_marks, has_boneyard, layout_event_sentence, layout_sentence, layout_title, marks


def _table(moment: Moment, width: int, height: int, look: Look) -> Picture:
    view, choice = cast("LayoutView", moment.view), cast("Choice | None", moment.choice)
    best, played = choice.play if choice else None, moment.played if isinstance(moment.played, Play) else None
    return draw_board(
        view.layout,
        marks(view, choice) if moment.played is None else compared_marks(view, choice, best, played),
        width,
        height,
        look.theme,
        largest=look.largest,
        ascii=look.ascii,
        glow=len(view.layout) - 1,
        highest=view.highest,
        shape=view.shape,
        titles=(*_lane_titles(moment, view, ascii=look.ascii), _("Mexican Train")) if view.shape == "lanes" else (),
        own_side=view.seat,
        sides=_sides_in_use(view),
        ghost=_ghost(view, best),
        rival=_ghost(view, played) if played and best and _end_of(played) != _end_of(best) else None,
        slide=moment.slide,
    )


def _end_of(play: Play) -> tuple[int, int]:
    return play.at, play.side


def _sides_in_use(view: LayoutView) -> tuple[int, ...]:
    """Return the sides of the first tile at which something lies or may be laid."""
    sides = {end.side for end in view.ends if end.at == 0} | {placed.side for placed in view.layout if placed.on == 0}
    return tuple(sorted(sides))


def _lane_titles(moment: Moment, view: LayoutView, *, ascii: bool) -> tuple[str, ...]:
    """Return the titles of the players' lanes: names, with tiles and scores if these appear nowhere else."""
    match = moment.update.match
    if match is None or not moment.lanes_have_scores:
        return moment.names
    titles = []
    tile_back, pointer = "|>" if ascii else "▌▶"
    for seat, (name, info) in enumerate(zip(moment.names, moment.update.table.seats, strict=True)):
        hand_count = moment.hand_count(seat)
        counts, score = view.counts[seat], match.scores[seat % len(match.scores)]
        numbers_text = (
            f"{hand_count.pips} {with_sign(hand_count.score)}"
            if hand_count
            else f"{tile_back}{counts} {with_sign(score)}"
        )
        numbers_text = " ".join(filter(None, (moment.grace_words(seat), numbers_text)))
        turn, shown_name = pointer if view.turn == seat else " ", f"({name})" if info.away else name
        name_width = MAX_TITLE_WIDTH - 2 - len(numbers_text)
        titles.append(f"{turn}{fit(shown_name, name_width):{name_width}} {numbers_text}")
    return tuple(titles)


def _ghost(view: LayoutView, play: Play | None) -> PlacedTile | None:
    """Return the tile of a play as it would lie; None while others are on turn."""
    if play is None or view.turn != view.seat:
        return None
    return PlacedTile(play.tile, play.at, play.side, play.out, view.seat)


def _seat_facts(match: MatchView, view: LayoutView) -> SeatFacts:
    last = {placed.seat: placed.tile for placed in view.layout if placed.seat != NOBODY}
    passed = any(isinstance(event, Passed) for event in match.history)
    boneyard = view.boneyard if has_boneyard(match, view) else -1
    return SeatFacts(last, _lacked_words(match, view) if passed else {}, boneyard)


class _LackKey:
    """A cache key: the events of a round up to the last one that shows which numbers a seat lacks.

    Keys with the same events are equal, so the lacks are computed once for these events, and not again for each tile
    laid.
    """

    def __init__(self, rules: LayoutRules, match: MatchView, view: LayoutView) -> None:
        self.rules, self.match, self.view = rules, match, view
        ends = len(match.history)
        if not rules.turns.continues:  # else a seat's inability to go on shows only in the events that follow
            lacks = (isinstance(event, Passed | Drew | PutDown) for event in reversed(match.history))
            ends -= next((n for n, is_lack in enumerate(lacks) if is_lack), ends)
        self._events = match.history[:ends]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _LackKey) or len(self._events) != len(other._events):
            return False
        return self.rules is other.rules and all(map(is_, self._events, other._events))

    def __hash__(self) -> int:
        return hash((id(self.rules), *map(id, self._events[-1:])))


@lru_cache(maxsize=256)
def _lacked_numbers(key: _LackKey) -> dict[int, tuple[bool, frozenset[int]]]:
    """Return, by seat, True if it passed, and the numbers that it lacked."""
    from core.bots.reasons.hints import lacked_numbers  # noqa: PLC0415 - takes a while, and nobody passes at once

    return lacked_numbers(key.rules, key.match, key.view)


def _lacked_words(match: MatchView, view: LayoutView) -> dict[int, tuple[str, str]]:
    """Return the numbers on which the others passed, in words and in brief; empty for a game that is unknown here."""
    from core.bots.observations import rules_of  # noqa: PLC0415

    try:
        lacking = _lacked_numbers(_LackKey(cast("LayoutRules", rules_of(match)), match, view))
    except Exception:
        return {}
    return {
        seat: (_("passed on {numbers}", numbers=", ".join(listed)), _("no {numbers}", numbers=" ".join(listed)))
        for seat, (passed, numbers) in lacking.items()
        if (listed := [str(number) for number in sorted(numbers)]) and passed and seat != view.seat
    }


LAYOUTS: Presenter[LayoutView, Choice] = Presenter(
    choose=layout_choice,
    title=layout_title,
    table=_table,
    result=draw_result,
    sentence=layout_sentence,
    waiting=lambda view, names: _("{name} is to play", name=names[view.turn]),
    describe=layout_event_sentence,
    seat_facts=_seat_facts,
)
