"""How games for one are shown and played on the screen."""

from typing import cast

from core.actions import RoundOver
from core.family import ask
from core.match import MatchView
from core.patience.state import PatienceView
from tui.board.canvas import Form, Picture
from tui.draw.look import Look
from tui.draw.patience import draw_patience, draw_patience_result
from tui.draw.presenter import Aside, Moment, Presenter
from tui.i18n import spoken
from tui.model.patience_choice import PatienceChoice, patience_choice
from tui.text.patience import patience_sentence, patience_title, told_in_patience


def _table(moment: Moment, width: int, height: int, look: Look, form: Form | None) -> Picture:
    view, choice = cast("PatienceView", moment.view), cast("PatienceChoice | None", moment.choice)
    return draw_patience(view, choice, width, height, look, form)


def _result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    match, view = cast("MatchView", moment.update.match), cast("PatienceView", moment.view)
    result = cast("RoundOver", view.result)
    return draw_patience_result(match, view, result, moment.names[0], width, height, look)


PATIENCE: Presenter[PatienceView, PatienceChoice] = Presenter(
    choose=patience_choice,
    keeps_form=lambda _: True,
    title=patience_title,
    table=_table,
    result=_result,
    sentence=patience_sentence,
    waiting=lambda view, names: spoken(ask(view), names),
    told=lambda event, _, names, you, __, ___: told_in_patience(event, names, you),
    aside=lambda _, view: Aside({}, {}, view.boneyard),
)
