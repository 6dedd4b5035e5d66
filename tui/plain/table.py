"""The table in sentences: the events, the possible moves, and the lines that a player types there."""

from collections.abc import Callable
from itertools import zip_longest
from time import monotonic
from typing import cast

from core.actions import Action, MatchOver, RoundOver
from core.bots.reasons.phrases import Hint
from core.layout.state import NOBODY
from core.match import MatchView
from core.prompts import ask
from net.client.client import Client
from net.host.thinkers import Thinkers
from net.wire.messages import SeatInfo, Speed, Update
from tui.i18n import _, several, translate
from tui.lessons import LESSONS, Tutor
from tui.model.hints import Hinter
from tui.model.new_table import against_bots
from tui.plain.families import MoveOption, find_option, move_options, narrator_of
from tui.plain.form import numbered_lines
from tui.plain.info import TABLE, Dialog, Say, hand_lines, names_at_table
from tui.text.at_table import changed_rules, has_other_players, pace_words, time_limits
from tui.text.names import game_name
from tui.text.notices import (
    HURRY_SECONDS,
    Story,
    grace_left,
    hint_sentence,
    seconds_left_of,
    timeout_sentence,
)
from tui.text.proposals import agreement_instruction, confirms_end, open_proposal, request_news


def seat_news(previous: Update | None, current: Update) -> list[str]:
    """Return the arrivals, departures and other changes at a table since `previous`; empty for the first update."""
    if previous is None or previous.table.id != current.table.id:
        return []
    lines = []
    grace = grace_left(current, 0.0)
    for seat, (previous_seat, current_seat) in enumerate(
        zip_longest(previous.table.seats, current.table.seats, fillvalue=SeatInfo())
    ):
        if seat != current.seat:
            lines += _seat_changes(previous_seat, current_seat, grace[seat] if grace else 0)
    lines += [_("{name} is watching.", name=name) for name in current.watching if name not in previous.watching]
    lines += [
        _("{name} has stopped watching.", name=name) for name in previous.watching if name not in current.watching
    ]
    if previous.table.pace != current.table.pace:
        lines.append(pace_words(current.table))
    if (previous.table.phase == "paused") != (current.table.phase == "paused"):
        lines.append(_("The table is paused.") if current.table.phase == "paused" else _("Play resumes."))
    return lines


def _seat_changes(previous: SeatInfo, current: SeatInfo, grace: int) -> list[str]:
    if previous.name != current.name:
        lines = [_("{name} has left.", name=previous.name)] if previous.name else []
        return [*lines, _("{name} sits down.", name=current.name)] if current.name else lines
    if grace and not previous.away:
        return [
            several(
                "{name} is away; in {count} second, a bot plays for them.",
                "{name} is away; in {count} seconds, a bot plays for them.",
                grace,
                name=current.name,
            )
        ]
    if previous.away != current.away and current.name:
        return [_("{name} is away.", name=current.name) if current.away else _("{name} is back.", name=current.name)]
    return []


UNLIMITED_WIDTH = 10_000
"""Columns for a sentence: nothing is cut."""

REQUESTS: dict[str, Callable[[Client, str], None]] = {
    "fill": lambda client, _argument: client.fill(),
    "pause": lambda client, _argument: client.pause(True),
    "resume": lambda client, _argument: client.pause(False),
    "pace": lambda client, argument: client.set_pace(cast("Speed", argument.lower())),
    "skip": lambda client, _argument: client.skip(),
    "mute": lambda client, argument: client.mute(argument, True),
    "unmute": lambda client, argument: client.mute(argument, False),
    "remove": lambda client, argument: client.remove(argument),
    "same": lambda client, _argument: client.play_again("deal"),
}
"""Requests to the host by word; the host itself reports an error in the rest of the line."""

TAKE_BACK_WORDS = (("back", ""), ("take", "back"), ("u", ""))
"""The words that propose to take back, and agree to it."""


