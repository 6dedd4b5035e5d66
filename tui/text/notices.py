"""Sentences for a player at a table: the story of the game, the time left, the turn."""

from collections.abc import Callable, Sequence
from math import ceil
from shlex import quote
from typing import NamedTuple

from core.actions import (
    Bade,
    Dealt,
    Draw,
    Drew,
    Event,
    Laid,
    Led,
    MatchOver,
    Named,
    Passed,
    Played,
    PutDown,
    RoundOver,
    TakenBack,
)
from core.bots.reasons.phrases import Hint
from core.layout.state import NOBODY, LayoutView
from core.prompts import ask
from core.variant import AnyView
from net.client.client import Client, Verification
from net.client.discovery import FoundHost
from net.players.text import HOST_MARK
from net.wire.messages import TableInfo, Update
from tui.board.canvas import cells, columns, plain
from tui.i18n import _, capitalize, clock_text, pgettext, several, translate
from tui.model.choice import AnyChoice
from tui.model.hints import hint_problem
from tui.model.keys import RARE_TABLE_KEYS, TABLE, Button
from tui.model.presenter import presenter_of
from tui.text.at_table import has_other_players, in_company
from tui.text.headlines import (
    loser_words,
    player_subject,
    resignation_sentence,
    unfinished_sentence,
    winners_sentence,
)
from tui.text.names import game_name, join_commands
from tui.text.proposals import agreement_request, open_proposal, take_back_sentence


def timeout_sentence(update: Update, names: tuple[str, ...]) -> str:
    """Return a sentence about the player who ran out of time; empty if nobody did."""
    if update.timed_out == NOBODY:
        return ""
    return player_subject(update.timed_out, names, update.seat).fill_in(
        "You ran out of time, so a bot moved.", "{name} ran out of time, so a bot moved."
    )


HURRY_SECONDS = 10
"""Number of remaining seconds at which a player is warned."""


def seconds_left_of(update: Update, elapsed: float) -> int | None:
    """Return the whole seconds left to the player on turn, `elapsed` seconds after the update; None: no limit."""
    times, view = update.times, update.play
    table = update.table
    if times is None or view is None or view.turn == NOBODY or table.seats[view.turn].bot:
        return None
    limits = [times.turn] * bool(table.turn_time) + [times.match[view.turn]] * bool(table.match_time)
    return max(0, round(min(limits) - (elapsed if times.running else 0.0)))


def maintenance_countdown(client: Client) -> str:
    """Return the time until the announced maintenance, in words; empty if none is announced."""
    seconds_left = client.maintenance.seconds_left
    return "" if seconds_left is None else _("maintenance in {time}", time=clock_text(round(seconds_left)))


def grace_left(update: Update, elapsed: float) -> tuple[int, ...]:
    """Return, by seat, the whole seconds until a bot plays for an awaited player; empty if nobody is awaited.

    `elapsed` seconds have passed since the update.
    """
    seconds_by_seat = tuple(max(0, ceil(seconds - elapsed)) for seconds in update.grace)
    return seconds_by_seat if any(seconds_by_seat) else ()


def urgent_sentence(update: Update, seconds_left: int | None, warning: str, *, is_lost: bool) -> str:
    """Return the sentence that must be read first, or else the `warning`; `is_lost` is that of the connection."""
    if is_lost:
        return _("Connection lost. Reconnecting …")
    if update.table.phase == "paused":
        return _("The table is paused; press s to resume.")
    is_your_turn = update.play and update.play.turn == update.seat != NOBODY
    if is_your_turn and seconds_left is not None and seconds_left <= HURRY_SECONDS and not warning:
        return several(
            "{count} second left, then a bot plays.", "{count} seconds left, then a bot plays.", seconds_left
        )
    if update.match and update.match.endless and not warning:
        return _("This match may never end; E ends it, and nobody wins.")
    if (proposal := open_proposal(update)) and not warning:
        return agreement_request(update, proposal)
    return warning


def possible_action_lines(
    update: Update, choice: AnyChoice | None, warning: str, names: tuple[str, ...]
) -> list[str]:
    """Return the possible actions at this moment, for the page of help; empty for a spectator."""
    view = update.play
    if view is None or update.seat == NOBODY:
        return []
    if view.result:
        return [_("Enter: go on to the next round.")]
    if view.turn != view.seat:
        return [presenter_of(view).waiting(view, names) + "."]
    question = translate(ask(view), names)
    effect = warning or (presenter_of(view).sentence(choice, names) if choice else "")
    return [" ".join(filter(None, (_("It is your turn."), question, effect)))]


