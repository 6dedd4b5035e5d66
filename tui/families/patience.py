"""How games for one are shown and played on the screen."""

from core.family import ask
from core.patience.state import PatienceView
from tui.draw.patience import draw_patience, draw_patience_result
from tui.draw.presenter import Aside, Presenter
from tui.i18n import spoken
from tui.model.patience_choice import PatienceChoice, patience_choice
from tui.text.patience import patience_sentence, patience_title, told_in_patience

PATIENCE: Presenter[PatienceView, PatienceChoice] = Presenter(
    choose=patience_choice,
    keeps_form=lambda _: True,
    title=patience_title,
    table=draw_patience,
    result=draw_patience_result,
    sentence=patience_sentence,
    waiting=lambda view, names: spoken(ask(view), names),
    told=lambda event, _, names, you, __, ___: told_in_patience(event, names, you),
    aside=lambda _, view: Aside({}, {}, view.boneyard),
)
