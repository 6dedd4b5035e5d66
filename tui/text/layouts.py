"""Sentences for layout games: events, the end of a round, the effect of Enter, the boneyard."""

from typing import NamedTuple

from msgspec.structs import replace

from core.actions import Drew, Event, Led, Passed, Play, Played, PutDown, RoundOver, Scored, Tuck, Tucked
from core.layout.state import NOBODY, End, Layout, LayoutView
from core.match import MatchView
from core.prompts import why_not
from core.tiles import STAR, Tile
from core.words import LeadReason, PassReason, ScoreReason, phrase
from tui.board import Mark
from tui.i18n import _, pgettext, several, translate
from tui.model.choice import END_KEYS, Choice
from tui.text.headlines import Subject, round_headline, subject, waiting_words
from tui.text.names import tile_words, with_stars


def marks(view: LayoutView, choice: Choice | None) -> list[Mark]:
    """Return the marks of the ends: a key where the chosen tile fits, a number everywhere."""
    if view.result:
        return []
    points = points_by_end(view, choice)
    chosen = choice.play if choice else None
    first_owed = next((end for end in view.ends if end.at in view.owed), None)
    return [
        Mark(
            at=end.at,
            side=end.side,
            pips=end.pips,
            key=key if (end.at, end.side) in points else "",
            note=_note_at(view, end, points.get((end.at, end.side), 0), is_first_owed=end is first_owed),
            chosen=chosen is not None and (chosen.at, chosen.side) == (end.at, end.side),
            open=(end.at, end.side) in points,
            owner=end.owner,
            flag=end.owner in view.open and end.owner != NOBODY,
            state=_state_words(view, end),
            owed=end.at in view.owed,
        )
        for key, end in zip((*END_KEYS, *([""] * len(view.ends))), view.ends, strict=False)
    ]


def compared_marks(view: LayoutView, choice: Choice | None, best: Play | None, played: Play | None) -> list[Mark]:
    """Return the marks of the ends for a review: the ends of the best and of the played tile say so."""
    notes = {}
    if played:
        notes[played.at, played.side] = pgettext("a tile in a review", "played")
    if best:
        better = pgettext("a tile in a review", "better")
        notes[best.at, best.side] = pgettext("a tile in a review", "the best") if best == played else better
    compared = []
    for mark in marks(view, choice):
        note = notes.get((mark.at, mark.side), "")
        compared.append(replace(mark, key="", note=note, state=note or mark.state, open=bool(note), owed=False))
    return compared


def _note_at(view: LayoutView, end: End, points: int, *, is_first_owed: bool) -> str:
    """Return the note at an end: its points or, if it `is_first_owed`, a sentence about that."""
    if not is_first_owed:
        return _("scores {points}", points=points) if points else ""
    if end.at == 0:
        return _("the centre first")
    return _("this foot first") if view.shape == "feet" else _("answer this double first")


def _state_words(view: LayoutView, end: End) -> str:
    """Return “open to all” for a train, or “closed” for one of another player; empty for any other end."""
    if end.owner == NOBODY:
        return ""
    if end.owner in view.open:
        return _("open to all")
    return pgettext("a train", "closed") if end.owner != view.seat else ""


def points_by_end(view: LayoutView, choice: Choice | None) -> dict[tuple[int, int], int]:
    """Return the points that the chosen tile would score, by the tile and the side of each end that it fits."""
    if choice is None:
        return {}
    points = dict(zip(view.legal, view.worth, strict=False))
    return {(play.at, play.side): points.get(play, 0) for play in choice.plays}


class Train(NamedTuple):
    """A train: the seat of its owner, -1 for the Mexican Train; `is_first_tile` is True if the tile was its first."""

    owner: int
    is_first_tile: bool


