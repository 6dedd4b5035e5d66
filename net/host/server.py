"""The server: it connects a lobby with links and storage, and sends nothing before it is saved."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Set
from functools import partial
from time import monotonic, perf_counter, thread_time
from typing import NamedTuple

from msgspec.structs import replace

from core.actions import Action
from core.bots.profiles import Question, Thought
from core.bots.tempers import with_temper
from core.layout.state import NOBODY
from core.words import Illegal, words
from net.host.guest_server import CLOSED, Charge, GuestServer
from net.host.lobby import Effects, Lobby
from net.host.metrics import Metrics, Stage
from net.host.thinkers import ANSWER_TIMEOUT, Thinkers
from net.limits import DESERTED_FOR, LOST_FOR
from net.logs import fields
from net.loop import DeferredCall, LoopScheduler, log_failures, wait_at_most
from net.players.accounts import Banned
from net.storage.record_index import RecordIndex
from net.table import transitions
from net.table.persistence import Batch, Change, RecordedMatch, Snapshot, Storage
from net.table.table import Outbox, Table
from net.wire.link import Link, pack
from net.wire.messages import Bind, Bye, Goodbye, Refused, Said, Sit, ToClient, ToHost, Unbind, Update, Watch

THINK_TIMEOUT = ANSWER_TIMEOUT + 1.0
"""Seconds after which a table polls again whether its bot has answered."""
SAVE_TIMEOUT = 5.0
"""Seconds without an answer of the storage after which a batch is saved again."""
RETRY_AFTER = 2.0
"""Seconds after which saving is retried: soon enough once the operator has made room on the disk."""
CLOSE_TIMEOUT = 1.5
"""Seconds that a closing server takes at most to save its tables; everything that was sent is saved already."""
_BROKEN = words("Something went wrong at this table, so it was closed; its record is kept.")
_SUSPENDED = words("The server cannot save right now, so nobody can play until it can.")
log = logging.getLogger(__name__)


class Server(GuestServer):
    """Connects one lobby with links, the event loop's clock, and storage.

    The lobby's answers wait until all changes before them are saved, so that everything that a guest has received
    survives a crash. Changes while a batch is being saved form the next batch.

    It starts no task, and timers end with `close`.
    """

    def __init__(
        self,
        lobby: Lobby,
        storage: Storage | None = None,
        metrics: Metrics | None = None,
        scheduler: LoopScheduler | None = None,
        thinkers: Thinkers | None = None,
        records: RecordIndex | None = None,
    ) -> None:
        """`thinkers` let bots think; without them, bots play as greedy would. `records` are the finished matches, if
        guests may see them.
        """
        super().__init__(lobby.front, thinkers, metrics, scheduler)
        self.lobby = lobby
        self.registry = self
        self._bots = BotTurns(lambda: lobby.tables, thinkers, self._update_timer)
        self.metrics.set_sources(tables=lambda: len(lobby.tables), pending_saves=lambda: self.pending_messages)
        self.storage_error: Exception | None = None
        """Error of the last save; until saving works again, the server is suspended."""
        self.on_touch: Callable[[int], None] | None = None
        """Called with the number of every table that has changed."""
        self.before_join: Callable[[int], Awaitable[None]] | None = None
        """Waits for a table that may be moving here from another machine."""
        self._storage = storage
        self._records = records
        self._links: dict[int, Link] = {}
        self._timers: dict[int, asyncio.TimerHandle] = {}
        """Timers by table."""
        self._snapshots: dict[int, Snapshot] = {}
        self._queued: dict[int, tuple[int, int]] = {}
        """Last match and number of its lines that were queued to be saved, by table."""
        self._unannounced: set[int] | None = None
        """Tables to report to followers once they are saved; an empty set reports bans alone, None nothing."""
        self._unsent: Outbox = []
        self._unsaved = Batch()
        self._saving: tuple[Batch, Outbox] | None = None
        self._retry = DeferredCall(self._save, "not-saved-again")
        self._save_begun = 0.0
        """Time at which the storage got the batch; 0 if it has none."""
        self._idle = asyncio.Event()
        self._idle.set()

    @property
    def pending_messages(self) -> int:
        """Number of messages that wait for a save."""
        return len(self._unsent) + (len(self._saving[1]) if self._saving else 0)

    @property
    def pending_tables(self) -> Set[int]:
        """Tables with unsaved changes or unsent messages."""
        batches, outboxes = [self._unsaved], [self._unsent]
        if self._saving is not None:
            batches.append(self._saving[0])
            outboxes.append(self._saving[1])
        guests = {connection for outbox in outboxes for connection, _ in outbox}
        present = (self.lobby.present.get(guest) for guest in guests)
        return {change.table for batch in batches for change in batch.tables} | {
            presence.table for presence in present if presence
        }

    def open(self) -> None:
        """Set the timers of the resumed tables."""
        self.save_all()

    @property
    def bans(self) -> Mapping[str, Banned]:
        return self.lobby.accounts.bans

    async def admit(self, connection: int, name: str, token: str) -> None:
        if self.storage_error:
            raise Illegal(_SUSPENDED)
        self.apply_effects(self.lobby.admit(connection, name, token))
        await self.flush()

    async def name_of(self, token: str) -> str:
        return self.lobby.accounts.name_of(token)

    async def account_of(self, key: str) -> str:
        return self.lobby.accounts.account_of(key)

    async def record(self, link: str, start: int = 0) -> tuple[str, ...]:
        if self._records is None:
            return ()
        return await asyncio.to_thread(self._records.lines, link, start)

    async def offer(self, token: str) -> str:
        return self.lobby.accounts.offer(token, monotonic())

    async def bind(self, key: str, code: str) -> str:
        token = self.lobby.accounts.bind(key, code, monotonic())
        if token:
            self.apply_effects(self.lobby.save(()))
            await self.flush()
        return token

    async def unbind(self, key: str) -> bool:
        was_bound = self.lobby.accounts.unbind(key)
        if was_bound:
            self.apply_effects(self.lobby.save(()))
            await self.flush()
        return was_bound

    def send(self, outbox: Outbox) -> None:
        self._unsent += outbox
        self._save_next()

    def _announce_at_tables(self, message: Said) -> None:
        self.apply_effects(self.lobby.announce(message))

    def _add_guest(self, connection: int, link: Link) -> None:
        self._links[connection] = link

    def _is_serving(self, connection: int) -> bool:
        return connection in self._links

    def _is_playing(self, connection: int) -> bool:
        return self.lobby.is_playing(connection)

    async def _answer_message(self, connection: int, message: ToHost, _payload: bytes, charge: Charge) -> None:
        if self.before_join is not None and isinstance(message, Sit | Watch):
            await self.before_join(message.table)
        cpu_start = thread_time()
        if isinstance(message, Bind | Unbind):
            self.send(await self._answer_binding(connection, message))
        else:
            self._handle(connection, message)
        charge(thread_time() - cpu_start)

    async def _remove_guest(self, connection: int, *, excused: bool) -> None:
        self._links.pop(connection, None)
        # retry once: the seat of a lost player would never be freed otherwise
        for _ in range(0 if self.closed else 2):
            with log_failures("guest-not-missed", connection=connection) as missing:
                self.apply_effects(self.lobby.disconnect(connection, excused=excused))
            if not missing.failed:
                break

    def apply_effects(self, effects: Effects) -> None:
        """Queue the changes of a call of the lobby to be saved, and its messages to be sent after that."""
        for change in effects.changes:  # first: messages must not be sent before their changes are saved
            self._note_change(change)
        self._unsaved.account_entries += effects.account_entries
        self._unsent += effects.messages
        if self.followers and (effects.relisted or effects.account_entries):
            self._unannounced = self._unannounced or set()
            self._unannounced |= effects.relisted
        self._save_next()
        if effects.relisted:
            self._lobby_updates.note_change()
        for change in effects.changes:
            self._update_timer(change.table)
            if self.on_touch is not None:
                self.on_touch(change.table)

    async def flush(self) -> None:
        """Wait until all changes are saved and all messages sent."""
        await self._idle.wait()

    async def aclose(self) -> None:
        """Save every table, and say goodbye to all guests."""
        self.save_all()
        await wait_at_most(CLOSE_TIMEOUT, self.flush())
        self.close()

    def close(self) -> None:
        """Say goodbye to all guests, close all links and stop all timers; `serve` calls then return."""
        self.closed = True
        for timer in self._timers.values():
            timer.cancel()
        self._retry.cancel()
        self._timers.clear()
        self._bots.close()
        self._lobby_updates.close()
        for connection in list(self._links):
            self._send(connection, Bye(CLOSED, again=self.returns))

    def save_all(self) -> None:
        """Save the current state of every table, in particular its clock."""
        self.apply_effects(self.lobby.save_all())

    def forget(self, numbers: Set[int]) -> None:
        """Discard tables that another host runs now: their unsaved changes and unsent messages are dropped."""
        guests = {
            guest for number in numbers & self.lobby.tables.keys() for guest in self.lobby.tables[number].guests
        }

        def for_other_guests(outbox: Outbox) -> Outbox:
            return [
                (connection, message)
                for connection, message in outbox
                if connection not in guests and not (isinstance(message, Update) and message.table.id in numbers)
            ]

        self._unsent = for_other_guests(self._unsent)
        if self._saving is not None:
            self._saving = self._saving[0], for_other_guests(self._saving[1])
        self._unsaved.tables = [change for change in self._unsaved.tables if change.table not in numbers]
        effects = self.lobby.forget(numbers)
        self._send_all(effects.messages)  # not queued: they depend on no save, and perhaps saving is impossible
        self.apply_effects(replace(effects, messages=[]))
        for number in numbers:
            self._snapshots.pop(number, None)
            self._queued.pop(number, None)
            self._update_timer(number)

    def _handle(self, connection: int, message: ToHost) -> None:
        if self.storage_error and not isinstance(message, Goodbye):
            self._send_all([(connection, Refused(_SUSPENDED))])
            return
        with self.metrics.stages.of(Stage.DECIDE):
            effects = self.lobby.receive(connection, message)
        self.apply_effects(effects)

    # Saving

    def _note_change(self, change: Change) -> None:
        table = self.lobby.tables.get(change.table)
        if table is not None:
            change = self._complete(change, table.recorded)
        if change.lines:
            self.metrics.count_action()
            self._scheduler.note_move()
        if table is None:
            self._unsaved.tables.append(change)
            self._snapshots.pop(change.table, None)
            self._queued.pop(change.table, None)
        elif change.snapshot is not None and (change.lines or change.snapshot != self._snapshots.get(change.table)):
            position = table.recorded.position
            # Keep `_unsaved` and `_queued` in step: if only one were updated, the change would be lost or saved under
            # another match.
            self._unsaved.tables, self._queued[change.table] = [*self._unsaved.tables, change], position
            self._snapshots[change.table] = change.snapshot

    def _complete(self, change: Change, match: RecordedMatch) -> Change:
        """Return a change with all lines of the match that were not queued yet.

        An earlier change was lost if something failed on the way from the table to here.
        """
        last_queued, (match_number, _) = self._queued.get(change.table, (0, change.first)), match.position
        if change.begins or last_queued == (match_number, change.first):
            return change
        queued_count = last_queued[1] if last_queued[0] == match_number else 0
        lines = match.lines[queued_count:]
        ends = bool(lines) and not match.in_progress
        return replace(change, lines=lines, begins=last_queued[0] != match_number, ends=ends, first=queued_count)

    def _save_next(self) -> None:
        """Start saving, unless a batch is being saved; if there are no changes, send at once."""
        # If no retry is pending, a failure has left this batch unsaved: schedule one.
        if self._saving is not None and not self._retry and not self.closed:
            self._retry.schedule(RETRY_AFTER)
        while self._saving is None and (self._unsent or self._unsaved or self._unannounced is not None):
            # In one statement: an interruption between two would lose the data.
            self._saving, self._unsaved, self._unsent = (self._unsaved, self._unsent), Batch(), []
            self.lobby.clock.begin_saving()
            self._save()

    def _save(self) -> None:
        """Save the batch, for the first time or again, which is idempotent."""
        if self._saving is None:
            return
        batch = self._saving[0]
        with log_failures("not-saved") as saving:
            if batch and self._storage:
                self._idle.clear()
                self._save_begun = perf_counter()
                self._retry.schedule(SAVE_TIMEOUT)
                self._storage.save(batch, partial(self._batch_saved, batch))
            else:
                self._batch_saved(batch, None)
        if saving.failed:
            self._retry.schedule(RETRY_AFTER)

    def _batch_saved(self, batch: Batch, error: Exception | None) -> None:
        """Confirm a saved batch, or schedule a retry."""
        saving = self._saving
        if saving is None or saving[0] is not batch:
            return  # it was saved twice
        with log_failures("not-noted-as-saved") as confirming:
            if error is None:
                self._confirm(saving[1])
            else:
                self._suspend(error)
        if confirming.failed:
            self._retry.schedule(RETRY_AFTER)  # harmless if it was confirmed
        self._save_next()
        if self._saving is None:
            self._idle.set()

    def _confirm(self, outbox: Outbox) -> None:
        """Send the messages of a saved batch. If this fails they are sent again: better twice than never."""
        if self.lobby.clock.end_saving():
            for number in list(self._timers):
                self._update_timer(number)
        unannounced, self._unannounced = self._unannounced, None
        if unannounced is not None:  # first, so that no guest is sent back to an old list
            self.followers.notify(unannounced)
        self._send_all(outbox)
        self._saving = None
        self._retry.cancel()
        if self._save_begun:
            self.metrics.stages.record_duration(Stage.SAVE, perf_counter() - self._save_begun)
            self._save_begun = 0.0
        if self.storage_error:
            log.warning("saving-again")
        self.storage_error = None
        self.metrics.count_save()

    def _suspend(self, error: Exception) -> None:
        if not self.closed:
            self._retry.schedule(RETRY_AFTER)
        former_error, self.storage_error = self.storage_error, error
        if former_error is None:
            log.error("cannot-save", extra=fields(error=error))
            self._send_all([(connection, Refused(_SUSPENDED)) for connection in self._links])

    # Sending

    def _send_all(self, outbox: Outbox) -> None:
        for connection, message in outbox:
            with log_failures("not-told") as sending:
                if isinstance(message, Refused):
                    self.metrics.count_refusal()
                self._send(connection, message)
            if sending.failed and (link := self._links.pop(connection, None)) is not None:
                link.close()  # their client reconnects, and gets everything

    def _send(self, connection: int, message: ToClient) -> None:
        link = self._links.get(connection)
        if link is None:
            return
        link.send(pack(message))
        if isinstance(message, Bye):
            del self._links[connection]
            link.close()

    def _say_goodbye(self, connection: int, bye: Bye) -> None:
        self._send(connection, bye)

    # Timers

    def _set_timer(self, number: int) -> None:
        timer = self._timers.pop(number, None)
        if timer:
            timer.cancel()
        table = self.lobby.tables.get(number)
        if self.closed:
            return
        thinking = self._bots.is_thinking(number)
        if table is None:
            return
        if table.deserted:
            in_progress = table.recorded.in_progress
            self._schedule_step(
                number, DESERTED_FOR if in_progress else LOST_FOR if table.is_awaiting_guest else 0, self.lobby.close
            )
        else:
            delay = self.lobby.delay(number, thinking=thinking)
            if thinking:  # an answer restarts the timer; this is for a lost answer
                delay = THINK_TIMEOUT if delay is None else min(delay, THINK_TIMEOUT)
            if delay is not None:
                self._schedule_step(number, delay, self._step)

    def _update_timer(self, number: int) -> None:
        """Set the timer of a table to its next step; if that fails, retry a little later."""
        with log_failures("timer-not-set", table=number) as setting:
            self._set_timer(number)
        if setting.failed:
            self._timers[number] = asyncio.get_running_loop().call_later(RETRY_AFTER, self._update_timer, number)

    def _step(self, number: int) -> Effects:
        """Apply a table's own next step, with the action of its bot if it has decided."""
        thinking = self._bots.is_thinking(number)
        return self.lobby.step(number, None if thinking else self._bots.take(number), thinking=thinking)

    def _schedule_step(self, number: int, delay: float, action: Callable[[int], Effects]) -> None:
        def run_step() -> None:
            self._timers.pop(number, None)
            if self.storage_error or self.lobby.clock.is_stopped:  # time stands still: the step is due later
                self._schedule_step(number, RETRY_AFTER, action)
            else:
                self._apply_first_successful(
                    number, action, self._step_without_thinking, lambda number: self.lobby.close(number, _BROKEN)
                )

        self._timers[number] = asyncio.get_running_loop().call_later(delay, run_step)

    def _apply_first_successful(self, number: int, *actions: Callable[[int], Effects]) -> None:
        """Apply the first of several actions that does not fail."""
        for action in actions:
            with log_failures("table-failed", table=number) as attempt:
                self.apply_effects(action(number))
            if not attempt.failed:
                return

    def _step_without_thinking(self, number: int) -> Effects:
        """Apply a table's own next step with the bot that never has to think."""
        match = self.lobby.tables[number].recorded
        return self.lobby.step(number, match.bot_action(transitions.SUBSTITUTE) if match.turn != NOBODY else None)


