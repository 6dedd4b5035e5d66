"""The whole table as pictures, from what a seat knows and has chosen; without Textual."""

from collections.abc import Sequence

from msgspec import Struct

from core.actions import Play
from core.family import AnyView
from core.games import GAMES
from core.layout.placed import NOBODY
from core.layout.state import LayoutView
from core.match import MatchView
from core.prompts import ask, why_not
from core.tricks.state import TrickView
from net.wire.messages import SeatInfo, TableInfo, Update
from themes import Theme
from tui.board import draw_board, draw_hand
from tui.board.canvas import Canvas, Form, Picture, Style
from tui.draw.panels import Player, draw_bar, draw_lines, draw_players, draw_sentence, fit, plain
from tui.draw.results import draw_result
from tui.draw.trick_results import draw_hand_result
from tui.draw.tricks import draw_tricks
from tui.i18n import _, several, spoken
from tui.model.choice import END_KEYS, Choice
from tui.model.trick_choice import TrickChoice
from tui.text.ends import marks, worth
from tui.text.tricks import trick_sentence

MANY = 15
"""Tiles that stand side by side in 80 columns, whatever the set."""
NEEDED = (80, 24)
"""Columns and rows below which the table does not fit."""


class Look(Struct, frozen=True):
    """How a session shows things."""

    theme: Theme
    ascii: bool = False
    """For terminals that may not know more than ASCII."""


class Rows(Struct, frozen=True):
    """How many rows each part of the screen has; they add up to the height."""

    board: int
    story: int
    hand: int
    title: int = 1
    players: int = 2
    sentence: int = 1
    status: int = 1


def rows_of(height: int, tiles: int = 0) -> Rows:
    """Share the rows out: the higher the window, the larger the faces for which there is room.

    A hand of many `tiles` has two rows of them also where there is little room.
    """
    hand = 9 if height >= 42 else 6 if height >= 32 or tiles > MANY else 5
    story = 3 if height >= 42 else 2 if height >= 30 else 1
    return Rows(max(1, height - hand - story - 5), story, hand)


def held(update: Update) -> int:
    """How many tiles the one who looks holds."""
    return len(update.match.play.hand) if update.match and update.match.play else 0


class Moment(Struct, frozen=True):
    """All that decides what the table looks like now, but for the room there is."""

    update: Update
    choice: Choice | TrickChoice | None = None
    """What this player has chosen; None while no round is played, and for who looks on."""
    story: tuple[str, ...] = ()
    warning: str = ""
    """A refusal, or why a tile will not go; it takes the place of the sentence."""
    shows_result: bool = False
    left: int | None = None
    """Seconds that are left to whoever is on turn; None where nothing is limited."""
    hints: tuple[tuple[str, str], ...] = ()
    live: bool = True
    """Whether the one who looks has the seat himself; not so in a replay."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names on the seats."""
        return tuple(seat.name or _("free seat") for seat in self.update.table.seats)

    @property
    def view(self) -> AnyView | None:
        """The round, if there is one."""
        return self.update.match.play if self.update.match else None


def draw_title(moment: Moment, width: int, look: Look) -> Picture:
    """Which game, which round, and how many tiles are in the boneyard."""
    table, match = moment.update.table, moment.update.match
    about = [GAMES[table.game].name if table.game in GAMES else table.game]
    right = ""
    if match and match.play:
        about += _progress(match)
        right = "   ".join(filter(None, (_count(match.play), _boneyard(match.play))))
    if moment.update.seat == NOBODY:
        about.append(_("looking on"))
    return draw_bar([("BONEYARD", True), (" · ".join(about), False)], right, width, look.theme, ascii=look.ascii)


def _progress(match: MatchView) -> list[str]:
    """How far the match has come."""
    goal = match.goal
    if goal.rounds:
        rounds = _("round {number} of {count}", number=match.round, count=goal.rounds)
        return [rounds, _("lowest wins")] if goal.lowest else [rounds]
    return [_("to {target}", target=goal.target), _("round {number}", number=match.round)]


def _count(view: LayoutView | TrickView) -> str:
    """What the open ends add up to, where they are counted."""
    if not isinstance(view, LayoutView) or not view.count:
        return ""
    if len(view.count) > 4:
        return _("ends {total}", total=sum(view.count))
    return _("ends {terms} = {total}", terms="+".join(map(str, view.count)), total=sum(view.count))


def _boneyard(view: LayoutView | TrickView) -> str:
    if not isinstance(view, LayoutView):
        return ""
    if view.reserve and view.reserve == view.boneyard:
        return _("boneyard {count}, out of play", count=view.boneyard)
    if view.reserve:
        return _("boneyard {count}, {reserve} stay", count=view.boneyard, reserve=view.reserve)
    return _("boneyard {count}", count=view.boneyard)


