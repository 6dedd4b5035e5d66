"""Tells games of combinations in sentences: what happened, how a round ended, and what Enter will do."""

from core.actions import Beat, Event, Hid, Hide, Lead, Matched, RoundOver, Scored, Took
from core.combos.state import is_supreme, size_of
from core.prompts import tiles_words
from core.variant import ask
from tui.i18n import _, several, spoken
from tui.model.combo_choice import ComboChoice
from tui.text.headlines import round_headline


def told_in_combos(event: Event, names: tuple[str, ...], you: int, sides: int) -> str:
    """Tell an event of a trick, or the end of a round; empty for what no game of combinations knows."""
    match event:
        case Matched(seat=seat):
            return _matched(event, names[seat], seat == you)
        case Hid(seat=seat):
            return _hid(event, names[seat], seat == you)
        case Took(seat=seat):
            return _took(event, names[seat], seat == you)
        case Scored(seat=seat):
            return _scored(event, names[seat], seat == you)
        case RoundOver():
            return round_headline(sides, event, names, you)
    return ""


def _matched(event: Matched, name: str, you: bool) -> str:
    tiles = tiles_words(event.tiles)
    if event.beats:
        return (
            _("You beat it with {tiles}.", tiles=tiles)
            if you
            else _("{name} beats it with {tiles}.", name=name, tiles=tiles)
        )
    if is_supreme(event.tiles):
        return (
            _("You lead the supreme pair, {tiles}.", tiles=tiles)
            if you
            else _("{name} leads the supreme pair, {tiles}.", name=name, tiles=tiles)
        )
    return _("You lead {tiles}.", tiles=tiles) if you else _("{name} leads {tiles}.", name=name, tiles=tiles)


def _hid(event: Hid, name: str, you: bool) -> str:
    if you:
        return _("You hide {tiles}.", tiles=tiles_words(event.tiles))
    return several("{name} hides {count} tile.", "{name} hides {count} tiles.", event.count, name=name)


def _took(event: Took, name: str, you: bool) -> str:
    if event.points == 1:
        return _("You take the trick.") if you else _("{name} takes the trick.", name=name)
    if you:
        return _("You take it, which counts {count} tricks.", count=event.points)
    return _("{name} takes it, which counts {count} tricks.", name=name, count=event.points)


def _scored(event: Scored, name: str, you: bool) -> str:
    if event.points < 0:
        return (
            _("You pay {points} at once.", points=-event.points)
            if you
            else _("{name} pays {points} at once.", name=name, points=-event.points)
        )
    return (
        _("You get {points} at once.", points=event.points)
        if you
        else _("{name} gets {points} at once.", name=name, points=event.points)
    )


def combo_sentence(choice: ComboChoice, names: tuple[str, ...]) -> str:
    """What Enter will do, or how many tiles are still to be picked."""
    view, tiles = choice.view, tiles_words(choice.tiles)
    match choice.action:
        case Lead():
            return _("Enter leads {tiles}; digits pick tiles.", tiles=tiles)
        case Beat():
            return _("Enter beats with {tiles}, p hides.", tiles=tiles)
        case Hide():
            return _("Enter hides {tiles}; digits pick others.", tiles=tiles)
    missing = size_of(view) - len(choice.picked)
    if view.trick and missing > 0:
        return several("Pick {count} tile more.", "Pick {count} tiles more.", missing)
    if choice.picked:
        return _("{tiles} do not go together.", tiles=tiles)
    return spoken(ask(view), names)
