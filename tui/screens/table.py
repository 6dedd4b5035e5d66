"""The table: the board, the player's hand, and all actions of a player."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.timer import Timer

from core.actions import Dealt, Draw, Laid, Played, RoundOver, TakenBack
from core.bots.reasons.phrases import Hint
from core.layout.state import NOBODY, LayoutView
from core.prompts import why_not
from core.tiles import Tile
from core.variant import AnyView
from net.client.client import Client, ClientEvent, Disconnected, Reconnected, Verification
from net.host.thinkers import Thinkers
from net.limits import CHAT_LENGTH
from net.wire.messages import Refused, Said, Update
from tui.board.canvas import ClickTarget, Picture, stack
from tui.board.picture import Slide
from tui.draw import scene
from tui.draw.window_layout import board_width, has_side_panel, rows_for_table
from tui.i18n import _, spoken_language, translate
from tui.model.choice import AnyChoice, KeyResult
from tui.model.hints import Hinter
from tui.model.keys import ESCAPE, RARE_TABLE_KEYS, SOLO_TABLE, TABLE, Button, TableKeys
from tui.model.look import Look
from tui.model.presenter import Moment, presenter_of
from tui.model.text_input import ChatInput
from tui.screens.global_keys import Do, GlobalKeysScreen
from tui.text.at_table import PACES, chat_line, in_company, pace_names, pace_of, pace_words, phrases
from tui.text.names import with_stars
from tui.text.notices import (
    Story,
    grace_left,
    hint_sentence,
    join_instructions,
    maintenance_countdown,
    possible_action_lines,
    proof_words,
    return_instructions,
    seconds_left_of,
    table_buttons,
    timeout_sentence,
    unseen_events,
    urgent_sentence,
    useful_keys,
)
from tui.text.proposals import confirms_end, request_news
from tui.text.queued_tile import QueuedTile

if TYPE_CHECKING:
    from tui.lessons import Tutor
    from tui.screens.help import HelpScreen
    from tui.screens.lists import NextStep
    from tui.screens.pick_list import Item
    from tui.screens.review import ReviewedMatch, ReviewWorker


class TableScreen(GlobalKeysScreen[None]):
    """Plays or watches at one table until the client leaves it."""

    KEYS = (*TABLE, *RARE_TABLE_KEYS, ESCAPE)
    LAST_LOOK_SECONDS: ClassVar[float] = 2.5
    """Seconds between the last tile of a round and its result, in which the hands are turned over."""
    COUNTING_STEPS: ClassVar[int] = 5
    """Steps in which the pips of the hands are counted, in the first half of `LAST_LOOK_SECONDS`."""
    GLOW_SECONDS: ClassVar[float] = 0.15
    """Seconds for which a newly laid tile glows and others move to new places in two steps, if animation is on."""

    def __init__(
        self,
        client: Client,
        look: Look,
        on_look_changed: Callable[[Look], object] | None = None,
        leave: Callable[[], None] | None = None,
        thinkers: Thinkers | None = None,
        review_worker: "ReviewWorker | None" = None,
        tutor: "Tutor | None" = None,
    ) -> None:
        """`leave` may ask first. `thinkers` compute hints, `review_worker` reviews, `tutor` explains a lesson."""
        super().__init__(look, on_look_changed)
        self._client = client
        self._previous_update: Update | None = None
        self._story = Story()
        self._lines_scrolled_back = 0
        """Number of story lines scrolled back."""
        self._shows_result = True
        self._counted_share = 1.0
        """Share of the hands' pips counted so far."""
        self._is_glowing = False
        self._slide: Slide | None = None
        self.switch_bell: Callable[[], str] = str
        """Turns the bell on or off; returns a sentence for the player."""
        self._review_worker = review_worker
        self._tutor = tutor
        self._leave = leave or client.leave
        self._choice: AnyChoice | None = None
        self._queued_tile = QueuedTile()
        self._reviewed_match: ReviewedMatch | None = None
        self.leave_text = _("leave the table")
        """Words for leaving the table at the end of a match."""
        self.reviews_unasked = False
        """True if a match is reviewed without a request, which is done only where it costs no other guest time."""
        self.records: Path | None = None
        """The folder of the player's own records."""
        self._hinter = Hinter(client, thinkers, self._show_hint, self._refuse)
        self.on_close(self._hinter.forget)
        self._warning = ""
        self._updated_at = monotonic()
        self._countdown: Timer | None = None
        """Redraws once a second while a player or an announced maintenance is awaited."""
        self._hand_top = 0
        self._surroundings_key: tuple[object, ...] = ()
        self._surroundings = scene.Surroundings(*[Picture(())] * 3)
        """Parts that do not depend on the choice, cached by `_surroundings_key`: most keys change only the choice."""
        if client.update:
            self._follow_update(client.update)
        for message in client.said:
            if not message.name:  # the host's notice, which came before the table
                self._story.add(chat_line(message), is_chat=True)
        # Subscribe here, not in `on_mount`: messages in between would be missed.
        self.on_close(client.subscribe(self.handle))

    def on_mount(self) -> None:
        if (update := self._client.update) and (update.table.turn_time or update.table.match_time):
            self.set_interval(1.0, self.redraw)
        if (update and update.grace) or self._client.maintenance.seconds_left:
            self._count_down()

    def handle(self, message: ClientEvent) -> None:
        """Update the table from a message."""
        match message:
            case Update():
                self._warning = ""
                self._updated_at = monotonic()
                self._follow_update(message)
            case Disconnected() | Reconnected():
                pass  # the sentence says so
            case Verification():
                self.note(proof_words(message))
            case Said():
                self._story.add(chat_line(message), is_chat=True)
            case Refused(reason=reason):
                self._warning = translate(reason, self._names)
            case _:
                return
        self._count_down()

    def _count_down(self) -> None:
        """Redraw now, and once a second for as long as a player or an announced maintenance is awaited."""
        grace = self._client.update and grace_left(self._client.update, monotonic() - self._updated_at)
        is_awaiting = bool(grace or self._client.maintenance.seconds_left)
        if is_awaiting and self._countdown is None and self.is_attached:
            self._countdown = self.set_interval(1.0, self._count_down)
        elif not is_awaiting and self._countdown:
            self._countdown.stop()
            self._countdown = None
        self.redraw()

    def _follow_update(self, update: Update) -> None:
        if self._tutor:
            self._tutor.follow(update)
        previous, self._previous_update = self._previous_update, update
        sides, view = update.match.sides if update.match else 0, update.play
        if any(isinstance(event, Dealt) for event in update.events) and _is_deal_by_others(previous, update):
            self.settle()
        if update.match is None or not update.match.over:
            self._reviewed_match = None
        if previous and update.table.pace != previous.table.pace:
            self._story.add(pace_words(update.table))
        for news in request_news(previous, update, self._names):
            self._story.add(news)
        self._story.add_events(unseen_events(previous, update), self._names, update.seat, sides, view)
        if timeout_words := timeout_sentence(update, self._names):
            self._story.add(timeout_words)
        if any(isinstance(event, RoundOver) for event in update.events):
            self._show_last_look(update)
        self._glow(update)
        if any(isinstance(event, TakenBack) for event in update.events):
            self._choice, self._queued_tile = None, QueuedTile()
        if view is None or update.seat == NOBODY or view.result:
            self._choice, self._queued_tile = None, QueuedTile()
            return
        presenter = presenter_of(view)
        self._choice = presenter.choose(view, self._choice)
        if view.turn == view.seat:
            if self._tutor and self._choice and (action := self._tutor.take_proposal(view)):
                self._choice = self._choice.with_action(action)
            self._play_queued_tile(view)

    def _play_queued_tile(self, view: AnyView) -> None:
        """Play the tile queued before the player's turn, or say why that is not possible."""
        action, self._warning = self._queued_tile.due(view, self._names)
        if action and not self._warning:
            self._client.act(action)
        elif action:
            self._choice = self._choice and self._choice.with_action(action)

    def draw(self, width: int, height: int) -> Picture:
        update = self._client.update
        if update is None:
            return Picture(())
        rows = rows_for_table(
            update,
            width,
            height,
            lesson=bool(self._tutor and self._tutor.reserves_space),
            shows_result=self._shows_result,
        )
        has_end = not (self._shows_result and update.play and update.play.result)  # else the result repeats it
        story = self._story.lines_with_talk(has_end=has_end)
        buttons = self.buttons() if self.look.touched else ()
        elapsed = 0.0 if self._client.lost else monotonic() - self._updated_at
        seconds_left = seconds_left_of(update, elapsed)
        moment = Moment(
            update=update,
            choice=self._choice,
            story=story,
            event_lines=self._story.events(has_end=has_end),
            chat_lines=tuple(self._story.chat_lines),
            lines_scrolled_back=self._lines_scrolled_back,
            lanes_have_scores=rows.lanes_have_scores,
            queued_sentence=self._queued_tile.sentence(self._tile),
            join_lines=join_instructions(self._client),
            warning=urgent_sentence(update, seconds_left, self._warning, is_lost=self._client.lost),
            seconds_left=seconds_left,
            grace=grace_left(update, elapsed),
            maintenance=maintenance_countdown(self._client),
            shows_result=self._shows_result,
            lesson=self._tutor.text if self._tutor else "",
            counted_share=self._counted_share,
            slide=self._slide,
            main_button=next((button.words for button in buttons if button.kind == "main"), ""),
            hints=useful_keys(update, self._choice, ascii=self.look.ascii, reviews=self._review_worker is not None),
        )
        look = self.look.glowing if self._is_glowing else self.look
        middle = scene.draw_middle(moment, board_width(width, height), rows.board, look)
        self._hand_top = rows.title + rows.players + rows.board + rows.story + rows.lesson
        state = (moment.seconds_left, moment.grace, self._lines_scrolled_back, self._counted_share, spoken_language())
        if (cache_key := (update, story, rows, width, self.look, *state)) != self._surroundings_key:
            self._surroundings_key = cache_key
            self._surroundings = scene.draw_surroundings(moment, width, rows, self.look)
        return stack(
            scene.put_into_surroundings(self._surroundings, middle),
            scene.draw_lesson(moment, width, rows.lesson, self.look),
            scene.draw_band(moment, width, rows.hand, self.look),
            scene.draw_foot(moment, width, self.look),
        )

    def buttons(self) -> tuple[Button, ...]:
        update = self._client.update
        if update is None or self.line:
            return super().buttons()
        return table_buttons(update, self._choice, reviews=self._review_worker is not None)

    @property
    def _names(self) -> tuple[str, ...]:
        """The names on the seats."""
        update = self._client.update
        return tuple(seat.name for seat in update.table.seats) if update else ()

    def note(self, sentence: str) -> None:
        """Add a sentence to the story, where it stays."""
        self._story.add(sentence)
        self.redraw()

    def _glow(self, update: Update) -> None:
        """Let a newly laid tile glow for a moment, and tiles that change their places slide; nothing waits for it."""
        laid_count = sum(isinstance(event, Played | Laid) for event in update.events)
        if not (self.look.moves and self.is_attached and laid_count):
            return
        self._is_glowing = True
        if isinstance(update.play, LayoutView):
            self._slide = Slide(len(update.play.layout) - laid_count, 1 / 3)
            self.set_timer(self.GLOW_SECONDS / 2, self._continue_slide)
        self.set_timer(self.GLOW_SECONDS, self._end_glow)

    def _continue_slide(self) -> None:
        if self._slide:
            self._slide = self._slide._replace(share=2 / 3)
            self.redraw()

    def _end_glow(self) -> None:
        self._is_glowing, self._slide = False, None
        self.redraw()

    def _show_last_look(self, update: Update) -> None:
        """Show the table and all hands for a moment before the result, unless bots play at once."""
        self._counted_share = 1.0
        if self.LAST_LOOK_SECONDS and self.is_attached and pace_of(update.table) != "at once":
            self._shows_result = False
            self.set_timer(self.LAST_LOOK_SECONDS, self._show_result)
            if self.look.moves:
                self._counted_share = 0.0
                self.set_timer(self.LAST_LOOK_SECONDS / self.COUNTING_STEPS / 2, self._count_more_pips)
        else:
            self.settle()

    def _count_more_pips(self) -> None:
        """Count some more pips of all hands."""
        self._counted_share = min(1.0, self._counted_share + 1 / self.COUNTING_STEPS)
        self.redraw()
        if self._counted_share < 1:
            self.set_timer(self.LAST_LOOK_SECONDS / self.COUNTING_STEPS / 2, self._count_more_pips)

    def _show_result(self) -> None:
        """Show the result, unless the player already has it open."""
        if not self._shows_result:
            self._shows_result = True
            self.settle()
        self.redraw()

    # The player's actions

    def action_go(self) -> None:
        """Do what the sentence says: play, draw or pass, or continue after a result."""
        update, choice = self._client.update, self._choice
        if update is None or update.match is None or update.match.play is None:
            return
        if update.match.play.result:
            if not self._shows_result:
                self.action_look()
            elif self._tutor and update.match.over:
                self._ask_what_is_next(self._tutor)
            elif update.match.over:
                self._end_match()
            else:
                self._client.ready()
        elif choice and (question := choice.question()):
            self._choose(question)
        elif choice and choice.action and update.match.play.turn == update.seat:
            self._client.act(choice.action)
        elif choice and choice.view.turn != update.seat:
            self._queued_tile.press(self._tile)
            self._refuse("")
        elif choice and choice.view.hand:
            self._refuse(self._why_not(choice))

    @property
    def _tile(self) -> Tile | None:
        """The tile under the cursor."""
        choice = self._choice
        return choice.view.hand[choice.tile] if choice and choice.tile < len(choice.view.hand) else None

    def _why_not(self, choice: AnyChoice) -> str:
        reason = why_not(choice.view, choice.view.hand[choice.tile])
        return with_stars(translate(reason, self._names)) if reason else ""

    def _choose(self, choice: AnyChoice | None) -> None:
        if choice is None:
            return
        self._choice = choice
        self._queued_tile.is_raised = choice.view.turn != choice.view.seat
        self._warning = self._why_not(choice) if choice.playable and not choice.plays else ""
        self.redraw()

    def action_tile(self, step: int) -> None:
        self._choose(self._choice and self._choice.move(step))

    def action_end(self, step: int) -> None:
        self._choose(self._choice and self._choice.turn(step))

    def action_draw(self) -> None:
        if self._choice and self._choice.can_draw:
            self._client.act(Draw())
        else:
            self._refuse(_("You cannot draw now."))

    def action_pass_turn(self) -> None:
        refusal = self._choice and self._choice.refusal
        if refusal:
            self._client.act(refusal)
        else:
            self._refuse(_("You cannot pass now."))

    def action_hint(self) -> None:
        """Ask for a hint with its reason; where hints are not allowed, ask the others to allow them."""
        self._hinter.ask()

    def _show_hint(self, hint: Hint) -> None:
        self._choose(self._choice and self._choice.with_action(hint.action))
        if (sentence := hint_sentence(hint, self._names, self.size.width - 4)) not in self._story.lines[-3:]:
            self.note(sentence)

    def _refuse(self, sentence: str) -> None:
        self._warning = sentence
        self.redraw()

    def handle_unbound_key(self, key: events.Key) -> bool:
        """Choose by a digit or a letter; return whether the key meant something."""
        if self._choice is None or not key.character or self.is_too_small:
            return False
        key_result = self._choice.press(key.character)
        if key_result is None:
            return False
        self._apply_key_result(key_result)
        return True

    def handle_click(self, hit: ClickTarget) -> None:
        """Choose a tile or an end by a click; a second click plays it."""
        choice = self._choice
        if choice is None:
            self.action_go()
        else:
            self._apply_key_result(choice.click(hit.at, hit.side, in_hand=hit.y >= self._hand_top))

    def _apply_key_result(self, key_result: KeyResult) -> None:
        if key_result.refusal:
            self._refuse(translate(key_result.refusal, self._names))
        elif key_result.act:
            self._choice = key_result.choice
            self.action_go()
        else:
            self._choose(key_result.choice)

    def _end_match(self) -> None:
        """Show the end of the match, with its menu."""
        from tui.screens.match_end import MatchEndScreen  # noqa: PLC0415 - not in the first picture

        match, reviews_unasked = self._get_reviewed_match(), self.reviews_unasked
        self.app.push_screen(
            MatchEndScreen(
                self.look, self._client, match, self._leave, self.leave_text, reviews_unasked=reviews_unasked
            )
        )

    def _ask_what_is_next(self, tutor: "Tutor") -> None:
        """Ask what comes next: this game against bots, another lesson, or leaving."""
        from tui.screens.lists import next_steps_screen  # noqa: PLC0415 - not in the first picture

        self.ask(next_steps_screen(self.look, tutor), partial(self._follow_lesson, tutor))

    def _follow_lesson(self, tutor: "Tutor", step: "NextStep") -> None:
        """Leave the lesson for the learner's choice, unless that is the lesson itself."""
        if step.next_activity is not tutor.lesson:
            tutor.next_activity = step.next_activity
            self._client.leave()

    def _get_reviewed_match(self) -> "ReviewedMatch":
        """Return the record and the review of the finished match, which all screens share."""
        from tui.screens.review import HostRecord, ReviewedMatch  # noqa: PLC0415 - not in the first picture

        self._reviewed_match = self._reviewed_match or ReviewedMatch(
            HostRecord(self._client, self.records), self._review_worker
        )
        return self._reviewed_match

    def action_review(self) -> None:
        """Open the coach's review of the finished match; or say why there is none."""
        from tui.screens.review import ReviewScreen  # noqa: PLC0415 - not in the first picture

        match = self._client.update.match if self._client.update else None
        if match is None or not match.over:
            self._refuse(_("The coach reviews a match when it is over."))
        elif self._review_worker is None or match.players < 2:
            self._refuse(_("There is no coach for this match."))
        else:
            self.app.push_screen(ReviewScreen(self.look, self._get_reviewed_match()))

    def action_look(self) -> None:
        """Switch between the result and the table under it; without a result, say so."""
        match = self._client.update.match if self._client.update else None
        if match and match.play and match.play.result:
            self._shows_result = not self._shows_result
            self.redraw()
        else:
            self._refuse(_("There is a result when the round is over."))

    def action_scroll_story(self, lines: int) -> None:
        """Scroll the story if it is in view; otherwise say in which window it is."""
        if has_side_panel(*self.size):
            self._lines_scrolled_back = max(0, min(self._lines_scrolled_back + lines, len(self._story.event_lines)))
            self.redraw()
        else:
            self._refuse(_("The moves are beside the table in a window of 120 columns or more."))

    def action_talk(self) -> None:
        is_solo = not (
            self._client.port or self._client.places or self._client.link
        )  # on a host, others may come at any moment
        if not is_solo or (self._client.update and in_company(self._client.update)):
            self.type_line(
                ChatInput(phrases(), limit=CHAT_LENGTH, prompt=_("To all at the table · Enter sends · Esc cancels")),
                self._client.say,
            )
        else:
            self._refuse(_("Nobody else is here to talk to."))

    def action_who(self) -> None:
        from tui.screens.guests import GuestsScreen  # noqa: PLC0415 - not in the first picture

        self.app.push_screen(GuestsScreen(self.look, self._client))

    def action_pause(self) -> None:
        if self._client.update:
            self._client.pause(self._client.update.table.phase != "paused")

    def action_pace(self, step: int) -> None:
        if self._client.update:
            pace_index = PACES.index(pace_of(self._client.update.table)) + step
            self._client.set_pace(PACES[max(0, min(pace_index, len(PACES) - 1))])

    def action_skip(self) -> None:
        self._client.skip()

    def action_take_back(self) -> None:
        """Take back the last choice, or agree to another player's request; the host refuses with a reason."""
        self._client.take_back()

    def action_bell(self) -> None:
        """Turn the bell on or off."""
        if sentence := self.switch_bell():
            self.note(sentence)

    def action_end_match(self, resigns: bool = False) -> None:
        """End the match if all agree, or resign, or agree to that; ask before it is proposed."""
        question = _("Press E again to end the match, if all agree; nobody wins then.")
        if resigns:
            question = _("Press R again to resign; the other side wins then.")
        if self._warning == question or not confirms_end(self._client.update, resigns=resigns):
            self._client.end_match(resigns=resigns)
        else:
            self._refuse(question)

    def action_fill(self) -> None:
        self._client.fill()

    def tell(self, sentence: str) -> None:
        self._refuse(sentence)

    def findable_items(self) -> "list[Item[Do]]":
        """Also return the paces of the bots."""
        from tui.screens.pick_list import Item  # noqa: PLC0415 - not in the first picture

        items = super().findable_items()
        if self._client.update and not in_company(self._client.update):
            items = [item for item in items if item.cells[1] not in ("t", "z", "!")]
        paces = [Item((words, ""), partial(self._client.set_pace, pace)) for pace, words in pace_names().items()]
        return [*items, *paces]

    def action_help(self) -> None:
        if self._client.update:
            self.app.push_screen(self.help_for(self._client.update))

    def help_for(self, update: Update) -> "HelpScreen":
        """Return the keys and rules, below the end of the story and the sentence, which a narrow window may cut."""
        from tui.screens.help import HelpScreen  # noqa: PLC0415 - not in the first picture

        current_actions = [
            *self._story.lines[-3:],
            *possible_action_lines(update, self._choice, self._warning, self._names),
        ]
        keys, note = TABLE if in_company(update) else SOLO_TABLE, return_instructions(self._client)
        return HelpScreen(
            self.look, keys, update.table.game, update.table.options, current_actions=current_actions, note=note
        )

    def action_escape(self) -> None:
        """Close what is open, or else leave; but never leave other people, who would have to play with a bot."""
        if not (self._client.update and in_company(self._client.update)):
            self.action_leave()
        elif not self._close_open_question():
            self._refuse(_("q leaves the table."))

    def _close_open_question(self) -> bool:
        """Close the line that is typed, or go back to the previous choice; return False if there is neither."""
        if self.line:
            self.close_line()
        elif self._choice and (earlier_choice := self._choice.back()):
            self._choose(earlier_choice)
        else:
            return False
        return True

    def action_leave(self) -> None:
        """Leave the table; or cancel what is open."""
        if self._close_open_question():
            pass
        elif self._tutor and not self._client.lost:
            self._ask_what_is_next(self._tutor)
        elif self._client.lost:
            self.app.exit(_("The connection to the server was lost."))
        else:
            self._leave()


if TYPE_CHECKING:
    _has_what_its_keys_do: type[TableKeys] = TableScreen


def _is_deal_by_others(previous: Update | None, update: Update) -> bool:
    """Return True if a round begins because of other players' actions."""
    return previous is not None and (previous.match is None or update.seat in previous.ready)
