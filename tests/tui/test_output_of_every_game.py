"""After many changes, a terminal shows the last picture: in every game, at some size, in some colours."""

from contextvars import copy_context
from itertools import islice
from random import Random

import pyte
import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from net.wire.messages import SeatInfo
from tests.tui.tables import update_at
from tests.tui.test_compact import NAMES, screen_at
from tests.tui.test_incremental_output import seen
from themes import theme_names
from tui.board.diff import diff_pictures
from tui.i18n import LANGUAGES, begin_session
from tui.model.look import look_for_terminal
from tui.screens.base import cached_inks
from tui.terminal.colours import colours_of

SIZES = ((50, 18), (80, 24), (80, 24), (120, 40))
TERMINALS = (("xterm-256color", {"COLORTERM": "truecolor"}), ("xterm-256color", {}), ("linux", {}), ("vt220", {}))
STEPS = 5


def some_moments(game, rng):
    """Yield random steps of a match in their order."""
    players = rng.choice(GAMES[game].seats)
    steps = play_match(new_match(GAMES[game], players, {}), ("random",) * players, rng.randbytes(8), "test")
    played = (step.match for step in steps if step.match.state)
    return list(islice(played, rng.randrange(1, 20), None, rng.choice((1, 1, 4))))[:STEPS]


def cells_of(screen):
    return [[seen(screen.buffer[y][x]) for x in range(screen.columns)] for y in range(screen.lines)]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_terminal_that_is_sent_changes_shows_the_last_picture(game):
    copy_context().run(is_shown, game)  # a context with its own language


def is_shown(game):
    rng = Random(game)
    moments, size, (terminal, env) = some_moments(game, rng), rng.choice(SIZES), rng.choice(TERMINALS)
    seat = rng.randrange(moments[0].rules.seats)
    look = look_for_terminal(terminal, env, rng.choice(theme_names()), ascii=rng.random() < 0.2)
    inks = cached_inks(colours_of(terminal, env))
    begin_session(rng.choice(list(LANGUAGES)))
    table, _ = screen_at(moments[0], seat, look)
    screen, before = pyte.Screen(*size), None
    stream = pyte.Stream(screen)
    for moment in moments:
        table._client.update = update_at(moment, seat, seats=tuple(map(SeatInfo, NAMES[: moment.rules.seats])))
        table._follow_update(table._client.update)
        for step in rng.choices((-1, 1, 2), k=rng.randrange(3)):
            table.action_tile(step)
        picture = table.draw(*size)
        stream.feed(diff_pictures(before, picture, inks))
        before = picture

        anew = pyte.Screen(*size)
        pyte.Stream(anew).feed(diff_pictures(None, picture, inks))
        assert cells_of(screen) == cells_of(anew)