class _PendingThought(NamedTuple):
    moment: tuple[int, int]
    """Identifies one turn of a table."""
    question: Question
    thought: "asyncio.Future[Thought | None]"


class BotTurns:
    """Turns of bots that think, at most one for each table."""

    def __init__(
        self, tables: Callable[[], Mapping[int, Table]], thinkers: Thinkers | None, on_answer: Callable[[int], None]
    ) -> None:
        """`on_answer` is called with the number of a table once the bot there may act.

        Without thinkers, bots play as greedy would.
        """
        self._tables, self._thinkers, self._on_answer = tables, thinkers, on_answer
        self._turns: dict[int, _PendingThought] = {}

    def is_thinking(self, number: int) -> bool:
        """Return True while a bot at this table thinks about its turn; start it if the bot has just come to be on
        turn.
        """
        table, turn = self._tables().get(number), self._turns.get(number)
        thinks = table is not None and transitions.has_thinking_bot(table)
        if turn is not None and not (table is not None and thinks and turn.moment == table.recorded.position):
            del self._turns[number]
            turn.thought.cancel()
            turn = None
        if table is None or not thinks or self._thinkers is None:
            return False
        if turn is None:
            has_people = any(chair.guest != NOBODY for chair in table.seats.chairs)
            question = transitions.question(table)
            future = self._thinkers.ask(question, urgent=has_people)
            turn = self._turns[number] = _PendingThought(table.recorded.position, question, future)
            future.add_done_callback(lambda future: None if future.cancelled() else self._on_answer(number))
        return not turn.thought.done()

    def take(self, number: int) -> Action | None:
        """Return the action of the bot on turn, modified by its temper; None if it has not decided."""
        table, turn = self._tables().get(number), self._turns.pop(number, None)
        thought = turn.thought.result() if turn and turn.thought.done() else None
        if table is None or turn is None or thought is None:
            return None
        return with_temper(thought, turn.question.view, table.seats.chairs[table.recorded.turn].name)

    def close(self) -> None:
        """Discard all turns."""
        for turn in self._turns.values():
            turn.thought.cancel()
        self._turns.clear()