def train_of(view: LayoutView, tile: Tile) -> Train | None:
    """Return the train on which a tile lies; None in games without trains, and for the first tile."""
    if view.shape != "lanes" or tile == STAR:
        return None
    index = next((index for index, placed in enumerate(view.layout) if placed.tile == tile), 0)
    if not index:
        return None
    is_first_tile = view.layout[index].on == 0
    side = _side_of_train(view.layout, index)
    return Train(side if side < len(view.counts) else NOBODY, is_first_tile)


def _side_of_train(layout: Layout, index: int) -> int:
    """Return the side of the engine where a tile's train begins."""
    while layout[index].on > 0:
        index = layout[index].on
    return layout[index].side


_SCORE_SENTENCES: dict[ScoreReason, tuple[str, str]] = {
    "lead_pass": (
        phrase("A pass right after the lead: you score {points}."),
        phrase("A pass right after the lead: {name} scores {points}."),
    ),
    "round_pass": (
        phrase("Three passes after your tile: you score {points}."),
        phrase("Three passes in a row: {name} scores {points}."),
    ),
    "first_pass": (
        phrase("The first pass of the match: you score {points}."),
        phrase("The first pass of the match: {name} scores {points}."),
    ),
    "any_pass": (phrase("A pass: you score {points}."), phrase("A pass: {name} scores {points}.")),
    "galo": (phrase("Galo! You score {points} more."), phrase("Galo! {name} scores {points} more.")),
    "doubles": (
        phrase("You were dealt five doubles or more: you score {points}."),
        phrase("{name} was dealt five doubles or more and scores {points}."),
    ),
    "equal_ends": (phrase("Equal ends: you score {points}."), phrase("Equal ends: {name} scores {points}.")),
}
"""By reason, the sentences for points that are no sum: to their player, and to the others."""


def layout_event_sentence(
    event: Event, view: LayoutView, names: tuple[str, ...], reader_seat: int, sides: int, previous_draw: Drew | None
) -> str:
    """Return an event as a sentence, with the draw before it; empty for an event of another family."""
    player = subject(event, names, reader_seat)
    match event:
        case Led():
            return _lead_sentence(event, player)
        case Played():
            return _played_sentence(
                event, previous_draw, player, _place_words(event, train_of(view, event.tile), names, reader_seat)
            )
        case Drew(tiles=tiles, forced=forced) if player.is_reader:
            tiles_words = " ".join(map(str, tiles))
            return (
                _("Nothing fits: you draw {tiles}.", tiles=tiles_words)
                if forced
                else _("You draw {tiles}.", tiles=tiles_words)
            )
        case Drew(count=count):
            return several("{name} draws {count} tile.", "{name} draws {count} tiles.", count, name=player.name)
        case Passed(opened=opened):
            sentence = _pass_sentence(event, previous_draw, player, has_trains=view.shape == "lanes")
            train = player.fill_in("Your train is open to all.", "That train is open to all.")
            return f"{sentence} {train}" if opened else sentence
        case PutDown(tile=tile):
            return player._replace(is_reader=player.is_reader and tile is not None).fill_in(
                "Nothing fits: you lay {tile} face down.",
                "{name} lays a tile face down: nothing fits.",
                tile=str(tile),
            )
        case Tucked(tile=tile):
            return player.fill_in(
                "You turn over {tile}: it goes to the end of your row.",
                "{name} turns over {tile}, which does not fit.",
                tile=str(tile),
            )
        case Scored():
            return _score_sentence(event, player)
        case RoundOver():
            end_sentences = (
                round_headline(sides, event, names, reader_seat, last_tile(view)),
                waiting_words(sides, event, names, reader_seat),
            )
            return " ".join(filter(None, end_sentences))
    return ""


def last_tile(view: LayoutView) -> Tile | None:
    """Return the last tile, with which a player may have gone out."""
    return view.layout[-1].tile if view.layout else None