def _has_acted(update: Update) -> bool:
    """Return True if this player has acted in the present round, and so may have something to take back."""
    match = update.match
    if match is None or match.play is None or match.play.result or update.seat == NOBODY:
        return False
    return any(
        isinstance(event, Led | Played | PutDown | Laid | Bade | Named) and event.seat == update.seat
        for event in match.history
    )


def proof_words(proof: Verification) -> str:
    """Return the result of recomputing the deals."""
    if proof.problem:
        return _("DEALS NOT PROVEN: {problem}.", problem=proof.problem)
    if proof.caveat:
        return _("Not everything is proven: {reason}.", reason=proof.caveat)
    return _("Every deal matches what the server and players committed to.")


def proof_at_parting(proof: Verification) -> str:
    """Return how a player who leaves a host that broke a promise can prove it to others."""
    file = proof.evidence
    instruction = _("“boneyard verify {file}” proves it to anybody.", file=file) if file else ""
    return f"{proof_words(proof)} {instruction}".strip()


LEARNING_PLAYS = 2
"""Plays after which a player is no longer told how to choose a tile, in the first round of a match."""


def useful_keys(
    update: Update, choice: AnyChoice | None, *, ascii: bool, reviews: bool = False
) -> tuple[tuple[str, str], ...]:
    """Return the useful keys, with short words for them; `reviews` is True if matches can be reviewed here."""
    match = update.match
    if match is None:
        actions = ["fill"] if update.seat != NOBODY else []
    elif match.play and match.play.result:
        is_solo = match.players == 1
        actions = ["review"] * (reviews and match.over and not is_solo)
        actions += ["take_back"] * (is_solo and update.table.take_back and update.seat != NOBODY) + ["look"]
    else:
        is_your_turn = match.play is not None and match.play.turn == update.seat
        actions = list(choice.hints if choice and is_your_turn else ())
        if "tile(1)" in actions and (match.round > 1 or _laid_count(update) >= LEARNING_PLAYS):
            actions.remove("tile(1)")
        turn = match.play.turn if match.play else NOBODY
        actions += ["skip"] * (NOBODY not in (update.seat, turn) and bool(update.table.seats[turn].bot))
        actions += ["hint"] * (update.table.hints and not hint_problem(update))
        actions += ["take_back"] * (update.table.take_back and _has_acted(update))
    actions += ["talk"] * in_company(update) + ["help", "leave"]
    is_list = choice is not None and bool(choice.items)
    return tuple((_label_of_key(name, ascii=ascii), _effect_of_key(name, is_list=is_list)) for name in actions)


def table_buttons(update: Update, choice: AnyChoice | None, *, reviews: bool) -> tuple[Button, ...]:
    """Return up to four buttons that matter at the table now.

    On a player's turns each button keeps its place; one that cannot be used is idle and says why if it is pressed.
    """
    match, is_player = update.match, update.seat != NOBODY
    leave = Button("q", pgettext("the table", "leave"))
    talk = [Button("t", _("talk"))] * in_company(update)
    if match is None or match.play is None:
        fill = [Button("z", _("fill with bots"), "main")] * is_player
        return (*fill, Button("", _("share link"), "share"), *talk, leave)
    if match.play.result:
        is_waiting = update.seat in update.ready and not match.over
        go_on = Button("↵", _("what comes next") if match.over else _("next round"), "idle" if is_waiting else "main")
        review = [Button("r", _("review"))] * (reviews and match.over and match.players > 1)
        return (*[go_on] * is_player, Button("v", pgettext("table or result", "look")), *(review or talk), leave)
    if not is_player:
        return (*talk, Button("w", _("who is here")), leave)
    view, own_choice = match.play, choice if match.play.turn == update.seat else None
    has_tiles_to_draw = isinstance(view, LayoutView) and view.boneyard > view.reserve
    is_possible = {
        "x": own_choice is not None and own_choice.can_draw,
        "p": own_choice is not None and own_choice.refusal is not None,
    }
    is_possible["↵"] = (
        own_choice is not None
        and own_choice.action is not None
        and own_choice.action not in (Draw(), own_choice.refusal)
    )
    main_label = next((label for label in ("↵", "x", "p") if is_possible[label]), "")
    second_button = (
        ("x", pgettext("a tile", "draw"))
        if is_possible["x"] or (has_tiles_to_draw and not is_possible["p"])
        else ("p", pgettext("your turn", "pass"))
    )
    take_back = Button("u", _("take back")) if update.table.take_back else leave
    return (
        *(
            Button(label, words, "main" if label == main_label else "" if is_possible[label] else "idle")
            for label, words in (("↵", pgettext("a button", "play")), second_button)
        ),
        Button("h", _("hint"), "" if own_choice else "idle"),
        *(talk or [take_back]),
    )


