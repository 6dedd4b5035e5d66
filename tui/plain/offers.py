"""What a player may do now, numbered, and which of it a typed line means."""

import re
from typing import NamedTuple

from core.actions import Action, Beat, Bury, Claim, Draw, Hide, Lay, Lead, Pass, Play, Shed, Silent, Tuck
from core.combos.state import ComboView
from core.layout.state import LayoutView
from core.tiles import STAR, WILD, Tile
from core.variant import AnyView, why_not
from tui.i18n import _, spoken
from tui.model.choice import END_KEYS
from tui.plain.families import MOST_LISTED, Names, teller_of
from tui.plain.form import number_of

_TILE = re.compile(r"(\d{1,2})\s*[|/:-]\s*(\d{1,2}|\*)|(\d)([\d*])|(wildstar|wild|w|\*)", re.IGNORECASE)

_ANSWERS = ("hide", "draw", "x", "pass", "p", "claim", "hint", "h")


class Offer(NamedTuple):
    """One line of what may be done; several actions differ only in the number that faces outward."""

    text: str
    actions: tuple[Action, ...]

    @property
    def faces(self) -> dict[int, Action]:
        """The numbers that may face outward, where that is still to be chosen."""
        if len(self.actions) == 1:
            return {}
        return {action.out: action for action in self.actions if isinstance(action, Play)}


def offers_of(view: AnyView, names: Names) -> list[Offer]:
    """Everything that a seat may do now, in the order of its view."""
    teller, groups = teller_of(view), dict[object, list[Action]]()
    many = sum(isinstance(action, Hide) for action in view.legal) > MOST_LISTED
    for action in view.legal:
        same: object = (action.tile, action.at, action.side) if isinstance(action, Play) else action
        if isinstance(action, Hide) and many:
            same = "hide"
        groups.setdefault(same, []).append(action)
    return [
        Offer(teller.offer(actions[0], view, names), tuple(actions[: 1 if isinstance(actions[0], Hide) else None]))
        for actions in groups.values()
    ]


def is_answer(line: str) -> bool:
    """Whether a line is of use only to who is asked something: an answer, or a wish for a hint."""
    word = line.strip().lower().partition(" ")[0]
    return not word or word[0].isdigit() or word in _ANSWERS or bool(_TILE.fullmatch(word))


def chosen(line: str, offers: list[Offer], view: AnyView, names: Names) -> Offer | str:
    """The offer that a line means, or a sentence why none."""
    word = line.strip().lower()
    if word in ("draw", "x"):
        return _named(offers, (Draw,)) or _("You cannot draw now.")
    if word in ("pass", "p"):
        return _named(offers, (Pass, Tuck, Silent)) or _("You cannot pass now.")
    if word == "claim":
        return _named(offers, (Claim,)) or _("Nothing can be claimed now.")
    number = number_of(word, len(offers))
    if number is not None:
        return offers[number - 1]
    if isinstance(view, ComboView) and (word.startswith("hide") or _TILE.match(word)):
        return _together(word, view)
    written, end = _TILE.match(word), ""
    if written:
        end = word[written.end() :].strip()
    number_too_high = written is not None and word.isdecimal() and _tile(written) not in view.hand
    if written is None or len(end) > 1 or number_too_high:
        return _("Type a number from 1 to {most}, or help.", most=len(offers))
    return _by_tile(_tile(written), end, offers, view, names)


def _together(word: str, view: AnyView) -> Offer | str:
    """The lead, or the way to beat or to hide, with these tiles."""
    tiles = tuple(sorted(_tile(written) for written in _TILE.finditer(word.removeprefix("hide"))))
    kinds = (Hide,) if word.startswith("hide") else (Lead, Beat, Hide)
    for action in view.legal:
        if isinstance(action, kinds) and action.tiles == tiles:
            return Offer("", (action,))
    return _("You cannot lay these tiles together now.")


def _named(offers: list[Offer], kinds: tuple[type, ...]) -> Offer | None:
    return next((offer for offer in offers if isinstance(offer.actions[0], kinds)), None)


def _tile(written: re.Match[str]) -> Tile:
    if written[5]:
        return STAR
    first, second = written[1] or written[3], written[2] or written[4]
    low, high = sorted((int(first), WILD if second == "*" else int(second)))
    return Tile(low, high)


def _by_tile(tile: Tile, end: str, offers: list[Offer], view: AnyView, names: Names) -> Offer | str:
    found = [
        offer
        for offer in offers
        if isinstance(offer.actions[0], Play | Lay | Shed | Tuck | Bury) and offer.actions[0].tile == tile
    ]
    if end and isinstance(view, LayoutView):
        found = [offer for offer in found if _lies_at(offer.actions[0], end, view)]
    if len(found) == 1:
        return found[0]
    if found:
        numbers = ", ".join(str(offers.index(offer) + 1) for offer in found)
        return _("There are several ways to do that: type one of {numbers}.", numbers=numbers)
    if tile not in view.hand:
        return _("You do not hold {tile}.", tile=_("a wildstar") if tile == STAR else str(tile))
    reason = why_not(view, tile)
    return spoken(reason, names) if reason else _("That tile does not go there.")


def _lies_at(action: Action, key: str, view: LayoutView) -> bool:
    place = END_KEYS.find(key)
    if not isinstance(action, Play) or not 0 <= place < len(view.ends):
        return False
    return (view.ends[place].at, view.ends[place].side) == (action.at, action.side)
