"""What the bots on turn will do: asked of the thinkers in time, and kept until it is due."""

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from core.actions import Action
from core.bots.thinking import Thought
from net.host.lobby import Lobby
from net.host.thinkers import Thinkers


class _Turn(NamedTuple):
    moment: object
    """Tells one turn of a table from another."""
    thought: "asyncio.Future[Thought | None]"


class BotTurns:
    """The turns of bots that somebody thinks about, one at most for each table."""

    def __init__(self, lobby: Lobby, thinkers: Thinkers | None, answered: Callable[[int], None]) -> None:
        """`answered` is called with the number of a table once the bot there may act. Without thinkers, bots do not
        think: they do what is plain.
        """
        self._lobby, self._thinkers, self._answered = lobby, thinkers, answered
        self._turns: dict[int, _Turn] = {}

    def awaited(self, number: int) -> bool:
        """Whether a bot at this table still thinks about its turn; it begins now if it had not."""
        moment = self._lobby.thinks(number) if self._thinkers else None
        turn = self._turns.get(number)
        if turn is not None and turn.moment != moment:
            del self._turns[number]
            turn.thought.cancel()
            turn = None
        if moment is None or self._thinkers is None:
            return False
        if turn is None:
            question, people = self._lobby.question(number)
            thought = self._thinkers.ask(question, urgent=people)
            turn = self._turns[number] = _Turn(moment, thought)
            thought.add_done_callback(lambda thought: None if thought.cancelled() else self._answered(number))
        return not turn.thought.done()

    def take(self, number: int) -> Action | None:
        """What the bot on turn has thought of, if it has."""
        turn = self._turns.pop(number, None)
        thought = turn.thought.result() if turn and turn.thought.done() and not turn.thought.cancelled() else None
        return thought.choice if thought else None

    def close(self) -> None:
        """Forget all turns."""
        for turn in self._turns.values():
            turn.thought.cancel()
        self._turns.clear()