def _laid_count(update: Update) -> int:
    """Return the number of tiles that this player has laid in the round."""
    history = update.match.history if update.match else ()
    return sum(isinstance(event, Played | Laid | PutDown | Led) and event.seat == update.seat for event in history)


def _label_of_key(action: str, *, ascii: bool) -> str:
    if action == "tile(1)":
        return "Left/Right" if ascii else "← →"
    return _KEYS[action].label_on(ascii)


_KEYS = {key.call: key for key in TABLE + RARE_TABLE_KEYS}


_SHORT_WORDS = {
    "help": lambda: _("keys"),
    "leave": lambda: pgettext("the table", "leave"),
    "tile(1)": lambda: _("choose a tile"),
    "end(1)": lambda: pgettext("the line", "end"),
    "look": lambda: pgettext("table or result", "look"),
    "review": lambda: _("review"),
    "hint": lambda: _("hint"),
    "take_back": lambda: _("take back"),
    "fill": lambda: _("fill with bots"),
    "skip": lambda: _("to your turn"),
}


def _effect_of_key(action: str, *, is_list: bool) -> str:
    """Return the effect of a key; `is_list` is True if the next play is chosen from a list."""
    if action == "end(1)" and is_list:
        return _("choose")
    return _SHORT_WORDS[action]() if action in _SHORT_WORDS else _KEYS[action].words()


def hint_sentence(hint: Hint, names: tuple[str, ...], width: int) -> str:
    """Return the move and its reasons, shortened to `width` columns."""
    long, short = (capitalize(translate(sentence, names)) for sentence in (hint.why, hint.short))
    return long if columns(long) <= width else short


Place = tuple[str, int]
"""The address of a host, and its port."""


def merge_hosts(nearby: Sequence[FoundHost], known: Sequence[Place]) -> list[FoundHost]:
    """Return the hosts found nearby, followed by others that were joined before."""
    places = {place for host in nearby for place in host.places}
    return [*nearby, *(FoundHost(_("joined before"), *place) for place in known if place not in places)]


def return_command(client: Client) -> str:
    """Return the command with which a guest without a key returns to their seat; empty for others.

    Behind a proxy the host's public address is unknown, and the line begins as the guest's own command did.
    """
    if not (client.resume and client.port):
        return ""
    user = f"{client.name.lstrip('-')}+{client.resume}"  # a leading hyphen would be an option of ssh
    if not client.places:
        return f"ssh … -l {quote(user)}"
    address, port = client.places[0]
    return f"ssh -p {port} " + quote(f"{user}@{address}")


def join_instructions(client: Client) -> tuple[str, ...]:
    """Return how others reach this host, or this table: the deep link, then the commands.

    Empty in a solo game, and if the host's address is unknown.
    """
    commands = (command for place in client.places for command in join_commands(*place))
    return (*filter(None, [join_url(client)]), *commands)


def join_url(client: Client) -> str:
    """Return the URL that others open to join; empty if the host has no pages."""
    link, update = client.link, client.update
    if "://:" in link:
        address = client.places[0][0] if client.places else ""
        link = link.replace("://:", f"://[{address}]:" if ":" in address else f"://{address}:") if address else ""
    path = table_path(update.table, watching=False, code=update.code) if update and link else "/"
    return f"{link}{path}" if link else ""


def table_path(table: TableInfo, *, watching: bool, code: str = "") -> str:
    """Return the path of the deep link to a table, with its code if it has one."""
    return f"/{'w' if watching else 't'}/{table.id}" + (f"?code={code}" if code else "")


