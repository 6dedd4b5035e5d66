"""The presenters of games of tricks, of combinations and for one player."""

from typing import cast

from core.combos.state import ComboView, tricks_taken
from core.match import MatchView
from core.patience.state import PatienceView
from core.tricks.state import TrickView
from tui.board.canvas import Picture
from tui.draw.combos import draw_combos
from tui.draw.patience import draw_patience, draw_patience_result
from tui.draw.results import draw_hand_result, draw_result
from tui.draw.tricks import draw_tricks
from tui.i18n import several
from tui.model.look import Look
from tui.model.non_layout_choices import (
    ComboChoice,
    PatienceChoice,
    TrickChoice,
    combo_choice,
    patience_choice,
    trick_choice,
)
from tui.model.presenter import Moment, Presenter, SeatFacts
from tui.text.non_layout import (
    closed_boneyard,
    combo_event_sentence,
    combo_sentence,
    patience_event_sentence,
    patience_sentence,
    patience_title,
    trick_event_sentence,
    trick_sentence,
)


def _trick_seat_facts(_match: MatchView, view: TrickView) -> SeatFacts:
    plays = [play for trick in view.tricks for play in trick.tiles] + list(view.trick)
    return SeatFacts({play.seat: play.tile for play in plays}, {})


TRICKS: Presenter[TrickView, TrickChoice] = Presenter(
    choose=trick_choice,
    table=draw_tricks,
    result=draw_hand_result,
    sentence=trick_sentence,
    describe=lambda event, view, names, reader_seat, sides, __: trick_event_sentence(
        event, view, names, reader_seat, sides
    ),
    seat_facts=_trick_seat_facts,
)


def _combo_result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    won = tricks_taken(cast("ComboView", moment.view).tricks, len(moment.names))
    counts = [several("{count} trick", "{count} tricks", tricks) for tricks in won]
    return draw_result(moment, width, height, look, counts)


def _combo_seat_facts(_match: MatchView, view: ComboView) -> SeatFacts:
    puts = [put for trick in view.tricks for put in trick.puts] + list(view.trick)
    return SeatFacts({put.seat: put.tiles[-1] for put in puts if put.up}, {})


def _banker_words(view: ComboView) -> str:
    """Return the number of rounds in a row for the banker, in words."""
    if view.in_a_row < 2:
        return ""
    return several("banker for {count} round", "banker for {count} rounds", view.in_a_row)


COMBOS: Presenter[ComboView, ComboChoice] = Presenter(
    choose=combo_choice,
    title=lambda _, view: _banker_words(view),
    table=draw_combos,
    result=_combo_result,
    sentence=combo_sentence,
    describe=lambda event, _, names, reader_seat, sides, __: combo_event_sentence(event, names, reader_seat, sides),
    seat_facts=_combo_seat_facts,
)


PATIENCE: Presenter[PatienceView, PatienceChoice] = Presenter(
    choose=patience_choice,
    title=lambda _, view: patience_title(view),
    table=draw_patience,
    result=draw_patience_result,
    sentence=patience_sentence,
    describe=lambda event, _, names, reader_seat, __, ___: patience_event_sentence(event, names, reader_seat),
    seat_facts=lambda _, view: SeatFacts({}, {}, closed_boneyard(view) or -1),
)
