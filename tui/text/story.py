"""Tells what happened at a table, in sentences, from its events."""

from core.actions import (
    Bade,
    Dealt,
    Drew,
    Event,
    Laid,
    Led,
    MatchOver,
    Named,
    Passed,
    Played,
    RoundOver,
    Scored,
    Took,
)
from core.family import AnyView
from core.layout.placed import NOBODY
from core.layout.state import LayoutView
from core.tiles import STAR, Tile
from core.vocabulary import LeadReason, PassReason
from tui.i18n import _, several
from tui.text.trains import Train, train_of
from tui.text.tricks import hand_headline, told_in_tricks


class Story:
    """The sentences so far, the newest last. A draw and the play after it make one sentence."""

    def __init__(self, length: int = 50) -> None:
        self.lines: list[str] = []
        self._length = length
        self._drew: Drew | None = None

    def hear(
        self, events: tuple[Event, ...], names: tuple[str, ...], you: int, sides: int, view: AnyView | None = None
    ) -> None:
        """Tell some events; `you` is the seat that is spoken to, or -1, and `sides` how many scores there are.

        With the `view` of the round after them it is also told on which train a tile lies, and which was the last.
        """
        for event in events:
            told = self._told(event, names, you, sides, view)
            if self._drew and isinstance(event, Played | Passed) and event.seat == self._drew.seat:
                self.lines.pop()
            self._drew = event if isinstance(event, Drew) else None
            self.lines.append(told)
        del self.lines[: -self._length]

    def say(self, line: str) -> None:
        """Add a sentence that is no event, such as what somebody said."""
        self._drew = None
        self.lines = [*self.lines, line][-self._length :]

    def _told(self, event: Event, names: tuple[str, ...], you: int, sides: int, view: AnyView | None) -> str:
        match event:
            case Dealt(round=number):
                return _("Round {number} is dealt.", number=number)
            case Led(seat=seat):
                return _led(event, names[seat], seat == you)
            case Played(seat=seat):
                place = _place(event, train_of(view, event.tile), names, you)
                return _played(event, self._drew, names[seat], seat == you, place)
            case Drew(seat=seat):
                return _drew(event, names[seat], seat == you)
            case Passed(seat=seat):
                return _passed(event, self._drew, names[seat], seat == you)
            case Scored(seat=seat):
                return _scored(event, names[seat], seat == you)
            case RoundOver():
                return round_headline(sides, event, names, you, last_tile(view))
            case Bade() | Named() | Laid() | Took():
                return told_in_tricks(event, names, you)
            case MatchOver(unfinished=True):
                return _("The match was ended before anybody had won it.")
            case MatchOver(winners=()):
                return _("The match is drawn.")
            case MatchOver(winners=winners):
                won = " & ".join(side_name(side, names, sides) for side in winners)
                return _("The match goes to {names}.", names=won)


def side_name(side: int, names: tuple[str, ...], sides: int) -> str:
    """The name of a side: its player, or both partners'."""
    return " + ".join(names[side::sides]) if 0 < sides < len(names) else names[side]


def _led(event: Led, name: str, you: bool) -> str:
    tile = str(event.tile)
    reasons: dict[LeadReason, str] = {
        "double": _("the highest double"),
        "heaviest": _("the heaviest tile"),
        "heaviest_hand": _("from the heaviest hand"),
        "lot": _("chosen by lot"),
        "winner": _("as winner of the last round"),
        "rotation": _("as the lead came round"),
        "centre": _("the centre of this round"),
        "found": _("the centre of this round, found at last"),
    }
    reason = reasons.get(event.reason, "")
    if you:
        return _("You led {tile}, {reason}.", tile=tile, reason=reason)
    return _("{name} led {tile}, {reason}.", name=name, tile=tile, reason=reason)


def _place(event: Played, train: Train | None, names: tuple[str, ...], you: int) -> str:
    """Where a tile was laid; empty for the one that starts the Mexican Train."""
    if train is None:
        return _("the {number}", number=event.on) if event.on >= 0 else _("the wild end")
    if train.owner == NOBODY:
        return "" if train.begun else _("the Mexican Train")
    if train.owner == you:
        return _("your train")
    return _("their own train") if train.owner == event.seat else _("{name}'s train", name=names[train.owner])


def _played(event: Played, drew: Drew | None, name: str, you: bool, place: str) -> str:
    tile = str(event.tile)
    if event.tile == STAR:
        tile = _("a wildstar as {on}|{out}", on=event.on, out=event.out) if event.out >= 0 else _("a wildstar")
    if not place:
        return _started(drew, tile, name, you)
    if drew and you:
        return _("You drew {count} and played {tile} on {place}.", count=drew.count, tile=tile, place=place)
    if drew:
        return _(
            "{name} drew {count} and played {tile} on {place}.", name=name, count=drew.count, tile=tile, place=place
        )
    if you:
        return _("You played {tile} on {place}.", tile=tile, place=place)
    return _("{name} played {tile} on {place}.", name=name, tile=tile, place=place)


