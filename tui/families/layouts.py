"""How layout games are shown and played on the screen."""

from typing import cast

from core.layout.placed import Placed
from core.layout.state import LayoutView
from core.match import MatchView
from tui.board import draw_board
from tui.board.canvas import Form, Picture
from tui.draw.look import Look
from tui.draw.moment import Moment
from tui.draw.results import draw_result
from tui.families.presenter import Presenter
from tui.i18n import _
from tui.model.choice import Choice, layout_choice
from tui.text.ends import marks
from tui.text.layouts import layout_sentence, layout_title, told_in_layout


def _table(moment: Moment, width: int, height: int, look: Look, form: Form | None) -> Picture:
    view, choice = cast("LayoutView", moment.view), cast("Choice | None", moment.choice)
    return draw_board(
        view.layout,
        marks(view, choice),
        width,
        height,
        look.theme,
        form=form,
        ascii=look.ascii,
        glow=len(view.layout) - 1,
        highest=view.highest,
        shape=view.shape,
        names=(*moment.names, _("Mexican Train")) if view.shape == "lanes" else (),
        own=view.seat,
        ghost=_ghost(view, choice),
    )


def _ghost(view: LayoutView, choice: Choice | None) -> Placed | None:
    """The tile that Enter would lay."""
    play = choice.play if choice and view.turn == view.seat else None
    return Placed(play.tile, play.at, play.side, play.out, view.seat) if play else None


def _result(moment: Moment, width: int, height: int, look: Look) -> Picture:
    update = moment.update
    match = cast("MatchView", update.match)
    return draw_result(match, moment.names, update.ready, update.seat, width, height, look.theme, ascii=look.ascii)


LAYOUTS: Presenter[LayoutView, Choice] = Presenter(
    choose=layout_choice,
    keeps_form=lambda view: len(view.layout) > 1,
    title=layout_title,
    table=_table,
    result=_result,
    sentence=layout_sentence,
    waiting=lambda view, names: _("{name} is to play", name=names[view.turn]),
    told=told_in_layout,
)