def draw_seats(moment: Moment, width: int, look: Look) -> Picture:
    """The strip of players."""
    update, view = moment.update, moment.view
    scores = update.match.scores if update.match else ()
    players = [
        Player(
            name=name,
            score=scores[seat % len(scores)] if scores else 0,
            tiles=view.counts[seat] if view else 0,
            turn=view is not None and view.turn == seat,
            you=moment.live and seat == update.seat,
            note=_note(info) or _clock_of(moment, seat),
        )
        for seat, (name, info) in enumerate(zip(moment.names, update.table.seats, strict=True))
    ]
    return draw_players(players, width, look.theme, ascii=look.ascii)


def _note(info: SeatInfo) -> str:
    if info.awaited:
        return _("away")
    if info.away:
        return _("away, bot plays")
    return _("bot") if info.bot else ""


def _clock_of(moment: Moment, seat: int) -> str:
    """What time a player has left for the match."""
    times, table = moment.update.times, moment.update.table
    if times is None or not table.match_time or moment.view is None:
        return ""
    on_turn = moment.view is not None and moment.view.turn == seat and moment.left is not None
    left = times.match[seat]
    return minutes(round(min(left, moment.left or 0) if on_turn and not table.turn_time else left))


def minutes(seconds: int) -> str:
    """A time as a clock shows it: 0:23, 12:05, 2:00:00."""
    hours, rest = divmod(seconds, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def draw_middle(moment: Moment, width: int, height: int, look: Look, form: Form | None) -> Picture:
    """The board; or the result of the round; or, before the first, who is waited for."""
    match, view = moment.update.match, moment.view
    if match is None or view is None:
        return _draw_waiting(moment, width, height, look)
    if isinstance(view, TrickView):
        return _draw_trick_table(moment, match, view, width, height, look)
    if moment.shows_result and view.result:
        return draw_result(
            match,
            moment.names,
            moment.update.ready,
            moment.update.seat,
            width,
            height,
            look.theme,
            ascii=look.ascii,
        )
    return draw_board(
        view.layout,
        marks(view, moment.choice if isinstance(moment.choice, Choice) else None),
        width,
        height,
        look.theme,
        form=form,
        ascii=look.ascii,
        glow=len(view.layout) - 1,
        highest=view.highest,
        shape=view.shape,
        names=(*moment.names, _("Mexican Train")) if view.shape == "lanes" else (),
        own=view.seat,
    )


def _draw_trick_table(
    moment: Moment, match: MatchView, view: TrickView, width: int, height: int, look: Look
) -> Picture:
    names, theme = moment.names, look.theme
    if moment.shows_result and view.result:
        ready, seat = moment.update.ready, moment.update.seat
        return draw_hand_result(match, view, view.result, names, ready, seat, width, height, theme, ascii=look.ascii)
    choice = moment.choice if isinstance(moment.choice, TrickChoice) else None
    return draw_tricks(view, names, choice, width, height, theme, ascii=look.ascii)


def _draw_waiting(moment: Moment, width: int, height: int, look: Look) -> Picture:
    theme = look.theme
    canvas = Canvas(width, height, Style(theme.text, theme.felt))
    update, text, quiet = moment.update, Style(theme.text, theme.felt), Style(theme.quiet, theme.felt)
    free = sum(seat.free for seat in update.table.seats)
    waiting = several("Waiting for {count} more player.", "Waiting for {count} more players.", free)
    lines: list[tuple[str, Style]] = [
        (waiting if free else _("Shuffling …"), Style(theme.accent, theme.felt, True)),
        ("", text),
    ]
    if update.code:
        lines += [(_("Private: others come in with the code {code}.", code=update.code), text), ("", text)]
    lines += [(_rule(key, value), quiet) for key, value in _house_rules(moment)]
    lines += [(limit, quiet) for limit in _limits(update.table)]
    if update.fair:
        lines += [("", text), (_("The host has committed to this deal:"), quiet), (update.fair.commitment, quiet)]
    top = max(0, (height - len(lines)) // 2)
    for row, (line, style) in enumerate(lines):
        shown = plain(fit(line, width - 4), look.ascii)
        canvas.put(max(2, (width - len(shown)) // 2), top + row, shown, style)
    return Picture(canvas.rows())


def _limits(table: TableInfo) -> list[str]:
    """How much time there is, where it is limited."""
    limits = []
    if table.turn_time:
        limits.append(_("{time} for each turn", time=minutes(table.turn_time)))
    if table.match_time:
        limits.append(_("{time} for all turns of a player", time=minutes(table.match_time)))
    return limits


def _house_rules(moment: Moment) -> list[tuple[str, object]]:
    """The house rules at this table that are not the game's defaults."""
    table = moment.update.table
    variant = GAMES.get(table.game)
    if variant is None:
        return list(table.options.items())
    defaults = variant.rules(len(table.seats), {})[0]
    return [(key, value) for key, value in table.options.items() if defaults.get(key) != value]


def _rule(key: str, value: object) -> str:
    return f"{key} = {value}"


def draw_story(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """What just happened."""
    return draw_lines(moment.story, width, height, look.theme, ascii=look.ascii)


def draw_band(moment: Moment, width: int, height: int, look: Look) -> Picture:
    """The hand."""
    view = moment.view
    if view is None or view.result:
        canvas = Canvas(width, height, Style(look.theme.text, look.theme.band))
        return Picture(canvas.rows())
    choice = moment.choice
    yours = choice is not None and view.turn == view.seat and not (isinstance(choice, TrickChoice) and choice.items)
    return draw_hand(
        view.hand,
        width,
        height,
        look.theme,
        playable=choice.playable if choice and yours else None,
        chosen=choice.tile if choice and yours and choice.playable else None,
        ascii=look.ascii,
        highest=view.highest,
    )


def draw_words(moment: Moment, width: int, look: Look) -> Picture:
    """The sentence under the hand: a warning, or what Enter will do."""
    text = moment.warning or _sentence(moment)
    return draw_sentence(text, moment.hints, width, look.theme, warning=bool(moment.warning), ascii=look.ascii)


def _sentence(moment: Moment) -> str:
    view, choice = moment.view, moment.choice
    if view is None:
        return ""
    if view.result:
        return _result_sentence(moment)
    if choice is None or view.turn != view.seat:
        return ""
    if isinstance(choice, TrickChoice):
        return trick_sentence(choice, moment.names)
    if not isinstance(view, LayoutView):
        return ""
    if view.pending:
        return _("Enter claims {points}, p lets it be.", points=view.pending)
    if choice.play:
        return _play_sentence(view, choice, choice.play)
    if choice.can_draw and not choice.playable:
        return _("Enter draws.")
    if choice.refusal and not choice.playable:
        return _("Enter passes.")
    reason = why_not(view, view.hand[choice.tile])
    return spoken(reason, moment.names) if reason else ""


def _play_sentence(view: LayoutView, choice: Choice, play: Play) -> str:
    tile = str(play.tile)
    if play.at < 0:
        return _("Enter leads {tile}.", tile=tile)
    if choice.naming:
        numbers = ", ".join(str(other.out) for other in choice.outs)
        return _("Which number lies outward? {numbers}: Enter takes {out}.", numbers=numbers, out=play.out)
    place = next(n for n, end in enumerate(view.ends) if (end.at, end.side) == (play.at, play.side))
    on = view.ends[place].pips if view.ends[place].pips >= 0 else _("wild end")
    points = worth(view, choice)[play.at, play.side]
    scores = " " + _("It scores {points}.", points=points) if points else ""
    if len(choice.places) == 1 or place >= len(END_KEYS):
        return _("Enter plays {tile} on the {on}.", tile=tile, on=on) + scores
    return _("Enter plays {tile} at {key}, on the {on}.", tile=tile, key=END_KEYS[place], on=on) + scores


def _result_sentence(moment: Moment) -> str:
    update = moment.update
    if update.seat == NOBODY:
        return ""
    over = update.match is not None and update.match.over
    if update.seat in update.ready:
        waited = [
            seat.name
            for number, seat in enumerate(update.table.seats)
            if number not in update.ready and not seat.bot and not seat.away
        ]
        return _("Waiting for {names}.", names=", ".join(waited))
    if over:
        return _("Enter plays another match, q leaves the table.")
    return _("Enter deals the next round.")


def draw_status(moment: Moment, width: int, look: Look) -> Picture:
    """The last line: whose turn it is and what is asked."""
    view, update = moment.view, moment.update
    watchers = update.table.watchers
    right = several("{count} looking on", "{count} looking on", watchers) if watchers else ""
    if moment.left is not None:
        right = "   ".join(filter(None, (right, minutes(moment.left))))
    left: list[tuple[str, bool]]
    if view is None:
        left = [(_("waiting for players"), True)]
    elif update.match and update.match.over:
        left = [(_("the match is over"), True)]
    elif view.result:
        left = [(_("the round is over"), True)]
    elif view.turn == view.seat:
        left = [(_("your turn"), True), (spoken(ask(view), moment.names), False)]
    elif isinstance(view, TrickView):
        left = [(spoken(ask(view), moment.names), False)]
    else:
        left = [(_("{name} is to play", name=moment.names[view.turn]), False)]
    return draw_bar(left, right, width, look.theme, ascii=look.ascii)


def draw_too_small(width: int, height: int, look: Look, lines: Sequence[str] = ()) -> Picture:
    """What is shown in a window that is too small for the table."""
    canvas = Canvas(width, height, Style(look.theme.text, look.theme.felt))
    columns, rows = NEEDED
    lines = lines or (
        _("Boneyard needs {columns}×{rows}.", columns=columns, rows=rows),
        _("This window is {columns}×{rows}.", columns=width, rows=height),
        _("Make it larger; nothing is lost."),
    )
    for row, line in enumerate(lines, max(0, (height - len(lines)) // 2)):
        text = plain(fit(line, width), look.ascii)
        canvas.put(max(0, (width - len(text)) // 2), row, text, Style(look.theme.accent, look.theme.felt))
    return Picture(canvas.rows())
