"""What the bots on turn will do: asked of the thinkers in time, and kept until it is due."""

import asyncio
from collections.abc import Callable, Mapping
from typing import NamedTuple

from core.actions import Action
from core.bots.questions import Question, Thought
from core.bots.tempers import with_temper
from core.layout.state import NOBODY
from net.host.thinkers import Thinkers
from net.table import playing
from net.table.table import Table


class _Turn(NamedTuple):
    moment: tuple[int, int]
    """Tells one turn of a table from another."""
    question: Question
    thought: "asyncio.Future[Thought | None]"


class BotTurns:
    """The turns of bots that think, one at most for each table."""

    def __init__(
        self, tables: Callable[[], Mapping[int, Table]], thinkers: Thinkers | None, answered: Callable[[int], None]
    ) -> None:
        """`answered` is called with the number of a table once the bot there may act.

        Without thinkers nobody thinks, and bots do what greedy would.
        """
        self._tables, self._thinkers, self._answered = tables, thinkers, answered
        self._turns: dict[int, _Turn] = {}

    def awaited(self, number: int) -> bool:
        """Whether a bot at this table thinks about its turn. If it has just come to be on turn, it begins now."""
        table, turn = self._tables().get(number), self._turns.get(number)
        thinks = table is not None and playing.thinks(table)
        if turn is not None and not (table is not None and thinks and turn.moment == table.recorded.written):
            del self._turns[number]
            turn.thought.cancel()
            turn = None
        if table is None or not thinks or self._thinkers is None:
            return False
        if turn is None:
            people = any(chair.guest != NOBODY for chair in table.seats.chairs)
            question = playing.question(table)
            thought = self._thinkers.ask(question, urgent=people)
            turn = self._turns[number] = _Turn(table.recorded.written, question, thought)
            thought.add_done_callback(lambda thought: None if thought.cancelled() else self._answered(number))
        return not turn.thought.done()

    def take(self, number: int) -> Action | None:
        """What the bot on turn has thought of, if it has, by its temper."""
        table, turn = self._tables().get(number), self._turns.pop(number, None)
        thought = turn.thought.result() if turn and turn.thought.done() else None
        if table is None or turn is None or thought is None:
            return None
        return with_temper(thought, turn.question.view, table.seats.chairs[table.recorded.turn].name)

    def close(self) -> None:
        """Forget all turns."""
        for turn in self._turns.values():
            turn.thought.cancel()
        self._turns.clear()
