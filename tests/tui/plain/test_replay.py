"""A replay in sentences: Enter by Enter, round by round, and everything at once."""

import pytest

from core.bots.levels import play_match
from core.games import GAMES
from core.match import new_match
from tests.tui.test_cli import run
from tui.model.playback import Recording
from tui.plain.replay import ReplayDialog


def replay_of_match(game="draw", players=2, cut=None, problem=""):
    match = new_match(GAMES[game], players, {"target": 50} if game == "draw" else {})
    steps = list(play_match(match, ("greedy",) * players, b"1", "test"))[:cut]
    sentences = []
    return ReplayDialog(Recording(steps, problem), sentences.append), sentences


def type_lines(replay_of_match, sentences, *lines):
    before = len(sentences)
    for line in lines:
        replay_of_match.handle_line(line)
    return sentences[before:]


def test_a_replay_begins_with_the_players_and_their_hands():
    replay, sentences = replay_of_match()
    replay.open()

    assert sentences[0] == "Draw, played by greedy 1, greedy 2."
    assert sentences[2] == "Round 1 is dealt."
    assert [line.split(" holds ")[0] for line in sentences[3:5]] == ["greedy 1", "greedy 2"]


def test_enter_tells_one_move_and_round_the_rest_of_the_round_with_its_result():
    replay, sentences = replay_of_match()
    replay.open()

    assert len(type_lines(replay, sentences, "")) == 1
    rest = type_lines(replay, sentences, "round")
    assert any(line.startswith("Score of greedy 2") for line in rest)
    assert not any("Round 2" in line for line in rest)
    assert type_lines(replay, sentences, "")[0] == "Round 2 is dealt."
    assert type_lines(replay, sentences, "back")[:1] == ["Draw, played by greedy 1, greedy 2."]
    assert type_lines(replay, sentences, "next")[0] == "Round 2 is dealt."


def test_hands_table_and_scores_can_be_asked_for_during_a_replay():
    replay, sentences = replay_of_match()
    replay.open()
    type_lines(replay, sentences, "", "", "")

    assert any(line.startswith("greedy 2 holds") for line in type_lines(replay, sentences, "hands"))
    assert type_lines(replay, sentences, "table")[0].startswith("The first tile is")
    assert type_lines(replay, sentences, "scores")[0].startswith("Round 1. Scores: greedy 1 0")
    assert "“leave” to leave" in type_lines(replay, sentences, "what?")[-1]


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_of_every_game_is_retold_in_sentences(game):
    replay, sentences = replay_of_match(game, GAMES[game].seats[1])
    replay.open()
    type_lines(replay, sentences, "all")

    assert all(line.endswith((".", "!")) for line in sentences)
    end = "the match" if GAMES[game].seats[1] > 1 else "Score of"  # in a game for one player, nobody wins a match
    assert any(end in line for line in sentences[-40:])
    assert sentences[-1].startswith("This is the end of the record.")
    type_lines(replay, sentences, "leave")
    assert replay.has_left


def test_the_broken_line_of_a_record_is_reported():
    replay, sentences = replay_of_match(cut=9, problem="line 10: no")
    replay.open()

    assert "The record ends here: line 10: no." in type_lines(replay, sentences, "all")


def test_the_command_retells_a_file_as_far_as_lines_are_typed(tmp_path, monkeypatch):
    file = tmp_path / "match.jsonl"
    run("sim", "draw", "--seed", "1", "--record", str(file))
    lines = iter(["", "leave"])
    monkeypatch.setattr("tui.run.replay.next_line", lambda: next(lines))
    result = run("replay", str(file), "--plain", "--ascii")

    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert " leads " in result.stdout.splitlines()[-1]
