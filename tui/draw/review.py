"""A review as text and drawings: the luck, the cost of decisions, and the decisive moments."""

from msgspec.structs import replace

from core.coach.review import Judgement, ReplayedMatch, Review
from core.layout.state import NOBODY
from core.match import MatchView
from core.variant import AnyView
from net.players.text import clean_name
from net.wire.messages import SeatInfo, TableInfo, Update
from tui.board.canvas import Picture, columns, fit, plain
from tui.draw.panels import wrap
from tui.draw.scene import draw_band
from tui.i18n import _, several
from tui.model.choice import AnyChoice
from tui.model.look import Look
from tui.model.presenter import Moment, presenter_of
from tui.text.coach import (
    cost_sentence,
    cost_words,
    decision_sentence,
    error_words,
    give_or_take,
    headline,
    luck_words,
    scale_words,
    surplus,
    verdict_words,
)
from tui.text.headlines import side_name, side_subject

TEXT_WIDTH = 76
BOARD_HEIGHT, HAND_HEIGHT = 13, 5
"""Rows for a board and a hand; those that stay empty are left out."""
NUMBER_COLUMN_WIDTH = 14
"""Width of a column of numbers; a name stands above two of them."""


def review_text(match: ReplayedMatch, review: Review, look: Look, reader_seat: int = NOBODY) -> str:
    """Return the review as text in lines of at most `TEXT_WIDTH` columns."""
    names = names_of(match)
    parts = [
        "\n".join(line for verdict in verdicts(match, review, reader_seat) for line in wrap(verdict, TEXT_WIDTH))
    ]
    parts += [
        "\n".join(wrap(headline(match.match, names, reader_seat), TEXT_WIDTH)),
        _luck_text(match, review, names, reader_seat),
        _costs_text(review, names),
    ]
    moments = review.moments
    if moments:
        title = several("The moment that decided it", "{count} moments that decided it", len(moments))
        parts.append("# " + title)
        parts += [
            _moment_text(number, judgement, match, look, reader_seat) for number, judgement in enumerate(moments, 1)
        ]
    elif review.decisions:
        parts.append(_("Nobody did anything that can be called a mistake."))
    return plain("\n\n".join(parts), look.ascii)


def rounds_text(match: ReplayedMatch, review: Review, rounds: int, look: Look, reader_seat: int = NOBODY) -> str:
    """Return the review of the first `rounds` of a match as text."""
    names = names_of(match)
    title = _("The first {rounds} of {count} rounds", rounds=rounds, count=match.match.round)
    lines = wrap("\n".join(cost_lines(review, names)), TEXT_WIDTH)
    return plain(
        "\n\n".join([f"# {title}", _luck_text(match, review, names, reader_seat), "\n".join(lines)]), look.ascii
    )


def verdicts(match: ReplayedMatch, review: Review, reader_seat: int) -> list[str]:
    """Return, for every reviewed seat, a sentence about whether luck or play decided its result."""
    names = names_of(match)
    return [
        verdict_words(match.match, review, seat, "" if seat == reader_seat else names[seat])
        for seat in review.reviewed
    ]


def names_of(match: ReplayedMatch) -> tuple[str, ...]:
    """Return the names on the seats, cleaned for display."""
    return tuple(clean_name(seat.name) or "?" for seat in match.seats)


def sides_of(match: ReplayedMatch, review: Review) -> list[int]:
    """Return the sides whose luck is described; of two sides only the first, as the other mirrors it."""
    sides = match.match.rules.sides
    described = list(dict.fromkeys(seat % sides for seat in review.reviewed))
    return described[:1] if sides == 2 else described


def _luck_text(replayed: ReplayedMatch, review: Review, names: tuple[str, ...], reader_seat: int) -> str:
    luck, sides = review.luck, replayed.match.rules.sides
    described_sides = sides_of(replayed, review)
    sentences = [luck_words(luck, side, side_subject(side, names, sides, reader_seat)) for side in described_sides]
    lines = ["# " + _("Luck"), *wrap("\n".join(sentences), TEXT_WIDTH), ""]
    for start in range(0, len(described_sides), 2):
        lines += _round_lines(review, described_sides[start : start + 2], names, sides)
    return "\n".join([*lines, *wrap(error_words(), TEXT_WIDTH)])