def _lead_sentence(event: Led, player: Subject) -> str:
    tile = str(event.tile)
    reasons: dict[LeadReason, str] = {
        "double": _("the highest double"),
        "lowest_double": _("the lowest double"),
        "first_tile": _("as that tile leads first"),
        "lightest": _("the lightest tile"),
        "heaviest": _("the heaviest tile"),
        "heaviest_hand": _("from the heaviest hand"),
        "lot": _("chosen by lot"),
        "winner": _("as winner of the last round"),
        "own_double": _("as a double must lead"),
        "rotation": _("as next to lead"),
        "centre": _("the centre of this round"),
        "found": _("the centre of this round, found at last"),
    }
    reason = reasons.get(event.reason, "")
    if event.open >= 0 and not event.tile.is_double:
        reason = _("{reason}, open at the {number}", reason=reason, number=event.open)
    return player.fill_in("You lead {tile}, {reason}.", "{name} leads {tile}, {reason}.", tile=tile, reason=reason)


def _place_words(event: Played, train: Train | None, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the place of a tile; empty for the tile that starts the Mexican Train."""
    if train is None:
        return _("the {number}", number=event.on) if event.on >= 0 else _("the wild end")
    if train.owner == NOBODY:
        return "" if train.is_first_tile else _("the Mexican Train")
    if train.owner == reader_seat:
        return _("your train")
    return _("their own train") if train.owner == event.seat else _("{name}'s train", name=names[train.owner])


def _played_sentence(event: Played, previous_draw: Drew | None, player: Subject, place: str) -> str:
    tile = tile_words(event.tile)
    if event.tile == STAR and event.out >= 0:
        tile = _("a wildstar as {on}|{out}", on=event.on, out=event.out)
    elif event.tile.wild_halves == 1 and event.out != event.tile.high:
        tile = _("{tile} as {on}|{out}", tile=tile, on=event.on, out=event.out)
    if previous_draw and not place:
        return player.fill_in(
            "You draw {count} and start the Mexican Train with {tile}.",
            "{name} draws {count} and starts the Mexican Train with {tile}.",
            count=previous_draw.count,
            tile=tile,
        )
    if not place:
        return player.fill_in(
            "You start the Mexican Train with {tile}.", "{name} starts the Mexican Train with {tile}.", tile=tile
        )
    if previous_draw:
        return player.fill_in(
            "You draw {count} and play {tile} on {place}.",
            "{name} draws {count} and plays {tile} on {place}.",
            count=previous_draw.count,
            tile=tile,
            place=place,
        )
    return player.fill_in("You play {tile} on {place}.", "{name} plays {tile} on {place}.", tile=tile, place=place)


def _pass_sentence(event: Passed, previous_draw: Drew | None, player: Subject, *, has_trains: bool) -> str:
    reasons: dict[PassReason, str] = {
        "empty": _("the boneyard is empty"),
        "reserve": _("the rest of the boneyard stays"),
        "limit": _("no more draws this turn"),
        "no_drawing": _("nothing fits"),
        "no_lead": _("no double to lead"),
        "kept": _("keeping the drawn tile"),
        "enough": _("the train is long enough") if has_trains else _("one double is enough"),
    }
    reason = reasons.get(event.reason, "")
    if previous_draw:
        return player.fill_in(
            "You draw {count} and pass: {reason}.",
            "{name} draws {count} and passes: {reason}.",
            count=previous_draw.count,
            reason=reason,
        )
    return player.fill_in("You pass: {reason}.", "{name} passes: {reason}.", reason=reason)


def _score_sentence(event: Scored, player: Subject) -> str:
    if event.reason in _SCORE_SENTENCES:
        yours, theirs = _SCORE_SENTENCES[event.reason]
    elif event.reason == "telefon":
        yours = phrase("Telefon! You score {points}: {terms} = {total}.")
        theirs = phrase("Telefon! {name} scores {points}: {terms} = {total}.")
    elif not event.points:
        yours = theirs = phrase("{terms} = {total}, and nobody claimed it.")
    elif not event.counted:
        yours = theirs = phrase("{terms} = {total}: {points} would be too many.")
    elif event.snatched:
        yours = phrase("Muggins! You take {points} ({terms} = {total}).")
        theirs = phrase("Muggins! {name} takes {points} ({terms} = {total}).")
    else:
        yours = phrase("You score {points}: {terms} = {total}.")
        theirs = phrase("{name} scores {points}: {terms} = {total}.")
    terms, total = " + ".join(map(str, event.terms)), sum(event.terms)
    return player.fill_in(yours, theirs, points=event.points, terms=terms, total=total)


def layout_title(match: MatchView, view: LayoutView) -> str:
    """Return the sum of the open ends, in games that count them, and the size of the boneyard, if there is one."""
    boneyard = _boneyard_words(view) if has_boneyard(match, view) else ""
    return "   ".join(filter(None, (_count_words(view), boneyard)))


def has_boneyard(match: MatchView, view: LayoutView) -> bool:
    """Return True if there is a boneyard, or was one in this round: only then does an empty one mean something."""
    return view.boneyard > 0 or any(isinstance(event, Drew) for event in match.history)


def _count_words(view: LayoutView) -> str:
    """Return the sum of the open ends, in games that count them."""
    if not view.count:
        return ""
    if len(view.count) > 4:
        return _("ends {total}", total=sum(view.count))
    return _("ends {terms} = {total}", terms="+".join(map(str, view.count)), total=sum(view.count))


def _boneyard_words(view: LayoutView) -> str:
    if view.reserve and view.reserve == view.boneyard:
        return _("boneyard {count}, out of play", count=view.boneyard)
    if view.reserve:
        return _("boneyard {count}, {reserve} stay", count=view.boneyard, reserve=view.reserve)
    return _("boneyard {count}", count=view.boneyard)


def layout_sentence(choice: Choice, names: tuple[str, ...]) -> str:
    """Return the effect of Enter, or the reason why it has none."""
    return with_stars(_effect_of_enter(choice, names))


def _effect_of_enter(choice: Choice, names: tuple[str, ...]) -> str:
    view = choice.view
    if view.pending:
        return _("Enter: claim {points}; p: decline.", points=view.pending)
    if choice.play:
        return _play_sentence(choice, choice.play)
    if choice.shed:
        return _("Enter: lay {tile} face down.", tile=str(choice.shed.tile))
    if isinstance(choice.action, Tuck):
        return _("Enter: put {tile} at the end of your row.", tile=str(choice.action.tile))
    if choice.can_draw and not choice.playable:
        return _("Enter: draw.")
    if choice.refusal and not choice.playable:
        return _("Enter: pass.")
    reason = why_not(view, view.hand[choice.tile]) if view.hand else None
    return translate(reason, names) if reason else ""


def _play_sentence(choice: Choice, play: Play) -> str:
    view = choice.view
    tile = str(play.tile)
    if choice.asks_outward:
        numbers = ", ".join(str(other.out) for other in choice.outward_plays)
        if play.at < 0:
            return _("Which half should be open? {numbers}: Enter picks {out}.", numbers=numbers, out=play.out)
        return _("Which number should face out? {numbers}: Enter picks {out}.", numbers=numbers, out=play.out)
    if play.at < 0:
        return _("Enter: lead {tile}.", tile=tile)
    place = next(n for n, end in enumerate(view.ends) if (end.at, end.side) == (play.at, play.side))
    on = view.ends[place].pips if view.ends[place].pips >= 0 else _("wild end")
    points = points_by_end(view, choice)[play.at, play.side]
    scores = " " + _("It scores {points}.", points=points) if points else ""
    if len(choice.places) == 1 or place >= len(END_KEYS):
        return _("Enter: play {tile} on the {on}.", tile=tile, on=on) + scores
    return _("Enter: play {tile} at {key}, on the {on}.", tile=tile, key=END_KEYS[place], on=on) + scores
