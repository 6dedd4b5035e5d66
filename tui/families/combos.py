"""How games of combinations are shown and played on the screen."""

from typing import cast

from core.combos.state import ComboView, taken
from core.family import ask
from core.match import MatchView
from tui.board.canvas import Picture
from tui.draw.combos import draw_combos
from tui.draw.look import Look
from tui.draw.presenter import Aside, Moment, Presenter
from tui.draw.results import draw_result
from tui.i18n import several, spoken
from tui.model.combo_choice import ComboChoice, combo_choice
from tui.text.combos import combo_sentence, told_in_combos


def _result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    won = taken(cast("ComboView", moment.view).tricks, len(moment.names))
    counts = [several("{count} trick", "{count} tricks", tricks) for tricks in won]
    return draw_result(moment, width, height, look, counts)


def _aside(_match: MatchView, view: ComboView) -> Aside:
    puts = [put for trick in view.tricks for put in trick.puts] + list(view.trick)
    return Aside({put.seat: put.tiles[-1] for put in puts if put.up}, {})


def _title(view: ComboView) -> str:
    """How many rounds the banker has been one."""
    if view.in_a_row < 2:
        return ""
    return several("banker for {count} round", "banker for {count} rounds", view.in_a_row)


COMBOS: Presenter[ComboView, ComboChoice] = Presenter(
    choose=combo_choice,
    keeps_form=lambda _: True,
    title=_title,
    table=draw_combos,
    result=_result,
    sentence=combo_sentence,
    waiting=lambda view, names: spoken(ask(view), names),
    told=lambda event, _, names, you, sides, __: told_in_combos(event, names, you, sides),
    aside=_aside,
)
