"""What a player who asks for a hint is told: the move and why, or why there is no hint."""

from core.bots.reasons.parts import Hint
from core.layout.placed import NOBODY
from net.wire.messages import Update
from tui.board.canvas import columns
from tui.i18n import _, spoken


def no_hint(update: Update) -> str:
    """Why there is no hint now; empty if there is one."""
    view = update.match.play if update.match else None
    if view is None or update.seat == NOBODY or view.result or view.turn != update.seat:
        return _("A hint is for your own turn.")
    return ""


def needs_agreement(update: Update) -> bool:
    """Whether a player who wants a hint must first have hints allowed."""
    return not update.table.hints and update.seat != NOBODY


def hint_sentence(hint: Hint, names: tuple[str, ...], width: int) -> str:
    """The move and why, in as many reasons as fit into so many columns."""
    whole = spoken(hint.why, names)
    return whole if columns(whole) <= width else spoken(hint.short, names)
