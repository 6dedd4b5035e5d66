"""Sentences for games of tricks, of combinations and for one player: events, the end, and the effect of Enter."""

from core.actions import (
    Action,
    Bade,
    Beat,
    Bid,
    Buried,
    Bury,
    Draw,
    Drew,
    Event,
    Fill,
    GiveUp,
    Hid,
    Hide,
    Laid,
    Lay,
    Lead,
    Matched,
    Moved,
    Name,
    Named,
    Pass,
    Passed,
    Play,
    Played,
    Removed,
    RoundOver,
    Scored,
    Take,
    Term,
    Took,
    Turned,
)
from core.combos.state import is_supreme, size_of
from core.layout.state import NOBODY
from core.patience.state import PatienceView
from core.prompts import ask, bid_words, suit_words, tiles_text, trump_words, why_not
from core.tiles import Tile
from core.tricks.state import NO_SUIT, TRUMPS, TrickView
from core.words import Words, words
from tui.board.canvas import columns
from tui.i18n import _, several, translate, with_sign
from tui.model.non_layout_choices import ComboChoice, PatienceChoice, TrickChoice
from tui.text.headlines import Subject, player_subject, round_headline, subject


def trick_event_sentence(event: Event, view: TrickView, names: tuple[str, ...], reader_seat: int, sides: int) -> str:
    """Return an event of the bidding, of a trick, or the end of a hand; empty for an event of another family."""
    player = subject(event, names, reader_seat)
    match event:
        case Passed():
            return player.fill_in("You pass.", "{name} passes.")
        case Bade(bid=bid):
            return player.fill_in("You bid {bid}.", "{name} bids {bid}.", bid=translate(bid_words(bid)))
        case Drew(tiles=tiles):
            return player.fill_in("You take the widow: {tiles}.", "{name} takes the widow.", tiles=tile_list(tiles))
        case Buried(tiles=tiles):
            return player.fill_in("You put {tiles} away.", "{name} puts a tile away.", tiles=tile_list(tiles))
        case Named(trump=trump):
            trump_text = translate(trump_words(trump))
            if trump.kind in TRUMPS:
                return player.fill_in("You name {trump} trumps.", "{name} names {trump} trumps.", trump=trump_text)
            return player.fill_in("You call {trump}.", "{name} calls {trump}.", trump=trump_text)
        case Laid(tile=tile, asks=asks) if asks == NO_SUIT:
            return player.fill_in("You lay {tile}.", "{name} lays {tile}.", tile=str(tile))
        case Laid(tile=tile, asks=asks):
            suit = translate(suit_words(asks))
            return player.fill_in(
                "You lead {tile}: {suit}.", "{name} leads {tile}: {suit}.", tile=str(tile), suit=suit
            )
        case Took(counts=()):
            return player.fill_in("You take the trick.", "{name} takes the trick.")
        case Took(points=points):
            return player.fill_in(
                "You take the trick for {points}, with {counts}.",
                "{name} takes the trick for {points}, with {counts}.",
                points=points,
                counts=_count_tiles_words(event, view, names, reader_seat),
            )
        case RoundOver():
            return hand_headline(event, sides, names, reader_seat)
    return ""


