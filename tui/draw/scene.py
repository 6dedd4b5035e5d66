"""Draws the whole table, from the view and the choice of a seat; without Textual."""

from typing import NamedTuple

from core.layout.state import NOBODY, LayoutView
from core.match import MatchView
from core.prompts import ask
from core.variant import AnyView
from tui.board.canvas import Canvas, Picture, Style, beside, blank, columns, plain, stack
from tui.draw.hands import draw_face_down, draw_hand, draw_row
from tui.draw.invitation import draw_invitation, fitting_qr_code
from tui.draw.panels import (
    SeatSummary,
    always_named_keys,
    draw_bar,
    draw_foot_rows,
    draw_lines,
    draw_players,
    draw_sentence,
    has_room_below,
    keys_width,
    mark_of,
    replace_enter,
    wrap,
)
from tui.draw.window_layout import Rows, SidePanel, draw_side
from tui.i18n import _, clock_text, gained_words, pgettext, several, translate, with_sign
from tui.model.look import Look, is_narrow
from tui.model.presenter import Moment, SeatFacts, presenter_of
from tui.text.at_table import bot_words, changed_rules, time_limits
from tui.text.headlines import side_name
from tui.text.names import rules_name

TURNED_TILE_WIDTH = 12
"""Columns for a tile turned over, beside the row from which it comes."""
MAX_LINE_WIDTH = 100
"""Maximum width of a line that is easy to read."""
PROGRAM_NAME = "BONEYARD"


def draw_title(moment: Moment, width: int, look: Look) -> Picture:
    """Draw the title: game, round, and number of tiles in the boneyard."""
    table, match = moment.update.table, moment.update.match
    title_parts = [rules_name(table.game, table.options)]
    name, right = [(PROGRAM_NAME, True)], ""
    if match and match.play:
        title_parts += _progress_words(match)
        right = presenter_of(match.play).title(match, match.play)
        if moment.has_partners:
            max_width = (
                width
                - columns(" · ".join(title_parts))
                - columns(right)
                - 7
                - (0 if is_narrow(width) else len(PROGRAM_NAME) + 2)
            )
            right = "   ".join(filter(None, (_scores_of_sides(moment, max_width, look), right)))
        if moment.lanes_have_scores:  # the heads of the two columns of numbers beside the lanes
            column_heads = ("|" if look.ascii else "▌") + _("tiles, points")
            fits = width >= columns(" · ".join(title_parts)) + columns(column_heads) + columns(right) + 8
            right = f"{column_heads}   {right}" if fits else right
    if moment.update.seat == NOBODY and moment.is_live:
        title_parts.append(_("watching"))
    if is_narrow(width) or len(PROGRAM_NAME) + columns(title_parts[0]) + columns(right) + 6 > width:
        name = []
    return draw_bar((*name, (" · ".join(title_parts), False)), right, width, look.theme, ascii=look.ascii)


def _scores_of_sides(moment: Moment, max_width: int, look: Look) -> str:
    """Return each side's mark and score, with the names of the partners if all fit."""
    own_seat = max(0, moment.update.seat)
    scores = {}
    for number in range(moment.sides):
        side = (own_seat + number) % moment.sides
        hand_count, match = moment.hand_count(side), moment.update.match
        score = with_sign(hand_count.score if hand_count else match.scores[side] if match else 0)
        gained_text = gained_words(hand_count.gained) if hand_count else ""
        scores[f"{mark_of(number, ascii=look.ascii)} {side_name(side, moment.names, moment.sides)}"] = " ".join(
            filter(None, (score, gained_text))
        )
    full_text = "   ".join(f"{label} {score}" for label, score in scores.items())
    return (
        full_text
        if columns(full_text) <= max_width
        else "  ".join(f"{label[0]} {score}" for label, score in scores.items())
    )


def _progress_words(match: MatchView) -> list[str]:
    """Return the progress of the match."""
    goal = match.goal
    if goal.rounds == 1:
        return []
    if goal.rounds:
        rounds = _("round {number} of {count}", number=match.round, count=goal.rounds)
        return [rounds, _("lowest wins")] if goal.lowest else [rounds]
    return [_("to {target}", target=goal.target), _("round {number}", number=match.round)]


def draw_seats(moment: Moment, width: int, look: Look, height: int = 2) -> Picture:
    """Draw the strip of players in one or two rows; if partners play together, in the order of seats, with
    you last.
    """
    seat_count, own_seat = len(moment.names), moment.update.seat
    first = own_seat + 1 if moment.has_partners and own_seat != NOBODY else 0
    seat_facts = _seat_facts(moment)
    players = tuple(
        _seat_summary(moment, seat % seat_count, seat_facts, shows_score=not moment.has_partners)
        for seat in range(first, first + seat_count)
    )
    return draw_players(players, width, look.theme, height=height, ascii=look.ascii)


