"""The command: good answers, and one clear sentence for bad questions."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from core.games import GAMES
from core.presets import PRESETS
from net.table.table import Pace
from tui.cli.main import VERSION, boneyard


def run(*arguments, **kwargs):
    return CliRunner().invoke(boneyard, arguments, prog_name="boneyard", **kwargs)


def refused(*arguments, code=2):
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("boneyard: ")
    assert "Traceback" not in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1
    return result.stderr


def test_help_of_several_paragraphs_is_translated_with_every_python():
    words = [sys.executable, "-m", "tui", "admin", "ban", "--help"]
    pages = [
        subprocess.run(words, env={**os.environ, "LANG": language}, capture_output=True, text=True, check=True).stdout
        for language in ("C.UTF-8", "de_DE.UTF-8")
    ]
    english, german = (page.split("Option")[0].splitlines()[1:] for page in pages)
    assert len(english) > 4
    assert not set(filter(None, english)) & set(german)


def test_games_as_json_lists_every_game_with_its_options():
    listed = json.loads(run("games", "--json").stdout)

    assert [game["id"] for game in listed["games"]] == list(GAMES)
    draw = listed["games"][0]
    assert set(draw) == {"id", "name", "pitch", "seats", "options"}
    assert draw["seats"] == [2, 4]
    assert draw["options"]["draw.reserve"] == {"default": 0, "choices": [0, 1, 2]}
    assert draw["options"]["draw.max"] == {"default": "∞", "choices": ["∞", 1, 3]}
    assert {preset["id"] for preset in listed["presets"]} == set(PRESETS)
    egyptian = next(preset for preset in listed["presets"] if preset["id"] == "egyptian")
    assert egyptian == {
        "id": "egyptian",
        "name": "Egyptian",
        "place": "Egypt",
        "local": "domina adi",
        "game": "draw",
        "options": {"hand3": 9, "hand4": 7, "target": 101},
    }


@pytest.mark.parametrize("words", [["host"], ["join"], ["backup", "copy"], ["admin"]])
def test_a_file_is_no_data_directory(words, tmp_path):
    file = tmp_path / "file"
    file.touch()
    words = [*words, "--data", str(file), *(["status"] if words == ["admin"] else [])]
    assert refused(*words, code=1) == f"boneyard: {file} is a file; choose another --data.\n"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--invite", "short"], "An invitation code needs at least 6 characters"),
        (["--invite", "double six", "--open"], "--open lets everybody in"),
        (["--limit", "chairs=3"], "There is no limit “chairs”"),
    ],
)
def test_an_invalid_option_of_a_host_is_refused_with_the_reason(words, reason, tmp_path):
    here = ("--no-announce", "--bind", "127.0.0.1", "--port", "0", "--data", str(tmp_path / "data"))
    assert reason in refused("host", *here, *words)


def test_games_prints_the_presets_with_their_places_and_rules():
    output = run("games").stdout

    assert "egyptian: Egypt, Egyptian, domina adi. Draw.\n  hand3=9 hand4=7 target=101\n" in output
    assert "egyptian" not in run("games", "block").stdout


@pytest.mark.parametrize("typed", [("all-fives", "--as", "sniff"), ("--as", "sniff")])
def test_a_preset_gives_the_game_and_its_rules_and_a_rule_that_is_typed_counts_more(typed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("sim", *typed, "--rule", "target=100", "--record", "sniff.jsonl")
    head = json.loads(Path("sniff.jsonl").read_text().splitlines()[0])

    assert head["game"] == "all-fives"
    assert head["options"].items() >= {"af.spinner": "sniff", "af.hand": "7/6/5", "target": 100}.items()
    assert "preset" not in head


def test_a_preset_for_pairs_has_four_players_by_default():
    assert "side 2 (greedy + greedy)" in run("sim", "--as", "bones").stdout
    assert "side 3 (greedy)" in run("sim", "--as", "bones", "--players", "3").stdout


def test_a_preset_of_another_game_or_of_none_is_refused():
    assert "sniff is played with all-fives, not with draw." in refused("sim", "draw", "--as", "sniff")
    assert "Did you mean egyptian" in refused("play", "--as", "domina abi")
    assert "Name a game" in refused("sim")
    assert "Did you mean sniff" in refused("host", "--as", "sniv")


def test_games_with_a_name_prints_only_that_game_and_its_house_rules():
    output = run("games", "mexican train").stdout

    assert output.startswith("mexican-train: Mexican Train, 2 to 8 players.")
    assert "zero_zero" in output
    assert "blocked_winner" not in output
    assert "- own train first (own_first): you may" in output
    assert max(map(len, output.splitlines()[1:])) < 80


def test_games_with_a_name_as_json_lists_only_that_game_and_its_presets():
    listed = json.loads(run("games", "draw", "--json").stdout)

    assert [game["id"] for game in listed["games"]] == ["draw"]
    assert [preset["id"] for preset in listed["presets"]] == ["egyptian"]


def test_a_game_is_found_by_a_usual_name():
    assert "Forty-Two" in run("rules", "Texas 42").stdout.splitlines()[0]


def test_an_ambiguous_part_of_a_name_is_refused_with_the_matching_games():
    assert "all-fives, fives-and-threes?" in refused("rules", "fives")


def test_an_empty_name_is_refused_with_the_command_that_lists_all_names():
    assert "`boneyard games` lists all names." in refused("rules", "")


def test_games_prints_every_option():
    listed = run("games").stdout

    assert all(f"  - {option.key}: " in listed for game in GAMES.values() for option in game.options)


def test_sim_stops_a_match_that_never_ends_counts_it_apart_and_verify_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("core.match.MOST_ROUNDS", 5)
    record = tmp_path / "record.jsonl"
    never = ("--rule", "af.bonus=own", "--rule", "af.spinner=none", "--rule", "draw.max=1")
    arguments = ("sim", "all-fives", "--players", "4", "--bots", "random", "--seed", "1", "--matches", "2", *never)

    assert "  2 of 2 unfinished: " in run(*arguments, "--record", str(record)).stdout
    tally = json.loads(run(*arguments, "--json").stdout)
    assert (tally["unfinished"], tally["wins"], tally["scores"]) == (2, [0] * 4, [0.0] * 4)
    verified = run("verify", str(record))
    assert verified.exit_code == 0
    assert "2 of 2 unfinished: stopped without a winner" in verified.stdout


def test_games_prints_a_range_of_players_only_if_there_is_one():
    listed = run("games").stdout

    assert "four-rounds: Four Rounds, 2 players. " in listed
    assert "forty-two: Forty-Two, 4 players. " in listed
    assert "draw: Draw, 2 to 4 players. " in listed


@pytest.mark.parametrize("game", sorted(GAMES))
def test_rules_are_printed_with_the_house_rules(game):
    result = run("rules", game)

    assert GAMES[game].name in result.stdout
    assert all(option.key in result.stdout for option in GAMES[game].options)
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_sim_reports_every_promised_field_and_is_repeatable():
    arguments = (
        "sim",
        "block",
        "--players",
        "4",
        "--bots",
        "greedy,random",
        "--matches",
        "3",
        "--seed",
        "5",
        "--json",
    )
    first, second = json.loads(run(*arguments).stdout), json.loads(run(*arguments).stdout)

    assert {"game", "matches", "rounds", "actions", "seconds", "wins", "scores"} <= set(first)
    assert first["bots"] == ["greedy", "random", "greedy", "random"]
    assert sum(first["wins"]) == 3 + first["shared"]
    times = {"seconds": 0, "ms_median": 0, "ms_most": 0}
    assert first | times == second | times


def test_verify_accepts_records_of_sim(tmp_path):
    file = tmp_path / "matches.jsonl"
    run("sim", "draw", "--matches", "3", "--rule", "target=50", "--record", str(file))

    assert "3 matches" in run("verify", str(file)).stdout


def test_verify_names_the_line_and_the_reason(tmp_path):
    file = tmp_path / "match.jsonl"
    run("sim", "draw", "--seed", "1", "--rule", "target=50", "--record", str(file))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines[:4], lines[5], lines[4], *lines[6:]]))

    sentence = f"boneyard: {file}, line 5: it is the turn of seat 1, not of seat 0.\n"
    assert refused("verify", str(file), code=1) == sentence


def test_a_file_that_is_no_record_is_refused(tmp_path):
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")

    assert "not UTF-8" in refused("verify", str(tmp_path / "noise"), code=1)
    assert "not UTF-8" in refused("replay", str(tmp_path / "noise"), code=1)
    assert "line 1" in refused("replay", str(Path(__file__)), code=1)
    assert "cannot be read" in refused("verify", str(tmp_path / "none"), code=1)
    assert "cannot be read" in refused("verify", str(tmp_path), code=1)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("play", "blok"), "Did you mean block"),
        (("rules", "blok"), "Did you mean block"),
        (("sim", "drawn"), "Did you mean draw"),
        (("play", "--rule", "draw.reserv=1"), "Did you mean draw.reserve"),
        (("play", "--rule", "draw.reserve=9"), "choose one of: 0, 1, 2"),
        (("play", "--rule", "nonsense"), "KEY=VALUE"),
        (("play", "--players", "9"), "2 to 4 players"),
        (("play", "--players", "0"), "2 to 4 players"),
        (("play", "--players", "3", "--rule", "partners=yes"), "four players"),
        (("play", "--bots", "divine"), "choose one of: easy, normal, hard."),
        (("play", "--bots", "greedy-1"), "choose one of: easy, normal, hard."),
        (("sim", "draw", "--bots", "divine"), "choose one of: easy, normal, hard, greedy, greedy-1, random."),
        (("play", "--players", "2", "--bots", "easy,hard"), "2 bots for 1 free seat"),
        (("play", "--theme", "pink"), "choose felt, light, wood, night, high-contrast, okabe-ito, amber or mono."),
        (("join", "host:port"), "not an address"),
        (("join", "host:99999"), "not an address"),
        (("join", ":2222"), "not an address"),
    ],
)
def test_invalid_arguments_are_refused_with_the_valid_ones(arguments, sentence):
    assert sentence in refused(*arguments)


def test_playing_needs_a_terminal():
    assert "A terminal is needed" in refused("play", code=1)


def test_an_unknown_option_is_a_usage_error():
    assert run("play", "--colour").exit_code == 2


@pytest.mark.parametrize(
    "command",
    [
        [],
        *([name] for name in boneyard.commands),
        *(["admin", name] for name in boneyard.commands["admin"].commands),
    ],
    ids=" ".join,
)
def test_the_help_of_every_command_has_an_example(command):
    result = run(*command, "--help")

    assert result.exit_code == 0
    assert "Example" in result.stdout


def test_the_default_grace_of_a_host_is_that_of_a_table():
    (grace,) = [option for option in boneyard.commands["host"].params if option.name == "grace"]

    assert grace.default == Pace().grace


def test_the_version_is_that_of_the_package():
    assert VERSION in run("--version").stdout
    assert 'path = "tui/version.py"' in (Path(__file__).parents[2] / "pyproject.toml").read_text()


@pytest.mark.parametrize("who", [(), ("ada", "--key", "SHA256:x"), ("--name", "ada", "--address", "10.0.0.1")])
@pytest.mark.parametrize("command", ["ban", "kick"])
def test_an_operator_names_exactly_one_target(command, who):
    assert "Name WHO" in refused("admin", command, *who)


def test_a_game_without_a_lesson_is_refused_with_the_lessons_that_there_are():
    assert "There is no lesson for Block; there are lessons for draw, all-fives" in refused("learn", "block")


def test_a_lesson_without_a_terminal_is_refused_with_the_plain_command():
    assert "Use `boneyard learn draw --plain` instead." in refused("learn", code=1)


def test_every_command_takes_the_name_of_a_preset_for_a_game():
    assert run("rules", "sebastopol").stdout.startswith("# Sebastopol")
    assert "Sebastopol" in run("games", "sebastopol").stdout
    assert "side 4" in run("sim", "sebastopol").stdout
    assert refused("sim", "sebastopol", "--as", "sniff") == refused("sim", "cross", "--as", "sniff")


@pytest.mark.parametrize("command", ["play", "rules", "sim", "games", "learn", "continue"])
def test_a_misspelt_name_is_answered_with_the_nearest_name_and_where_to_find_all(command):
    assert "Did you mean sebastopol? `boneyard games` lists all names." in refused(command, "sebastopool")


@pytest.mark.parametrize("command", ["play", "rules", "sim", "games", "learn", "continue"])
def test_a_name_unlike_every_other_is_answered_without_a_suggestion(command):
    sentence = "boneyard: There is no game “xyzzy”. `boneyard games` lists all names.\n"
    assert refused(command, "xyzzy") == sentence