def return_instructions(client: Client) -> str:
    """Return the return command as a sentence; empty if it is not needed."""
    line = return_command(client)
    return _("To come back: {line}", line=line) if line else ""


def farewell(client: Client, last_word: str) -> str:
    """Return the last message to a guest, followed by the return command."""
    return "\r\n".join(filter(None, (last_word, return_instructions(client))))


def unseen_events(previous: Update | None, update: Update) -> tuple[Event, ...]:
    """Return the events that are new to a player who has seen `previous`, or no update of this table (None).

    After a reload or a lost connection they are taken from the events since the deal.
    """
    if update.match is None or (previous is not None and update.events):
        return update.events
    history, seen = update.match.history, previous.match.history if previous and previous.match else ()
    return history[len(seen) :] if history[: len(seen)] == seen else history


TALK_EVENTS = 6
"""Number of events during which a chat message stays on display: all players have had a turn by then."""


class Story:
    """Sentences about a table, the newest last. A draw and the play after it share a sentence."""

    def __init__(self, max_lines: int = 150) -> None:
        self.lines: list[str] = []
        self.event_lines: list[str] = []
        """The sentences about events."""
        self.chat_lines: list[str] = []
        """The chat messages."""
        self._max_lines = max_lines
        self._events_with_talk = 0
        """Number of further events during which chat messages stay on display."""
        self._last_draw: Drew | None = None
        self._end_sentences: list[str] = []
        """The sentences about the end of the present round."""

    def add_events(
        self, events: tuple[Event, ...], names: tuple[str, ...], reader_seat: int, sides: int, view: AnyView | None
    ) -> None:
        """Add events; `reader_seat` may be -1; `sides` is the number of scores.

        `view` is the round after the events; without it only events outside a round are added.
        """
        for event in events:
            sentence = self._event_sentence(event, names, reader_seat, sides, view)
            if not sentence:
                continue
            if self._last_draw and isinstance(event, Played | Passed) and event.seat == self._last_draw.seat:
                self.lines.pop()
                self.event_lines.pop()
            self._last_draw = event if isinstance(event, Drew) else None
            is_end = isinstance(event, RoundOver | MatchOver)
            self._end_sentences = [*(self._end_sentences if is_end else ()), *[sentence] * is_end]
            self.lines.append(sentence)
            self.event_lines.append(sentence)
            self._events_with_talk = max(0, self._events_with_talk - 1)
        del self.lines[: -self._max_lines], self.event_lines[: -self._max_lines]

    def lines_with_talk(self, *, has_end: bool = True) -> tuple[str, ...]:
        """Return the sentences for a screen without a place for chat: recent messages follow the last sentence.

        Without `has_end` the end of the round is left out, for a screen that shows the result.
        """
        lines = self._select(self.lines, has_end=has_end)
        if not self._events_with_talk or (lines[-1:] and lines[-1].startswith(HOST_MARK)):
            return tuple(lines)
        chat_lines = self.chat_lines[-2:]
        *earlier, last = [line for line in lines if line not in self.chat_lines] or [""]
        return (*earlier, " · ".join(filter(None, (last, *chat_lines))))

    def events(self, *, has_end: bool) -> tuple[str, ...]:
        """Return the sentences about events, with or without the end of the round."""
        return tuple(self._select(self.event_lines, has_end=has_end))

    def _select(self, lines: list[str], *, has_end: bool) -> list[str]:
        if has_end or not self._end_sentences:
            return lines
        end_index = (
            len(lines) - 1 - lines[::-1].index(self._end_sentences[0])
            if self._end_sentences[0] in lines
            else len(lines)
        )
        return lines[:end_index] + [line for line in lines[end_index:] if line not in self._end_sentences]

    def add(self, line: str, *, is_chat: bool = False) -> None:
        """Add a sentence that is no event; it may be a chat message."""
        self._last_draw = None
        if is_chat:
            self._events_with_talk = TALK_EVENTS
        for lines in (self.lines, self.chat_lines if is_chat else self.event_lines):
            lines.append(line)
            del lines[: -self._max_lines]

    def _event_sentence(
        self, event: Event, names: tuple[str, ...], reader_seat: int, sides: int, view: AnyView | None
    ) -> str:
        match event:
            case Dealt(round=number):
                return _("Round {number} is dealt.", number=number)
            case TakenBack():
                return take_back_sentence(event, names, reader_seat)
            case MatchOver(unfinished=True, winners=(winner,)):
                return resignation_sentence(winner, names, sides, reader_seat)
            case MatchOver(unfinished=True, agreed=agreed):
                return unfinished_sentence(agreed)
            case MatchOver() if sides == 1:
                return ""
            case MatchOver(winners=()):
                return _("The match is drawn.")
            case MatchOver(winners=winners):
                sentence = winners_sentence(winners, names, sides, reader_seat)
                loser_sentence = loser_words(event.called, event.losers, names, sides, reader_seat)
                return " ".join(filter(None, (sentence, loser_sentence)))
        return presenter_of(view).describe(event, view, names, reader_seat, sides, self._last_draw) if view else ""


