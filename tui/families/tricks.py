"""How games of tricks are shown and played on the screen."""

from core.family import ask
from core.match import MatchView
from core.tricks.state import TrickView
from tui.draw.presenter import Aside, Presenter
from tui.draw.results import draw_hand_result
from tui.draw.tricks import draw_tricks
from tui.i18n import spoken
from tui.model.trick_choice import TrickChoice, trick_choice
from tui.text.tricks import told_in_tricks, trick_sentence


def _aside(_match: MatchView, view: TrickView) -> Aside:
    laid = [each for trick in view.tricks for each in trick.tiles] + list(view.trick)
    return Aside({each.seat: each.tile for each in laid}, {})


TRICKS: Presenter[TrickView, TrickChoice] = Presenter(
    choose=trick_choice,
    keeps_form=lambda _: True,
    title=lambda _: "",
    table=draw_tricks,
    result=draw_hand_result,
    sentence=trick_sentence,
    waiting=lambda view, names: spoken(ask(view), names),
    told=lambda event, _, names, you, sides, __: told_in_tricks(event, names, you, sides),
    aside=_aside,
)