def _count_tiles_words(event: Took, view: TrickView, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the count tiles of a trick, each with the player who laid it if that was not the taker alone."""
    laid_by = {laid.tile: laid.seat for trick in view.tricks for laid in trick.tiles}
    if all(laid_by.get(tile, event.seat) == event.seat for tile in event.counts):
        return tile_list(event.counts)
    return ", ".join(
        player_subject(laid_by[tile], names, reader_seat).fill_in(
            "{tile} from you", "{tile} from {name}", tile=str(tile)
        )
        for tile in event.counts
    )


def hand_headline(
    result: RoundOver, sides: int, names: tuple[str, ...], reader_seat: int, last_tile: Tile | None = None
) -> str:
    """Return the end of a round in a sentence; after bidding, whether the bid was made or set, and by which side.

    `last_tile` is the last one of a layout.
    """
    match result.how:
        case "passed":
            return _("Everybody passed: the next player deals.")
        case "made" | "set":
            winner_names = " + ".join(names[result.winner % sides :: sides])
            yours = reader_seat >= 0 and reader_seat % sides == result.winner % sides
            if sides == len(names):
                return _lone_bidder_sentence(result, names, reader_seat)
            if result.how == "made":
                return (
                    _("Bid made: the round is yours.") if yours else _("{names} made their bid.", names=winner_names)
                )
            return (
                _("Bid defeated: the round is yours.")
                if yours
                else _("{names} defeated the bid.", names=winner_names)
            )
    return round_headline(sides, result, names, reader_seat, last_tile)


def _lone_bidder_sentence(result: RoundOver, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the result of a bidder without a partner."""
    if result.how == "made":
        return player_subject(result.winner, names, reader_seat).fill_in("You made your bid.", "{name} made the bid.")
    bidder = next((term.seat for terms in result.sums for term in terms if term.kind == "bid"), NOBODY)
    return player_subject(bidder, names, reader_seat).fill_in("You missed your bid.", "{name} missed the bid.")


def trick_sentence(choice: TrickChoice, names: tuple[str, ...]) -> str:
    """Return the effect of Enter."""
    view = choice.view
    match choice.action:
        case Pass():
            return _("Enter: pass.")
        case Bid() as bid:
            return _("Enter: bid {bid}.", bid=translate(bid_words(bid)))
        case Name() as trump:
            return _("Enter: name {trump}.", trump=translate(trump_words(trump)))
        case Bury(tile=tile):
            return _("Enter: put {tile} away.", tile=str(tile))
        case Lay(tile=tile) as lay:
            return _lay_sentence(view, lay, str(tile), len(choice.plays) > 1)
    reason = why_not(view, view.hand[choice.tile]) if view.hand else None
    return translate(reason, names) if reason else ""


def _lay_sentence(view: TrickView, lay: Lay, tile: str, has_two_suits: bool) -> str:
    if view.trick:
        return _("Enter: lay {tile}.", tile=tile)
    if not has_two_suits:
        return _("Enter: lead {tile}.", tile=tile)
    suit = translate(suit_words(lay.tile.low if lay.small else lay.tile.high))
    return _("Enter: lead {tile} for {suit}.", tile=tile, suit=suit)


def item_words(item: Action) -> Words:
    """Return a bid or a trump for the list."""
    match item:
        case Bid():
            return bid_words(item)
        case Name():
            return trump_words(item)
        case _:
            return words("pass")


def trump_line(view: TrickView) -> str:
    """Return the contract in a few words."""
    if view.trump is None:
        return ""
    trumps = translate(trump_words(view.trump))
    return _("trumps: {trump}", trump=trumps) if view.trump.kind in TRUMPS else trumps


def hand_sum(terms: tuple[Term, ...], names: tuple[str, ...], reader_seat: int, width: int = 1000) -> str:
    """Return the points of a side number by number; if `width` is too small, without the bidder, then without the
    labels.
    """
    forms = [" + ".join(_term(term, term_names, reader_seat) for term in terms) for term_names in (names, ())]
    forms.append(" + ".join(with_sign(term.amount) for term in terms))
    return next((form for form in forms if columns(form) <= width), forms[-1])


def _term(term: Term, names: tuple[str, ...], reader_seat: int) -> str:
    match term.kind:
        case "marks" if not names:
            return several("{count} mark", "{count} marks", term.amount)
        case "marks" if term.seat == reader_seat:
            return several("{count} mark, as you bid", "{count} marks, as you bid", term.amount)
        case "marks":
            name = names[term.seat]
            return several("{count} mark, as {name} bid", "{count} marks, as {name} bid", term.amount, name=name)
        case "tricks":
            return several("{count} trick", "{count} tricks", term.amount)
        case "counts":
            return _("{points} in counts", points=term.amount)
        case _ if term.amount < 0:
            return _("{points} for the missed bid", points=with_sign(term.amount))
        case _ if not names:
            return _("{points} bid", points=term.amount)
        case _:
            player = player_subject(term.seat, names, reader_seat)
            return player.fill_in("{points} bid by you", "{points} bid by {name}", points=term.amount)


def combo_event_sentence(event: Event, names: tuple[str, ...], reader_seat: int, sides: int) -> str:
    """Return an event of a trick, or the end of a round; empty for an event of another family."""
    player = subject(event, names, reader_seat)
    match event:
        case Matched():
            return _match_sentence(event, player)
        case Hid(tiles=tiles) if player.is_reader:
            return _("You hide {tiles}.", tiles=tiles_text(tiles))
        case Hid(count=count):
            return several("{name} hides {count} tile.", "{name} hides {count} tiles.", count, name=player.name)
        case Took(points=1):
            return player.fill_in("You take the trick.", "{name} takes the trick.")
        case Took(points=tricks):
            return player.fill_in(
                "You take the trick, which counts as {count} tricks.",
                "{name} takes the trick, which counts as {count} tricks.",
                count=tricks,
            )
        case Scored(points=points) if points < 0:
            return player.fill_in("You pay {points} at once.", "{name} pays {points} at once.", points=-points)
        case Scored(points=points):
            return player.fill_in("You get {points} at once.", "{name} gets {points} at once.", points=points)
        case RoundOver():
            return round_headline(sides, event, names, reader_seat)
    return ""


def _match_sentence(event: Matched, player: Subject) -> str:
    tiles = tiles_text(event.tiles)
    if event.beats:
        return player.fill_in("You beat it with {tiles}.", "{name} beats it with {tiles}.", tiles=tiles)
    if is_supreme(event.tiles):
        return player.fill_in(
            "You lead the supreme pair, {tiles}.", "{name} leads the supreme pair, {tiles}.", tiles=tiles
        )
    return player.fill_in("You lead {tiles}.", "{name} leads {tiles}.", tiles=tiles)


def combo_sentence(choice: ComboChoice, names: tuple[str, ...]) -> str:
    """Return the effect of Enter, or the number of tiles still to be picked."""
    view, tiles = choice.view, tiles_text(choice.tiles)
    match choice.action:
        case Lead():
            return _("Enter: lead {tiles}; digits pick tiles.", tiles=tiles)
        case Beat():
            return _("Enter: beat with {tiles}; p: hide.", tiles=tiles)
        case Hide():
            return _("Enter: hide {tiles}; digits pick others.", tiles=tiles)
    missing = size_of(view) - len(choice.picked)
    if view.trick and missing > 0:
        return several("Pick {count} tile more.", "Pick {count} tiles more.", missing)
    if choice.picked:
        return _("{tiles} may not be laid together.", tiles=tiles)
    return translate(ask(view), names)


def patience_event_sentence(event: Event, names: tuple[str, ...], reader_seat: int) -> str:
    """Return an event of a game for one player; empty for an event of another family."""
    player = subject(event, names, reader_seat)
    match event:
        case Removed(tiles=tiles):
            return player.fill_in("You take {tiles}.", "{name} takes {tiles}.", tiles=tile_list(tiles))
        case Moved(tile=tile):
            return player.fill_in(
                "You move {tile} to an empty column.", "{name} moves {tile} to an empty column.", tile=str(tile)
            )
        case Played(tile=tile, on=on):
            return player.fill_in(
                "You lay {tile} on the {on}.", "{name} lays {tile} on the {on}.", tile=str(tile), on=on
            )
        case Turned(tiles=tiles):
            return _("New on the table: {tiles}.", tiles=tile_list(tiles))
        case Drew(tiles=tiles) if player.is_reader:
            return _("You draw {tiles}.", tiles=tile_list(tiles))
        case Drew(count=count):
            return several("{name} draws {count} tile.", "{name} draws {count} tiles.", count, name=player.name)
        case RoundOver():
            return game_end_sentence(event)
    return ""


def game_end_sentence(result: RoundOver) -> str:
    """Return the end of the game in a sentence: solved, or the number of tiles left."""
    if result.winner >= 0:
        return _("Solved!")
    remaining = sum(result.points)
    if result.how == "given_up":
        return several("Given up with {count} tile left.", "Given up with {count} tiles left.", remaining)
    if result.how == "stopped":
        return _("The match ended without a winner.")
    return several(
        "No move is left, and {count} tile remains.", "No move is left, and {count} tiles remain.", remaining
    )


def patience_sentence(choice: PatienceChoice, _names: tuple[str, ...]) -> str:
    """Return the effect of Enter."""
    view = choice.view
    match choice.action:
        case Take(tiles=tiles):
            return _("Enter: take {tiles}.", tiles=tile_list(tiles))
        case Fill(tile=tile):
            return _("Enter: move {tile} to the empty column.", tile=str(tile))
        case Draw():
            return _("Enter: turn over the next tile.")
        case GiveUp():
            remaining = view.counts[0]
            return several(
                "Enter: give up: {count} tile is left.", "Enter: give up: {count} tiles are left.", remaining
            )
        case Play(tile=tile) as play:
            return _("Enter: lay {tile} {where}.", tile=str(tile), where=end_words(play))
    return ""


def end_words(play: Play) -> str:
    """Return the end of the line at which a tile is laid."""
    on = play.tile.other(play.out)
    return _("on the right, on the {on}", on=on) if play.side else _("on the left, on the {on}", on=on)


def item_label(item: Action) -> str:
    """Return a move for the list."""
    match item:
        case Take(tiles=tiles):
            return " + ".join(map(str, tiles))
        case Fill(tile=tile):
            return _("move {tile}", tile=str(tile))
        case Draw():
            return _("next tile")
        case Play(tile=tile, side=side):
            return _("{tile} right", tile=str(tile)) if side else _("{tile} left", tile=str(tile))
    return _("give up")


def patience_title(view: PatienceView) -> str:
    """Return the right part of the title: the number of tiles left, and the size of the boneyard."""
    remaining_words = several("{count} tile left", "{count} tiles left", view.counts[0])
    return (
        f"{remaining_words} · {_('boneyard {count}', count=count)}"
        if (count := closed_boneyard(view))
        else remaining_words
    )


def closed_boneyard(view: PatienceView) -> int:
    """Return the number of tiles face down in the boneyard: none at the end, when all tiles are shown."""
    return 0 if view.result else view.boneyard


def tile_list(tiles: tuple[object, ...]) -> str:
    """Return tiles separated by commas."""
    return ", ".join(map(str, tiles))
