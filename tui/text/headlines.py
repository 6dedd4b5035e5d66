"""The winner of a round or a match in one sentence, and the sums of a round's points, in every family of games."""

from collections.abc import Collection
from typing import NamedTuple

from core.actions import Dealt, Event, MatchOver, RoundOver, Term, Turned
from core.layout.policies import FIVE, nearest
from core.layout.state import NOBODY, commonest_number, count_doubles
from core.match import MatchView, losers_of
from core.tiles import STAR, Hand, Tile
from core.words import LoserName, TermKind, phrase
from tui.i18n import _, several, sign_of
from tui.text.names import tile_words


class Subject(NamedTuple):
    """Subject of a sentence: a player, or the players of a side."""

    name: str
    is_reader: bool
    """True if the sentence is read by its subject."""

    def fill_in(self, yours: str, theirs: str, **values: object) -> str:
        """Fill in the template for the reader, `yours`, or that for others, with `name` and the values."""
        return _(yours if self.is_reader else theirs, name=self.name, **values)


def player_subject(seat: int, names: tuple[str, ...], reader_seat: int) -> Subject:
    """Return the player of a seat as a subject; `reader_seat` may be -1."""
    return Subject(names[seat], seat == reader_seat)


def subject(event: Event, names: tuple[str, ...], reader_seat: int) -> Subject:
    """Return the player of an event as a subject; for an event without a seat, a subject without a name."""
    if isinstance(event, Dealt | MatchOver | RoundOver | Turned):
        return Subject("", is_reader=False)
    return player_subject(event.seat, names, reader_seat)


def recorded_player(seat: int, names: tuple[str, ...], reader_seat: int) -> Subject:
    """Return a player of a recorded match as a subject; there, a solo player may be called “You”."""
    return Subject(names[seat], seat == reader_seat or names[seat] == _("You"))


def hand_sentence(player: Subject, tiles: str) -> str:
    """Return a hand in a recorded match."""
    if not tiles:
        return player.fill_in("You hold nothing.", "{name} holds nothing.")
    return player.fill_in("You hold {tiles}.", "{name} holds {tiles}.", tiles=tiles)


def side_name(side: int, names: tuple[str, ...], sides: int) -> str:
    """Return the name of a side: its player's, or both partners'."""
    return " + ".join(names[side::sides]) if 0 < sides < len(names) else names[side]


def side_subject(side: int, names: tuple[str, ...], sides: int, reader_seat: int) -> Subject:
    """Return a side as a subject; it is the reader if `reader_seat` is its only player."""
    return Subject(side_name(side, names, sides), side == reader_seat and not 0 < sides < len(names))


def sides_subject(chosen_sides: Collection[int], names: tuple[str, ...], sides: int, reader_seat: int) -> Subject:
    """Return several sides as a subject; if the reader's side is among them, the name leaves that side out."""
    own_side = reader_seat % (sides or len(names)) if reader_seat >= 0 else NOBODY
    others = [side_name(side, names, sides) for side in chosen_sides if side != own_side]
    return Subject(" & ".join(others), own_side in chosen_sides)


def people_count(chosen_sides: Collection[int], names: tuple[str, ...], sides: int) -> int:
    """Return the number of people on `chosen_sides`, which decides between singular and plural."""
    return len(chosen_sides) * len(names) // sides if 0 < sides < len(names) else len(chosen_sides)


def match_headline(
    match: MatchView, result: RoundOver, names: tuple[str, ...], reader_seat: int, round_sentence: str
) -> str:
    """Return the winner of the match, with the loser's title or how the winner went out; before the end,
    `round_sentence`.
    """
    if match.goal.zero_wins and match.over:
        return round_sentence
    loser_sentence = loser_words(
        match.goal.loser, losers_of(match.goal, match.scores), names, match.sides, reader_seat
    )
    ending = loser_sentence or (round_sentence if result.how == "out" else "")
    if match.winners and match.unfinished:
        return resignation_sentence(match.winners[0], names, match.sides, reader_seat)
    if match.winners:
        losers = [score for side, score in enumerate(match.scores) if side not in match.winners]
        if len(match.winners) == 1 and match.goal.shutout and not any(losers):
            return _shutout_sentence(match, names, reader_seat)
        sentence = winners_sentence(match.winners, names, match.sides, reader_seat)
        return _with_ending(sentence, ending if len(match.winners) == 1 else loser_sentence)
    if match.unfinished:
        return unfinished_sentence(match.agreed)
    return _("The match is drawn.") if match.over else round_sentence


def unfinished_sentence(agreed: tuple[int, ...]) -> str:
    """Return the end of a match without a winner in a sentence; the seats in `agreed` wanted that."""
    if len(agreed) > 1:
        return _("All agreed to end the match; nobody wins.")
    return _("The match ended without a winner.")


def resignation_sentence(winner: int, names: tuple[str, ...], sides: int, reader_seat: int) -> str:
    """Return the end of a match in which the other side than `winner` gave up, in two sentences."""
    loser = 1 - winner
    side, count = sides_subject((loser,), names, sides, reader_seat), people_count((loser,), names, sides)
    resigned = (
        _("You resign.") if side.is_reader else several("{name} resigns.", "{name} resign.", count, name=side.name)
    )
    return f"{resigned} {winners_sentence((winner,), names, sides, reader_seat)}"


def winners_sentence(winners: tuple[int, ...], names: tuple[str, ...], sides: int, reader_seat: int) -> str:
    """Return the sides that won the match in a sentence."""
    winner = sides_subject(winners, names, sides, reader_seat)
    if len(winners) > 1:
        return winner.fill_in("You share the match with {names}.", "{names} share the match.", names=winner.name)
    return (
        _("You win the match!")
        if winner.is_reader
        else _win_sentence(winner.name, people_count(winners, names, sides))
    )