def _seat_facts(moment: Moment) -> SeatFacts:
    """Return the family's facts about the players."""
    match, view = moment.update.match, moment.view
    return presenter_of(view).seat_facts(match, view) if match and view else SeatFacts({}, {})


def _seat_summary(moment: Moment, seat: int, seat_facts: SeatFacts, *, shows_score: bool) -> SeatSummary:
    """Return the summary of a seat."""
    view, match, info = moment.view, moment.update.match, moment.update.table.seats[seat]
    counted_hand, own_seat = moment.hand_count(seat), max(0, moment.update.seat)
    score = counted_hand.score if counted_hand else match.scores[seat % match.sides] if match else 0
    return SeatSummary(
        name=moment.names[seat],
        score=with_sign(score) if match and shows_score else "",
        tile_count=view.counts[seat] if view else None,
        face_down_count=_face_down_count(view, seat),
        is_on_turn=view is not None and view.turn == seat,
        relation=moment.relation_of(seat),
        note=_seat_note(moment, seat) or _clock_words(moment, seat),
        grace=moment.grace_words(seat),
        description="" if info.away else bot_words(info),
        lacked_numbers=seat_facts.lacked_numbers.get(seat, ("", "")),
        side=(seat - own_seat) % moment.sides if moment.has_partners else -1,
        hand=counted_hand.hand if counted_hand else None,
        hand_words=counted_hand.words if counted_hand else "",
        gained=gained_words(counted_hand.gained) if counted_hand and shows_score else "",
        last_tile=seat_facts.last_tiles.get(seat),
    )


def _face_down_count(view: AnyView | None, seat: int) -> int:
    """Return the number of tiles that a seat has laid face down."""
    return view.shed[seat] if isinstance(view, LayoutView) and view.shed else 0


def _seat_note(moment: Moment, seat: int) -> str:
    info = moment.update.table.seats[seat]
    if grace := moment.grace_words(seat):
        return _("away, bot in {time}", time=grace)
    if info.away:
        return _("away, bot plays")
    return _("bot") if info.bot else ""


def _clock_words(moment: Moment, seat: int) -> str:
    """Return the time that a player has left for the match."""
    times, table = moment.update.times, moment.update.table
    if times is None or not table.match_time or moment.view is None:
        return ""
    is_on_turn = moment.view is not None and moment.view.turn == seat and moment.seconds_left is not None
    seconds_left = times.match[seat]
    return clock_text(
        round(min(seconds_left, moment.seconds_left or 0) if is_on_turn and not table.turn_time else seconds_left)
    )