def _started(drew: Drew | None, tile: str, name: str, you: bool) -> str:
    if drew and you:
        return _("You drew {count} and started the Mexican Train with {tile}.", count=drew.count, tile=tile)
    if drew:
        return _(
            "{name} drew {count} and started the Mexican Train with {tile}.", name=name, count=drew.count, tile=tile
        )
    if you:
        return _("You started the Mexican Train with {tile}.", tile=tile)
    return _("{name} started the Mexican Train with {tile}.", name=name, tile=tile)


def _drew(event: Drew, name: str, you: bool) -> str:
    if you:
        tiles = " ".join(map(str, event.tiles))
        if event.forced:
            return _("Nothing fitted: you drew {tiles}.", tiles=tiles)
        return _("You drew {tiles}.", tiles=tiles)
    return several("{name} drew {count} tile.", "{name} drew {count} tiles.", event.count, name=name)


def _passed(event: Passed, drew: Drew | None, name: str, you: bool) -> str:
    told = _why_passed(event, drew, name, you)
    if not event.opened:
        return told
    return f"{told} " + (_("Your train is open to all.") if you else _("That train is open to all."))


def _why_passed(event: Passed, drew: Drew | None, name: str, you: bool) -> str:
    reasons: dict[PassReason, str] = {
        "empty": _("the boneyard is empty"),
        "reserve": _("the rest of the boneyard stays"),
        "limit": _("no more draws this turn"),
        "no_drawing": _("nothing fits"),
        "kept": _("keeping the drawn tile"),
        "enough": _("the train is long enough"),
    }
    if event.reason == "bidding":
        return _("You passed.") if you else _("{name} passed.", name=name)
    reason = reasons.get(event.reason, "")
    if drew and you:
        return _("You drew {count} and passed: {reason}.", count=drew.count, reason=reason)
    if drew:
        return _("{name} drew {count} and passed: {reason}.", name=name, count=drew.count, reason=reason)
    if you:
        return _("You passed: {reason}.", reason=reason)
    return _("{name} passed: {reason}.", name=name, reason=reason)


def _scored(event: Scored, name: str, you: bool) -> str:
    terms = " + ".join(map(str, event.terms))
    total = sum(event.terms)
    if not event.points:
        return _("{terms} = {total}, and nobody claimed it.", terms=terms, total=total)
    if not event.counted:
        return _("{terms} = {total}: {points} would be too many.", terms=terms, total=total, points=event.points)
    if event.snatched:
        return _(
            "Muggins! {name} takes {points} ({terms} = {total}).",
            name=name,
            points=event.points,
            terms=terms,
            total=total,
        )
    if you:
        return _("You score {points}: {terms} = {total}.", points=event.points, terms=terms, total=total)
    return _("{name} scores {points}: {terms} = {total}.", name=name, points=event.points, terms=terms, total=total)


def _out(name: str, you: bool, last: Tile | None) -> str:
    if last is None:
        return _("You are out: the round is yours.") if you else _("{name} is out and wins the round.", name=name)
    tile = _("a wildstar") if last == STAR else str(last)
    if you:
        return _("You are out with {tile}: the round is yours.", tile=tile)
    return _("{name} is out with {tile} and wins the round.", name=name, tile=tile)


def last_tile(view: AnyView | None) -> Tile | None:
    """The tile laid last, with which somebody may have gone out; None where tiles are taken in tricks."""
    return view.layout[-1].tile if isinstance(view, LayoutView) and view.layout else None


def round_headline(sides: int, result: RoundOver, names: tuple[str, ...], you: int, last: Tile | None = None) -> str:
    """One sentence: who won the round, and how; `last` is the tile laid last, with which somebody may be out."""
    if tricks := hand_headline(result, sides, names, you):
        return tricks
    match result.how:
        case "out":
            return _out(names[result.winner], result.winner == you, last)
        case "redeal":
            return _("Nobody could lead: the tiles are dealt again.")
        case "stuck":
            return _("Nothing fits and nothing may be drawn: the round is over.")
        case "target":
            return _("{name} has reached the target.", name=names[result.winner])
    if result.blocker >= 0 and result.assistant >= 0:
        return _(
            "Blocked by {name}, who could have kept the line open; {helper} helped.",
            name=names[result.blocker],
            helper=names[result.assistant],
        )
    if result.blocker >= 0:
        return _("Blocked by {name}, who could have kept the line open.", name=names[result.blocker])
    if result.winner >= 0:
        if result.winner == you:
            return _("Blocked: the round is yours.")
        return _("Blocked: {name} wins the round.", name=names[result.winner])
    tied = " & ".join(side_name(side, names, sides) for side in result.tied)
    if not tied:
        return _("Blocked.")
    if any(result.points):
        return _("Blocked: {names} share the round.", names=tied)
    return _("Blocked: {names} are equal, so nobody scores.", names=tied)