def _shutout_sentence(match: MatchView, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the winner of a match in which the others have no point, with the name of such a match."""
    yours = reader_seat >= 0 and match.winners == (reader_seat % match.sides,)
    name, count = side_name(match.winners[0], names, match.sides), people_count(match.winners, names, match.sides)
    if match.goal.shutout == "zapato":
        if yours:
            return _("You win the match, and the others have no point: zapato!")
        return several(
            "{name} wins the match, and the others have no point: zapato!",
            "{name} win the match, and the others have no point: zapato!",
            count,
            name=name,
        )
    if match.goal.shutout == "six_love":
        if yours:
            return _("You win the match: six love!")
        return several("{name} wins the match: six love!", "{name} win the match: six love!", count, name=name)
    return _("You win the match!") if yours else _win_sentence(name, count)


def _win_sentence(name: str, count: int) -> str:
    return several("{name} wins the match.", "{name} win the match.", count, name=name)


def _with_ending(sentence: str, ending: str) -> str:
    return f"{sentence} {ending}" if ending else sentence


def round_headline(
    sides: int, result: RoundOver, names: tuple[str, ...], reader_seat: int, last_tile: Tile | None = None
) -> str:
    """Return the winner of the round, and how it ended; `last_tile` is the tile with which a player may have gone
    out.
    """
    sentence = _round_sentence(sides, result, names, reader_seat, last_tile)
    kinds = {term.kind for terms in result.sums for term in terms}
    return f"{sentence} " + _("All scores go back to zero.") if kinds == {"reset"} else sentence


def _round_sentence(
    sides: int, result: RoundOver, names: tuple[str, ...], reader_seat: int, last_tile: Tile | None
) -> str:
    match result.how:
        case "out":
            return _last_tile_call(result) + _out_sentence(
                player_subject(result.winner, names, reader_seat), last_tile
            )
        case "all_laid":
            return player_subject(result.winner, names, reader_seat).fill_in(
                "All tiles are laid: the round is yours.", "All tiles are laid: {name} wins the round."
            )
        case "last_trick":
            return player_subject(result.winner, names, reader_seat).fill_in(
                "You take the last trick and win the round.", "{name} takes the last trick and wins the round."
            )
        case "redeal" | "doubles" | "alike":
            return _redeal_sentence(result, names, reader_seat)
        case "gaple" if result.tied:
            tied = sides_subject(result.tied, names, sides, reader_seat)
            return tied.fill_in(
                "Gaple: you share the round with {names}.", "Gaple: {names} share the round.", names=tied.name
            )
        case "gaple":
            return player_subject(result.winner, names, reader_seat).fill_in(
                "Gaple: the round is yours.", "Gaple: {name} wins the round."
            )
        case "fish" | "eggs":
            return _goat_block_sentence(sides, result, names, reader_seat)
        case "stuck":
            return _("Nothing fits and nothing may be drawn: the round is over.")
        case "target":
            return player_subject(result.winner, names, reader_seat).fill_in(
                "You have reached the target.", "{name} has reached the target."
            )
    return _block_sentence(sides, result, names, reader_seat)


def _block_sentence(sides: int, result: RoundOver, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the player who blocked the line, or whose hand was lightest."""
    if result.blocker >= 0:
        blocked = player_subject(result.blocker, names, reader_seat).fill_in(
            "You blocked the line, though you could have kept it open.",
            "Blocked by {name}, who could have kept the line open.",
        )
        if result.assistant < 0:
            return blocked
        return f"{blocked} " + player_subject(result.assistant, names, reader_seat).fill_in(
            "You helped.", "{name} helped."
        )
    if result.winner >= 0:
        return player_subject(result.winner, names, reader_seat).fill_in(
            "Blocked: the round is yours.", "Blocked: {name} wins the round."
        )
    if not result.tied:
        return _("Blocked.")
    tied = sides_subject(result.tied, names, sides, reader_seat)
    if any(result.points):
        return tied.fill_in(
            "Blocked: you share the round with {names}.", "Blocked: {names} share the round.", names=tied.name
        )
    return tied.fill_in(
        "Blocked: you tie with {names}, so nobody scores.",
        "Blocked: {names} tie, so nobody scores.",
        names=tied.name,
    )


def _last_tile_call(result: RoundOver) -> str:
    """Return the call for the last tile; empty for an ordinary one."""
    calls: dict[TermKind, str] = {
        "capicua": _("Capicúa!"),
        "chuchazo": _("Chuchazo!"),
        "both_ends": _("Lá-e-lô!"),
        "cruzada": _("Cruzada!"),
        "key": _("A key!"),
    }
    return "".join(f"{calls[term.kind]} " for terms in result.sums for term in terms if term.kind in calls)


def _redeal_sentence(result: RoundOver, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the reason why the tiles are dealt again: a lopsided hand, or nobody could lead."""
    if result.how == "redeal":
        return _("Nobody could lead: the tiles are dealt again.")
    counts_by_seat = [
        count_doubles(hand) if result.how == "doubles" else commonest_number(hand)[1] for hand in result.hands
    ]
    count = max(counts_by_seat)
    seat = counts_by_seat.index(count)
    player = player_subject(seat, names, reader_seat)
    if result.how == "doubles":
        return player.fill_in(
            "You hold {count} doubles: the tiles are dealt again.",
            "{name} holds {count} doubles: the tiles are dealt again.",
            count=count,
        )
    return player.fill_in(
        "You hold {count} tiles with {number}: the tiles are dealt again.",
        "{name} holds {count} tiles with {number}: the tiles are dealt again.",
        count=count,
        number=commonest_number(result.hands[seat])[0],
    )


def _goat_block_sentence(sides: int, result: RoundOver, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the sentence for a blocked round of Goat; after a tie of two sides, it names the eggs."""
    if result.how == "eggs":
        eggs = result.carry[0] if result.carry else 0
        return _("Eggs: both sides tie, and {count} pips wait for whoever loses next.", count=eggs)
    if result.tied:
        tied = sides_subject(result.tied, names, sides, reader_seat)
        return tied.fill_in(
            "Fish: you share the round with {names}.", "Fish: {names} share the round.", names=tied.name
        )
    if result.winner % sides == reader_seat % sides and reader_seat >= 0:
        return _("Fish: the round is yours.")
    side = result.winner % sides
    count, name = people_count((side,), names, sides), side_name(side, names, sides)
    return several("Fish: {name} wins the round.", "Fish: {name} win the round.", count, name=name)


def count_sentence(side: int, names: tuple[str, ...], sides: int, sum_words: str, reader_seat: int) -> str:
    """Return the count of a side after a round."""
    name, is_reader = side_subject(side, names, sides, reader_seat)
    if is_reader:
        return _("You count {sum}.", sum=sum_words)
    if reader_seat >= 0 and side == reader_seat % sides:
        partners = " & ".join(names[seat] for seat in range(side, len(names), sides) if seat != reader_seat)
        return _("You and {names} count {sum}.", names=partners, sum=sum_words)
    return several(
        "{name} counts {sum}.", "{name} count {sum}.", people_count((side,), names, sides), name=name, sum=sum_words
    )


def score_sentence(side: int, names: tuple[str, ...], sides: int, score: str, reader_seat: int) -> str:
    """Return the score of a side after a round; `score` says how it came about."""
    scorer = sides_subject((side,), names, sides, reader_seat)
    return scorer.fill_in("Your score: {score}.", "Score of {name}: {score}.", score=score)


def waiting_words(sides: int, result: RoundOver, names: tuple[str, ...], reader_seat: int) -> str:
    """Return the sums that wait because they are too small to be written down; empty if none waits."""
    sentences = [
        sides_subject((side,), names, sides, reader_seat).fill_in(
            "{amount} hang for you.", "{amount} hang for {name}.", amount=-term.amount
        )
        for side, terms in enumerate(result.sums)
        for term in terms
        if term.kind == "waits"
    ]
    return " ".join(sentences)


def loser_words(
    loser_name: LoserName, losers: tuple[int, ...], names: tuple[str, ...], sides: int, reader_seat: int
) -> str:
    """Return the losers by the game's name for them; empty if the game has no such name or nobody lost."""
    if not losers or loser_name not in ("goat", "sea_goat"):
        return ""
    if reader_seat >= 0 and reader_seat % (sides or len(names)) in losers:
        others = [
            name for seat, name in enumerate(names) if seat % (sides or len(names)) in losers and seat != reader_seat
        ]
        if loser_name == "goat":
            singular, plural = phrase("You are the goat."), phrase("You and {names} are the goats.")
        else:
            singular, plural = phrase("You are the sea goat."), phrase("You and {names} are the sea goats.")
        return _(plural if others else singular, names=" & ".join(others))
    loser_names, count = sides_subject(losers, names, sides, NOBODY).name, people_count(losers, names, sides)
    if loser_name == "goat":
        return several("The goat is {names}.", "The goats are {names}.", count, names=loser_names)
    return several("The sea goat is {names}.", "The sea goats are {names}.", count, names=loser_names)


def _out_sentence(player: Subject, last_tile: Tile | None) -> str:
    if last_tile is None:
        return player.fill_in("You are out: the round is yours.", "{name} is out and wins the round.")
    tile = tile_words(last_tile)
    return player.fill_in(
        "You are out with {tile}: the round is yours.", "{name} is out with {tile} and wins the round.", tile=tile
    )


AMOUNT_PHRASES: dict[TermKind, str] = {
    "boneyard": phrase("{amount} in the boneyard"),
    "share": phrase("{amount} as an equal share"),
    "rounded": phrase("{amount} by rounding"),
    "eggs": phrase("{amount} of eggs"),
    "hung": phrase("{amount} that hung"),
    "waits": phrase("{amount} that hang"),
    "lost": phrase("{amount}, too few to be written down"),
    "wall": phrase("{amount} kept back by the wall"),
    "out": phrase("{amount} for going out"),
    "blank": phrase("{amount} for 0|0"),
    "blank_halves": phrase("{amount} for blank halves"),
    "star": phrase("{amount} for wild halves"),
    "tens": phrase("{amount} by counting in tens"),
    "capicua": phrase("{amount} for the capicúa"),
    "chuchazo": phrase("{amount} for the chuchazo"),
    "hand_bonus": phrase("{amount} as this round's bonus"),
    "both_ends": phrase("{amount} for the lá-e-lô"),
    "cruzada": phrase("{amount} for the cruzada"),
    "double": phrase("{amount} for going out with a double"),
    "block": phrase("{amount} for the block"),
    "key": phrase("{amount} for the key"),
    "reset": phrase("{amount} as all go back to zero"),
    "unwon": phrase("{amount} for blocks that nobody won"),
}
"""Words for amounts that are not the pips of a hand."""


def sum_of(
    terms: tuple[Term, ...],
    names: tuple[str, ...],
    hands: tuple[Hand, ...] = (),
    unnamed_seats: Collection[int] = (),
    reader_seat: int = NOBODY,
) -> str:
    """Return a sum in words: `12 from bela + 50 for 0|0 − 2 held by ada`.

    Without `names`, for narrow places, the pips of hands are bare numbers; other amounts keep their words. With
    `hands`, it shows where their pips were rounded. Pips of `unnamed_seats` have no name.
    """
    sum_words = ""
    for term in terms:
        is_minus = term.amount < 0 or term.kind == "own"
        sign = sign_of(-1 if is_minus else 1)
        sign = f" {sign} " if sum_words else sign * is_minus
        sum_words += sign + _term_words(term, names, hands, unnamed_seats, reader_seat)
    return sum_words


def _term_words(
    term: Term, names: tuple[str, ...], hands: tuple[Hand, ...], unnamed_seats: Collection[int], reader_seat: int
) -> str:
    amount = abs(term.amount)
    if term.kind in AMOUNT_PHRASES:
        return _(AMOUNT_PHRASES[term.kind], amount=amount)
    if not names or term.seat < 0:
        return str(amount)
    if term.seat in unnamed_seats and term.kind in ("pips", "own"):
        text = _("{amount} held", amount=amount) if term.kind == "own" else str(amount)
    else:
        text = _term_with_player(term, amount, player_subject(term.seat, names, reader_seat))
    is_from_hand = term.kind in ("pips", "own") and hands
    return (
        text + _rounding_words(amount, sum(tile.pips for tile in hands[term.seat] if tile != STAR))
        if is_from_hand
        else text
    )


def _term_with_player(term: Term, amount: int, player: Subject) -> str:
    """Return an amount that refers to a player."""
    match term.kind:
        case "own":
            return player.fill_in("{amount} held by you", "{amount} held by {name}", amount=amount)
        case "pips":
            return player.fill_in("{amount} from you", "{amount} from {name}", amount=amount)
        case "bonus":
            return player.fill_in("{amount} as you are out", "{amount} as {name} is out", amount=amount)
        case "paid":
            return player.fill_in("{amount} paid to you", "{amount} paid to {name}", amount=amount)
        case "got":
            return player.fill_in("{amount} paid by you", "{amount} paid by {name}", amount=amount)
    return player.fill_in("{amount} from you", "{amount} from {name}", amount=amount)


def _rounding_words(counted: int, pips: int) -> str:
    """Return the rounding of a hand's pips in words; empty if `counted` and `pips` are equal."""
    rounded = (nearest(pips), nearest(pips, 3))
    if counted == pips or counted not in (*rounded, rounded[0] // FIVE):
        return ""
    how = _("rounded") if counted in rounded else _("in fives")
    return f" ({how})"