def draw_middle(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the board, the result of the round or, before the first round, the waiting table."""
    match, view = moment.update.match, moment.view
    if match is None or view is None:
        return draw_waiting(moment, width, height, look)
    presenter, look = presenter_of(view), look.for_tiles(view)
    if moment.shows_result and view.result:
        return presenter.result(moment, width, height, look)
    return presenter.table(moment, width, height, look)


class Surroundings(NamedTuple):
    """The parts around the board that do not depend on the player's choice."""

    head: Picture
    side: Picture
    """The panel in a wide window; else an empty picture."""
    story: Picture


def draw_surroundings(moment: Moment, width: int, rows: Rows, look: Look) -> Surroundings:
    """Draw the title, the players and the story; in a wide window, the panel instead of players and story."""
    look = look.for_tiles(moment.view)
    title = draw_title(moment, width, look)
    if not rows.has_side_panel:
        story = draw_story(moment, width, rows.story, look)
        head = stack(title, draw_seats(moment, width, look, rows.players)) if rows.players else title
        return Surroundings(head, Picture(()), story)
    return Surroundings(title, draw_side(_side_panel(moment), rows.board, look), Picture(()))


def put_into_surroundings(frame: Surroundings, middle: Picture) -> Picture:
    """Put the board into its surroundings."""
    return stack(frame.head, beside(middle, frame.side), frame.story)


def _side_panel(moment: Moment) -> SidePanel:
    """Return the content of the panel."""
    view, seat_count, seat_facts = moment.view, len(moment.names), _seat_facts(moment)
    sides, own_seat = min(moment.sides, seat_count), max(0, moment.update.seat)
    groups = []
    for number in range(sides if seat_count > 1 else 0):  # a solo player does not need it
        first = (own_seat + number) % sides if moment.has_partners else number
        partners = range(first, seat_count, sides)
        groups.append(
            tuple(
                _seat_summary(moment, seat, seat_facts, shows_score=seat == first)._replace(
                    description=_seat_description(moment, seat)
                )
                for seat in partners
            )
        )
    return SidePanel(
        tuple(groups),
        seat_facts.boneyard if view else -1,
        moment.event_lines,
        moment.chat_lines,
        moment.lines_scrolled_back,
    )


def _seat_description(moment: Moment, seat: int) -> str:
    """Return what is known about the player of a seat."""
    info = moment.update.table.seats[seat]
    words = bot_words(info) if info.bot and not info.away else _seat_note(moment, seat)
    return "  ".join(filter(None, (moment.relation_of(seat), words, _clock_words(moment, seat))))


def draw_story(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the end of the story; the newest line takes two rows if it would be cut."""
    lines = list(moment.story[-height:] if height else ())
    if height > 1 and lines and columns(lines[-1]) > width - 4:
        first, *continuation_lines = wrap(lines[-1], width - 6)
        lines[-1:] = [first, "  " + " ".join(continuation_lines)]
    return draw_lines(
        lines, width, height, look.theme, ascii=look.ascii, chat_messages=moment.chat_lines[-height - 1 :]
    )


def draw_lesson(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the text of the lesson."""
    if not height:
        return Picture(())
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.bar))
    for row in range(height):
        canvas.put(0, row, "|" if look.ascii else "▌", Style(theme.accent, theme.bar))
    text = replace_enter(moment.lesson, moment.main_button) if look.touched else moment.lesson
    lines = wrap(text, min(width - 4, MAX_LINE_WIDTH))[:height]
    for row, line in enumerate(lines, (height - len(lines)) // 2):
        canvas.put(2, row, plain(line, look.ascii), Style(theme.text, theme.bar, True))
    return Picture(canvas.rows())


def draw_band(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the hand."""
    view = moment.view
    if view is None or (view.result and (moment.shows_result or view.seat == NOBODY)):
        return blank(width, height, Style(look.theme.text, look.theme.band))
    choice, look = moment.choice, look.for_tiles(view)
    is_your_choice = choice is not None and view.turn == view.seat and (not choice.items or bool(choice.playable))
    beside_hand = _draw_beside_hand(view, width, height, look) if isinstance(view, LayoutView) else Picture(())
    # The tile turned over and its row are centred together.
    hand_width = (
        TURNED_TILE_WIDTH
        if beside_hand.width and isinstance(view, LayoutView) and view.rows
        else width - beside_hand.width
    )
    hand = draw_hand(
        view.result.hands[view.seat] if view.result else view.hand,
        hand_width,
        height,
        look.theme,
        playable=choice.playable if choice and is_your_choice else None,
        picked=choice.picked if choice and is_your_choice else (),
        chosen=choice.tile if choice and ((is_your_choice and choice.playable) or moment.queued_sentence) else None,
        scrolled_to=choice.tile if choice else None,
        ascii=look.ascii,
        highest=view.highest,
        shows_keys=not look.touched,
    )
    left_margin = (width - hand_width - beside_hand.width) // 2
    band = Style(look.theme.text, look.theme.band)
    right_margin = width - left_margin - hand_width - beside_hand.width
    return beside(blank(left_margin, height, band), hand, beside_hand, blank(right_margin, height, band))


def _draw_beside_hand(view: LayoutView, width: int, height: int, look: Look) -> Picture:
    """Draw the tiles that a player has laid face down; in games whose players do not see their tiles, the own row."""
    if not view.rows or view.seat == NOBODY:
        return draw_face_down(view.own_shed, width, height, look)
    return draw_row(view.rows[view.seat][len(view.hand) :], width - TURNED_TILE_WIDTH, height, look)


def draw_foot(moment: Moment, width: int, look: Look) -> Picture:
    """Draw the last two rows: the sentence; below it the turn, the question and the keys that are always named.

    If these keys do not fit in the last row, they stand beside the sentence.
    """
    hints, (left, right) = moment.hints, _status_words(moment, width, look)
    keys_in_status = has_room_below("  ".join(words for words, _accent in left), hints, width)
    keys_in_status = keys_in_status or not has_room_below(_warning_or_sentence(moment), hints, width)
    keys = always_named_keys(hints) if keys_in_status and not look.touched else ()
    status = draw_bar(left, right, width, look.theme, ascii=look.ascii, keys=keys)
    return draw_foot_rows(draw_words(moment, width, look, has_all_keys=not keys_in_status), status)


def draw_words(moment: Moment, width: int, look: Look, *, has_all_keys: bool = False) -> Picture:
    """Draw the sentence under the hand: a warning, or what Enter will do; `has_all_keys` adds those always named."""
    sentence = _warning_or_sentence(moment)
    return draw_sentence(
        replace_enter(sentence, moment.main_button) if look.touched else sentence,
        moment.hints,
        width,
        look.theme,
        warning=bool(moment.warning),
        ascii=look.ascii,
        has_all_keys=has_all_keys,
        touched=look.touched,
    )


def _warning_or_sentence(moment: Moment) -> str:
    return moment.warning or _enter_sentence(moment)


def _enter_sentence(moment: Moment) -> str:
    view, choice = moment.view, moment.choice
    if view is None:
        return ""
    if view.result:
        return _result_sentence(moment)
    if choice is None or view.turn != view.seat:
        return moment.queued_sentence
    return presenter_of(view).sentence(choice, moment.names)


def _result_sentence(moment: Moment) -> str:
    update = moment.update
    is_over = update.match is not None and update.match.over
    if update.seat == NOBODY and not (is_over and moment.is_live):
        return ""
    if not moment.shows_result:
        return _("Enter: show the result.")
    if is_over and len(update.table.seats) == 1 and update.seat != NOBODY:
        return _("Enter: a new deal, or the same one again.")
    if is_over:
        return _("Enter: how the match went, and what comes next.")
    if update.seat in update.ready:
        missing = [
            seat.name
            for number, seat in enumerate(update.table.seats)
            if number not in update.ready and not seat.bot and not seat.away
        ]
        return _("Waiting for {names}.", names=", ".join(missing)) if missing else ""
    return _("Enter: deal the next round.")


def _status_words(moment: Moment, width: int, look: Look) -> tuple[tuple[tuple[str, bool], ...], str]:
    """Return the words on the left of the last line, each with True if it is accented, and the words on the right."""
    view, update = moment.view, moment.update
    watchers = update.table.watchers
    watching = several("{count} watching", "{count} watching", watchers) if watchers else ""
    clock = "" if moment.seconds_left is None else clock_text(moment.seconds_left)
    right = "   ".join(filter(None, (watching, moment.maintenance, clock)))
    if view is None:
        return ((_("waiting for players"), True),), right
    if update.match and update.match.over:
        return ((_("the match is over"), True),), right
    if view.result:
        return ((_("the round is over"), True),), right
    if view.turn != view.seat:
        return ((presenter_of(view).waiting(view, moment.names), False),), right
    question = translate(ask(view), moment.names)
    forms: tuple[tuple[tuple[str, bool], ...], ...] = (
        ((_("your turn"), True), (question, False)),
        ((f"{'>' if look.ascii else '▶'} {question}", True),),
    )
    widths = [sum(columns(words) + 2 for words, _accent in form) + columns(right) for form in forms]
    max_widths = (width - keys_width(always_named_keys(moment.hints)), width)
    fitting_forms = (
        form
        for max_width in max_widths
        for form, needed_width in zip(forms, widths, strict=True)
        if needed_width <= max_width
    )
    return next(fitting_forms, forms[-1]), right


def draw_waiting(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """Draw the waiting table: its players, the free seats, how to invite friends, the house rules and the limits."""
    theme = look.theme
    update, text, quiet = moment.update, Style(theme.text, theme.felt), Style(theme.quiet, theme.felt)
    accent = Style(theme.accent, theme.felt, True)
    free = sum(seat.free for seat in update.table.seats)
    waiting = several("Waiting for {count} more player.", "Waiting for {count} more players.", free)
    seats = "  ·  ".join(seat.name or pgettext("a seat", "free") for seat in update.table.seats)
    lines: list[tuple[str, Style]] = [(waiting if free else _("Shuffling …"), accent), ("", text), (seats, text)]
    link = next((line for line in moment.join_lines if "://" in line), "") if free else ""
    code = fitting_qr_code(link, height, width, height, look)
    if free and moment.join_lines:
        invitation = _("A friend types one of these to sit down here:")
        if link:
            invitation = _("Send a friend one of these, to sit down here:")
        lines += [("", text), (invitation, quiet)]
        longest = max(map(columns, moment.join_lines))
        lines += [(f"{line:{longest}}", accent) for line in moment.join_lines]
        lines += [(_("A friend can also scan this code with a phone:"), quiet)] * bool(code)
    if update.code:
        lines += [("", text), (_("Private: others join with the code {code}.", code=update.code), text)]
    rules = changed_rules(update.table) + time_limits(update.table)
    rules += [_("Hints: on your turn, h gives you one.")] * update.table.hints
    rules += [_("Taking back: u takes back your last choice, if all others agree.")] * update.table.take_back
    lines += [("", text)] * bool(rules) + [(rule, quiet) for rule in rules]
    if update.fair:
        lines += [
            ("", text),
            (_("The server's part of the shuffle is fixed now; w shows how that is proven."), quiet),
        ]
    return draw_invitation(lines, code, width, height, look)