def _round_lines(review: Review, sides: list[int], names: tuple[str, ...], side_count: int) -> list[str]:
    """Return a row for each round: the surplus of some sides, and how much of it was luck."""
    name_cells = [
        _column(fit(side_name(side, names, side_count), 2 * NUMBER_COLUMN_WIDTH - 4), 2 * NUMBER_COLUMN_WIDTH)
        for side in sides
    ]
    column_heads = [_column(_("ahead"), NUMBER_COLUMN_WIDTH) + _column(_("luck"), NUMBER_COLUMN_WIDTH)] * len(sides)
    lines = [_column("", 7) + "".join(name_cells), _column(_("round"), 7) + "".join(column_heads)]
    for deal in review.luck.rounds:
        cells = [
            _column(surplus(deal.gained[side]), NUMBER_COLUMN_WIDTH)
            + _column(give_or_take(deal.luck[side], deal.error[side]), NUMBER_COLUMN_WIDTH)
            for side in sides
        ]
        lines.append(_column(str(deal.round), 7) + "".join(cells))
    return ["  " + line.rstrip() for line in lines] + [""]


def _column(text: str, width: int) -> str:
    return " " * (width - columns(text)) + text


def _costs_text(review: Review, names: tuple[str, ...]) -> str:
    lines = ["# " + _("Decisions"), *cost_lines(review, names), scale_words(review)]
    return "\n".join(wrap("\n".join(lines), TEXT_WIDTH))


def cost_lines(review: Review, names: tuple[str, ...]) -> list[str]:
    """Return a line about the cost of the decisions of each reviewed seat."""
    return [cost_words(review, seat, names[seat]) for seat in review.reviewed if review.of(seat) or not review.noisy]


def decision_words(match: ReplayedMatch, judged: Judgement, reader_seat: int) -> str:
    """Return a decision and its judgement in one line, its cost and its place in the replay in a second one."""
    play = view_at(match, judged).play
    sentence = decision_sentence(judged, play, names_of(match), reader_seat) if play else ""
    place = _("Round {round}, step {step} of the replay.", round=judged.round, step=judged.number)
    return f"{sentence}\n" + " ".join(filter(None, (cost_sentence(judged), place)))


def view_at(match: ReplayedMatch, judgement: Judgement) -> MatchView:
    """Return the view of a seat when it decided."""
    return next(decision.view for decision in match.decisions if decision.number == judgement.number)


def table_of(match: ReplayedMatch, view: MatchView, seat: int) -> Update:
    """Return the table as a seat would have seen it."""
    seats = tuple(SeatInfo(name, seat.bot) for name, seat in zip(names_of(match), match.seats, strict=True))
    return Update(1, TableInfo(0, "", view.game, view.options, seats, 0, "playing"), seat, view)


def _moment_text(number: int, judgement: Judgement, match: ReplayedMatch, look: Look, reader_seat: int) -> str:
    lines = wrap(f"{number}. {decision_words(match, judgement, reader_seat)}", TEXT_WIDTH)
    return "\n".join([*lines, "", *_position_lines(judgement, match, look)])


def _position_lines(judgement: Judgement, match: ReplayedMatch, look: Look) -> list[str]:
    """Return the board and the hand at that point, with the better move chosen."""
    view = view_at(match, judgement)
    play = view.play
    if play is None:
        return []
    update = table_of(match, view, judgement.seat)
    moment = Moment(update=update, choice=choice_of_best(play, judgement), is_live=False, played=judgement.action)
    board = presenter_of(play).table(moment, TEXT_WIDTH - 2, BOARD_HEIGHT, replace(look, largest="small"))
    return [*picture_lines(board), "", *picture_lines(draw_band(moment, TEXT_WIDTH - 2, HAND_HEIGHT, look))]


def choice_of_best(play: AnyView, judgement: Judgement) -> AnyChoice:
    """Return the choice with which Enter does the best action; if no choice does it, an arbitrary one."""
    choice: AnyChoice = presenter_of(play).choose(play, None)
    for _step in range(max(len(play.hand), len(choice.items))):
        if judgement.best in choice.plays or judgement.best == choice.action:
            break
        choice = choice.move(1)
    for _turn in choice.plays:
        if judgement.best == choice.action:
            break
        choice = choice.turn(1)
    return choice


def picture_lines(picture: Picture) -> list[str]:
    """Return the rows of a picture without empty ones above and below, indented so that they are never broken."""
    lines = ["  " + line if line else "" for line in str(picture).split("\n")]
    while lines and not lines[0]:
        lines = lines[1:]
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines
