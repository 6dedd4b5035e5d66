"""The page of help: the current actions, all keys in two columns, and the rules."""

import pytest

from net.wire.messages import SeatInfo
from tests.tui.tables import NAMES, match_at, update_at
from tui.board.canvas import columns
from tui.model.choice import Choice
from tui.model.keys import HOME, LOBBY, REPLAY, TABLE
from tui.screens.help import extra_table_keys, key_lines
from tui.text.notices import possible_action_lines, useful_keys


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize("width", [46, 76])
@pytest.mark.parametrize("keys", [TABLE, HOME, LOBBY, REPLAY])
def test_every_key_is_listed_with_all_its_words_at_any_width(keys, width, ascii):
    more = extra_table_keys() if keys is TABLE else []
    lines = key_lines(keys, width, more, ascii=ascii)
    half = (width - 2) // 2 + 2
    parts = [line[:half] for line in lines] + [line[half:] for line in lines] if width > 60 else lines
    words = " ".join(" ".join(parts).split())

    assert all(columns(line) <= width for line in lines)
    for written, description in [(key.label_on(ascii), key.words()) for key in keys if key.label] + more:
        assert f"{written} {description.split()[0]}" in words
        assert description.split()[-1] in words


def test_on_a_turn_the_help_begins_with_the_possible_actions():
    update = update_at(match_at((5, 2), "2|1 3|0", "4|4"))
    choice = Choice(update.match.play).carry_to(update.match.play)

    assert possible_action_lines(update, choice, "", NAMES) == [
        "It is your turn. Play a tile. Enter: play 2|1 on the 2."
    ]


def test_the_help_names_the_player_on_turn():
    update = update_at(match_at((5, 2), "2|1 3|0", "4|4 2|2", turn=1))

    assert possible_action_lines(update, None, "", NAMES) == ["bela is to play."]
    assert not possible_action_lines(update_at(match_at((5, 2), "2|1", "4|4"), seat=-1), None, "", NAMES)


@pytest.mark.parametrize(("bot", "offered"), [("easy", True), ("", False)])
def test_while_bots_play_the_key_that_skips_to_the_own_turn_is_offered(bot, offered):
    update = update_at(match_at((5, 2), "2|1 3|0", "4|4 2|2", turn=1), seats=(SeatInfo("ada"), SeatInfo("bela", bot)))

    assert ((".", "to your turn") in useful_keys(update, None, ascii=False)) == offered
