"""What a player is told besides the game: the time left, a lost connection, the keys, and the check of the deals."""

from core.actions import Bade, Laid, Led, Named, Played, PutDown
from core.bots.reasons.parts import Hint
from core.family import ask
from core.layout.state import NOBODY
from net.client.client import Verification
from net.wire.messages import Update
from tui.board.canvas import columns
from tui.families import presenter_of
from tui.i18n import _, several, spoken
from tui.model.chosen import AnyChoice
from tui.model.keys import OFFERED, TABLE
from tui.text.wishes import asks_to_agree, to_agree

HURRY = 10
"""A player is warned when this many seconds of their time are left."""


def left_of(update: Update, spent: float) -> int | None:
    """Whole seconds left to whoever is on turn, `spent` seconds after the update; None where nothing is limited."""
    times, view = update.times, update.match.play if update.match else None
    table = update.table
    if times is None or view is None or view.turn == NOBODY or table.seats[view.turn].bot:
        return None
    limits = [times.turn] * bool(table.turn_time) + [times.match[view.turn]] * bool(table.match_time)
    return max(0, round(min(limits) - (spent if times.running else 0.0)))


def urgent(update: Update, left: int | None, warning: str, *, lost: bool) -> str:
    """Return what must be read before everything else, or else the `warning`."""
    if lost:
        return _("Connection lost. Reconnecting …")
    if update.table.phase == "paused":
        return _("The table is paused; press s to resume.")
    yours = update.match and update.match.play and update.match.play.turn == update.seat != NOBODY
    if yours and left is not None and left <= HURRY and not warning:
        return several("{count} second left, then a bot plays.", "{count} seconds left, then a bot plays.", left)
    if update.match and update.match.endless and not warning:
        return _("This match may never end; E ends it, and nobody wins.")
    if (wanted := to_agree(update)) and not warning:
        return asks_to_agree(update, wanted)
    return warning


def now_lines(update: Update, choice: AnyChoice | None, warning: str, names: tuple[str, ...]) -> list[str]:
    """What can be done at this moment, for the page of help; empty where nobody plays."""
    view = update.match.play if update.match else None
    if view is None or update.seat == NOBODY:
        return []
    if view.result:
        return [_("Enter goes on to the next round.")]
    if view.turn != view.seat:
        return [presenter_of(view).waiting(view, names) + "."]
    asked = spoken(ask(view), names)
    does = warning or (presenter_of(view).sentence(choice, names) if choice else "")
    return [" ".join(filter(None, (_("It is your turn."), asked, does)))]


def _bot_plays(update: Update) -> bool:
    """Whether it is a bot's turn."""
    view = update.match.play if update.match else None
    return view is not None and view.turn != NOBODY and bool(update.table.seats[view.turn].bot)


def _has_acted(update: Update) -> bool:
    """Whether this player has done something in the round that is played, and so may have something to take back."""
    match = update.match
    if match is None or match.play is None or match.play.result or update.seat == NOBODY:
        return False
    return any(
        isinstance(event, Led | Played | PutDown | Laid | Bade | Named) and event.seat == update.seat
        for event in match.history
    )


def proof_words(proof: Verification) -> str:
    """What came of computing the deals anew."""
    if proof.problem:
        return _("DEALS NOT PROVEN: {problem}.", problem=proof.problem)
    if proof.caveat:
        return _("Not everything is proven: {reason}.", reason=proof.caveat)
    return _("Every deal matches what the host and players committed to.")


def proof_at_parting(proof: Verification) -> str:
    """Tell a player who leaves a host that broke a promise how to show it to others."""
    file = proof.evidence
    how = _("“boneyard verify {file}” proves it to anybody.", file=file) if file else ""
    return f"{proof_words(proof)} {how}".strip()


def hints_for(
    update: Update, choice: AnyChoice | None, *, ascii: bool, reviews: bool = False
) -> tuple[tuple[str, str], ...]:
    """The keys that are of use now, and short words for them; `reviews` says whether matches can be reviewed here."""
    if update.match is None:
        wanted = ["fill", "help", "talk", "leave"] if update.seat != NOBODY else ["talk", "leave"]
    else:
        wanted = list(choice.hints if choice else ("look", "help", "talk"))
        if update.seat != NOBODY and _bot_plays(update):
            wanted.insert(0, "skip")
        if reviews and update.match.over and update.match.players > 1:
            wanted.insert(0, "review")
        if "help" in wanted and update.table.take_back and _has_acted(update):
            wanted.insert(wanted.index("help"), "take_back")
        if "help" in wanted and update.table.hints and not no_hint(update):
            wanted.insert(wanted.index("help"), "hint")
    short = {
        "help": _("help"),
        "end(1)": _("choose") if choice and choice.items else _("end"),
        "look": _("look"),
        "review": _("review"),
        "hint": _("hint"),
        "take_back": _("take back"),
        "fill": _("fill with bots"),
        "skip": _("to your turn"),
    }
    found = {key.action: key for key in TABLE + OFFERED}
    return tuple((found[name].written(ascii), short.get(name) or found[name].words()) for name in wanted)


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