TITLE_TERMINALS = (
    *("xterm", "screen", "tmux", "rxvt", "alacritty", "foot", "kitty"),
    *("wezterm", "ghostty", "vte", "konsole", "st-"),
)
"""Beginnings of the names of terminals that have a title (OSC 2); others might print it."""
NOTIFICATION_TERMINALS = ("foot", "kitty", "xterm-kitty", "wezterm", "ghostty", "xterm-ghostty")
"""Beginnings of the names of terminals that show notifications (OSC 9)."""
_SAVE, _RESTORE, _TITLE, _NOTICE = "\x1b[22;2t", "\x1b[23;2t", "\x1b]2;{}\x07", "\x1b]9;{}\x07"
_BELL = "\x07"
_MAX_TITLE_COLUMNS = 80
"""A host may give a game any name."""


class Bell(NamedTuple):
    """The switch of the bell, and the callback that stores its state."""

    is_on: bool = True
    on_switch: Callable[[bool], None] = lambda _is_on: None


class Attention:
    """Sets the title of a client's terminal, and alerts the player whose turn has come."""

    def __init__(
        self, terminal: str, write: Callable[[str], None], *, has_bell: bool = True, ascii: bool = False
    ) -> None:
        """`terminal` is its name, as in TERM; without `has_bell` there is a title only."""
        self.has_bell = has_bell
        self._has_title = terminal.startswith(TITLE_TERMINALS)
        self._has_notifications = terminal.startswith(NOTIFICATION_TERMINALS)
        self._ascii = ascii
        self._write = write
        self._title = ""
        self._was_turn = False

    def follow(self, update: Update | None) -> None:
        """Handle the present state of the table; None for the lobby."""
        is_player_turn = is_turn(update)
        turn_begins, self._was_turn = is_player_turn and not self._was_turn, is_player_turn
        alert = ""
        if turn_begins and self.has_bell and update and has_other_players(update):
            alert = _BELL + (_NOTICE.format(_("It is your turn.")) if self._has_notifications else "")
        self._write_title(_title_of(update, is_player_turn=is_player_turn), alert)

    def close(self) -> None:
        """Restore the terminal's own title."""
        if self._title:
            self._title = ""
            self._write(_RESTORE)

    def _write_title(self, title: str, alert: str) -> None:
        output = ""
        if self._has_title and title != self._title:
            output = _SAVE * (not self._title) + _TITLE.format(
                plain("".join(cells(title)[:_MAX_TITLE_COLUMNS]), self._ascii)
            )
            self._title = title
        if output or alert:
            self._write(output + alert)


def may_remove(update: Update, name: str) -> bool:
    """Return True if a player can remove others: the table's opener, or in their absence the first player."""
    opener, seats = update.table.name, update.table.seats
    if name == opener:
        return True
    if opener in update.watching or any(seat.name == opener and (seat.awaited or not seat.away) for seat in seats):
        return False
    present_seats = (number for number, seat in enumerate(seats) if seat.name and not seat.bot and not seat.away)
    return update.seat == next(present_seats, NOBODY) != NOBODY


def is_turn(update: Update | None) -> bool:
    """Return True if it is this player's turn."""
    view = update.play if update else None
    return update is not None and view is not None and view.turn == update.seat != NOBODY


def _title_of(update: Update | None, *, is_player_turn: bool) -> str:
    if update is None:
        return "Boneyard"
    game = game_name(update.table.game)
    return _("your turn · {game}", game=game) if is_player_turn else f"{game} · Boneyard"