class TableDialog(Dialog):
    """Tells a client the events at its table, and handles typed lines."""

    def __init__(
        self,
        client: Client,
        say: Say,
        leave: Callable[[], None],
        thinkers: Thinkers | None = None,
        on_hint: Callable[[], object] = lambda: None,
        clock: Callable[[], float] = monotonic,
        tutor: Tutor | None = None,
    ) -> None:
        """`leave` may ask for a confirmation; `thinkers` compute hints, and `on_hint` is called after each.

        `clock` returns the time in seconds. A `tutor` explains the events.
        """
        super().__init__(say)
        self._tutor = tutor
        self._clock = clock
        self._updated_at = clock()
        self._was_warned = False
        """True once the player was warned that the time of this turn is nearly over."""
        self._client, self._leave, self._on_hint = client, leave, on_hint
        self._hinter = Hinter(client, thinkers, self._say_hint, say)
        self._word_to_confirm = ""
        """The word, `end` or `resign`, that the player must type again to confirm it; empty if none is asked for."""
        self._previous_update: Update | None = None
        self._move_options: list[MoveOption] = []
        self._outward_actions: dict[int, Action] = {}
        """The numbers that may face outward, while the player is asked for one."""

    @property
    def takes_answers(self) -> bool:
        """True if a typed line would be an answer; always True for a spectator, who is never asked."""
        update = self._client.update
        play = update.play if update else None
        if update is None or update.seat == NOBODY:
            return True
        if update.table.phase == "paused":
            return True  # a paused table asks nothing, so a line that waits for a question would wait forever
        if play and play.result:
            return update.seat not in update.ready
        return bool(play and play.legal)

    @property
    def is_thinking(self) -> bool:
        """True while a hint is being computed."""
        return self._hinter.is_thinking

    def close(self) -> None:
        """Discard pending hints: the player has left the table."""
        self._hinter.forget()
        del self._hinter  # break the cycle of references

    def handle_update(self, update: Update, *, asks_again: bool = False) -> None:
        """Tell the changes since the last update; ask for a move if something has happened.

        With `asks_again`, ask in any case, as after a lost connection.
        """
        update, previous = self._client.update or update, self._previous_update
        if previous is None and self._tutor:
            self._say(_("When the lesson says Enter, type the number of what you want to do."))
        self._previous_update = update
        self._updated_at = self._clock()
        self._was_warned = self._was_warned and not update.events
        self._say_all(seat_news(previous, update))
        news, proposal = request_news(previous, update, names_at_table(self._client)), open_proposal(update)
        self._say_all([*news, agreement_instruction(proposal)] if news and proposal else news)
        self._say_all(self._event_lines(update))
        self._teach(update)
        view = update.play
        is_round_over = any(isinstance(event, RoundOver) for event in update.events)
        if update.match and view and view.result and (is_round_over or previous is None):
            self._say_all(narrator_of(view).result(update.match, view, view.result, names_at_table(self._client)))
        if asks_again or previous is None or update.events or _has_question_changed(previous, update):
            self._ask_or_wait(previous, update, asks_again=asks_again)

    def _teach(self, update: Update) -> None:
        """Say the next sentence of a lesson."""
        if self._tutor is None:
            return
        previous_text = self._tutor.text
        self._tutor.follow(update)
        if self._tutor.text and self._tutor.text != previous_text:
            self._say(self._tutor.text)

    def _ask_or_wait(self, previous: Update | None, update: Update, *, asks_again: bool) -> None:
        """Ask the player. If another seat is on turn, speak only if that is new and the seat is no bot's."""
        view = update.play
        if view is None or view.result or view.turn == update.seat or asks_again or previous is None:
            self.ask()
            return
        self._move_options, self._outward_actions = [], {}
        previous_play = previous.play
        if not (update.table.seats[view.turn].bot or (previous_play and previous_play.turn == view.turn)):
            self.ask()

    def _event_lines(self, update: Update) -> list[str]:
        names = names_at_table(self._client)
        sides, view = update.match.sides if update.match else 0, update.play
        story = Story()
        events = update.events
        if any(isinstance(event, RoundOver) for event in events):  # the result follows in full
            events = tuple(event for event in events if not isinstance(event, RoundOver | MatchOver))
        story.add_events(events, names, update.seat, sides, view)
        return [*story.lines, *filter(None, [timeout_sentence(update, names)])]

    def tick(self) -> None:
        """Warn a player on turn, once, when the time is nearly over; to be called every second or so."""
        update = self._client.update
        if update is None or self._was_warned or self._client.lost:
            return
        seconds_left = seconds_left_of(update, self._clock() - self._updated_at)
        if seconds_left is not None and seconds_left <= HURRY_SECONDS and update.play and update.play.legal:
            self._was_warned = True
            self._say(
                several(
                    "{count} second left, then a bot plays.", "{count} seconds left, then a bot plays.", seconds_left
                )
            )

    def ask(self, *, repeated: bool = False) -> None:
        """Ask the player for a move, or name the player for whom the table waits."""
        self._move_options, self._outward_actions = [], {}
        update = self._client.update
        if update is None:
            return
        match = update.match
        view = match.play if match else None
        if match is None or view is None:
            self._say_all(self._waiting_lines(update))
        elif update.table.phase == "paused":
            self._say(_("Type “resume” to let the table go on."))
        elif view.result:
            self._ask_to_go_on(update, match)
        elif view.turn == update.seat != NOBODY:
            self._ask_to_move(update, match, repeated)
        else:
            self._say(translate(ask(view), names_at_table(self._client)))

    def _ask_to_move(self, update: Update, match: MatchView, repeated: bool) -> None:
        view, names = match.play, names_at_table(self._client)
        if view is None:
            return
        self._say(_("It is your turn.") + " " + translate(ask(view), names))
        self._say_all(narrator_of(view).choice_facts(view, names, repeated))
        if view.hand:
            self._say_all(hand_lines(self._client))
        seconds_left = seconds_left_of(update, 0.0)
        if seconds_left is not None:
            self._say(several("You have {count} second.", "You have {count} seconds.", seconds_left))
        if match.endless:
            self._say(_("This match may never end. Type “end” to end it; nobody wins then."))
        self._move_options = move_options(view, names)
        self._say_all(numbered_lines([option.text for option in self._move_options]))

    def _ask_to_go_on(self, update: Update, match: MatchView) -> None:
        if self._tutor:
            game = game_name(self._tutor.lesson.game)
            self._say(
                _("Type “play” to play {game} against bots, “next” for the next lesson, or “leave”.", game=game)
            )
            if not match.over:
                self._say(_("Press Enter to go on."))
        elif update.seat == NOBODY or update.seat in update.ready:
            if free := sum(seat.free for seat in update.table.seats) if match.over else 0:
                self._say_all(self._missing_player_lines(update, free))
            else:
                self._say(_("Waiting for the players to go on."))
        elif match.over and match.players == 1:
            self._say(_("Press Enter for a new deal, or type “same” for the same deal again, or “leave”."))
            if update.table.take_back:
                self._say(_("Type “back” to take back your last choice."))
        elif match.over and has_other_players(update):
            self._say(_("The match is over. Type “again” to play another match, or “leave”."))
        elif match.over:
            self._say(_("The match is over. Press Enter to play another match, or type “leave”."))
        else:
            self._say(_("Press Enter to go on."))

    def _waiting_lines(self, update: Update) -> list[str]:
        free = sum(seat.free for seat in update.table.seats)
        if not free:
            return [_("The tiles are shuffled.")]
        return self._missing_player_lines(update, free)

    @staticmethod
    def _missing_player_lines(update: Update, free: int) -> list[str]:
        """Return lines that say how many players are missing, how they join, and the house rules."""
        lines = [several("Waiting for {count} more player.", "Waiting for {count} more players.", free)]
        if update.code:
            lines.append(_("Private: others join with the code {code}.", code=update.code))
        if rules := changed_rules(update.table) + time_limits(update.table):
            lines.append(_("House rules: {rules}.", rules=", ".join(rules)))
        if update.seat != NOBODY:
            lines.append(_("Type “fill” to put bots on the free seats, or “help” to hear what else you can type."))
        return lines

    def handle_line(self, line: str) -> bool:
        """Handle a typed line; return True if it is a move, which the host must answer first."""
        word, _blank, argument = line.strip().partition(" ")
        word, argument = word.lower(), argument.strip()
        word_to_confirm, self._word_to_confirm = self._word_to_confirm, ""
        if word in TABLE:
            self._say_all(TABLE[word](self._client))
            return False
        if (word, argument.lower()) in TAKE_BACK_WORDS:
            self._client.take_back()
            return True
        if word in REQUESTS:
            REQUESTS[word](self._client, argument)
            return False
        match word:
            case "hint" | "h":
                self._hinter.ask()
            case "say" if argument:
                self._client.say(argument)
            case "say":
                self._say(_("Type “say” and then what you want to say."))
            case "end" | "resign":
                self._end_match(is_confirmed=word == word_to_confirm, resigns=word == "resign")
            case "leave" | "quit" | "q":
                self._leave()
            case "play" | "next" if self._tutor:
                self._follow_lesson(self._tutor, word)
            case _:
                return self._handle_answer(line.strip())
        return False

    def _end_match(self, *, is_confirmed: bool, resigns: bool) -> None:
        """End the match if all agree, or resign, or agree to that; ask before it is proposed."""
        if is_confirmed or not confirms_end(self._client.update, resigns=resigns):
            self._client.end_match(resigns=resigns)
        elif resigns:
            self._word_to_confirm = "resign"
            self._say(_("Type “resign” again to resign; the other side wins then."))
        else:
            self._word_to_confirm = "end"
            self._say(_("Type “end” again to end the match, if all agree; nobody wins then."))

    def _follow_lesson(self, tutor: Tutor, word: str) -> None:
        """Go from a lesson to a match of its game, or to the next lesson."""
        if word == "play":
            tutor.next_activity = against_bots(tutor.lesson.game)
        else:
            tutor.next_activity = LESSONS[(LESSONS.index(tutor.lesson) + 1) % len(LESSONS)]
        self._client.leave()

    def _handle_answer(self, line: str) -> bool:
        """Handle an answer to the present question."""
        update = self._client.update
        view = update.play if update else None
        if update and view and view.result and update.seat not in (NOBODY, *update.ready):
            is_over_with_others = update.match is not None and update.match.over and has_other_players(update)
            # A key meant for the last move must not begin a match with others.
            goes_on = line.lower() == "again" if is_over_with_others else not line or _is_number(line)
            if (self._tutor and self._tutor.is_over) or not goes_on:
                self.ask()
                return False
            self._client.ready()
            return True
        if not line:
            self.ask(repeated=True)
            return False
        if view is None or not self._move_options:
            sentence = _("There is no question for you now.")
            if update and update.table.phase == "paused":
                sentence = _("The table is paused.") + " " + _("Type “resume” to let the table go on.")
            elif view and not view.result:
                sentence = translate(ask(view), names_at_table(self._client))
            self._say(sentence + " " + _("Type “help” to hear what you can type."))
            return False
        if self._outward_actions:
            return self._face_outward(line)
        option = find_option(line, self._move_options, view, names_at_table(self._client))
        if isinstance(option, str):
            self._say(option)
            return False
        if option.outward_actions:
            self._outward_actions = option.outward_actions
            numbers = ", ".join(map(str, self._outward_actions))
            self._say(_("Which number should face out? Type one of {numbers}.", numbers=numbers))
            return False
        self._client.act(option.actions[0])
        return True

    def _face_outward(self, line: str) -> bool:
        action = self._outward_actions.get(int(line)) if _is_number(line) else None
        if action is None:
            self.ask()
            return False
        self._client.act(action)
        return True

    def _say_hint(self, hint: Hint) -> None:
        self._say(hint_sentence(hint, names_at_table(self._client), UNLIMITED_WIDTH))
        for number, option in enumerate(self._move_options, 1):
            if hint.action in option.actions:
                self._say(_("That is number {number}.", number=number))
        self._on_hint()


def _is_number(line: str) -> bool:
    """Return True if a line is a number of one or two digits, which may have been meant for a numbered move."""
    return line.isascii() and line.isdecimal() and len(line) < 3


def _has_question_changed(previous: Update, current: Update) -> bool:
    """Return True if the question has changed although nothing was played."""
    if previous.table.phase != current.table.phase or previous.ready != current.ready:
        return True
    return current.match is None and previous.table.seats != current.table.seats
