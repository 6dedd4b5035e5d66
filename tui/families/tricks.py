"""How games of tricks are shown and played on the screen."""

from typing import cast

from core.actions import RoundOver
from core.family import ask
from core.match import MatchView
from core.tricks.state import TrickView
from tui.board.canvas import Form, Picture
from tui.draw.look import Look
from tui.draw.results import draw_hand_result
from tui.draw.tricks import draw_tricks
from tui.families.presenter import Aside, Moment, Presenter
from tui.i18n import spoken
from tui.model.trick_choice import TrickChoice, trick_choice
from tui.text.tricks import told_in_tricks, trick_sentence


def _table(moment: Moment, width: int, height: int, look: Look, _form: Form | None) -> Picture:
    view, choice = cast("TrickView", moment.view), cast("TrickChoice | None", moment.choice)
    return draw_tricks(
        view,
        moment.names,
        choice,
        width,
        height,
        look.theme,
        ascii=look.ascii,
        counter_clockwise=moment.counter_clockwise,
    )


def _result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    update, names = moment.update, moment.names
    match, view = cast("MatchView", update.match), cast("TrickView", moment.view)
    result = cast("RoundOver", view.result)
    return draw_hand_result(
        match, view, result, names, update.ready, update.seat, width, height, look.theme, ascii=look.ascii
    )


def _aside(_match: MatchView, view: TrickView) -> Aside:
    laid = [each for trick in view.tricks for each in trick.tiles] + list(view.trick)
    return Aside({each.seat: each.tile for each in laid}, {})


TRICKS: Presenter[TrickView, TrickChoice] = Presenter(
    choose=trick_choice,
    keeps_form=lambda _: True,
    title=lambda _: "",
    table=_table,
    result=_result,
    sentence=trick_sentence,
    waiting=lambda view, names: spoken(ask(view), names),
    told=lambda event, _, names, you, sides, __: told_in_tricks(event, names, you, sides),
    aside=_aside,
)
