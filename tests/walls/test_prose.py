"""The check of the English: each rule has cases that fail and cases that pass."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.prose import (
    AREAS,
    BANNED,
    FIELDS_ALLOWED,
    OPENINGS_ALLOWED,
    main,
    problems,
    subject_problem,
    tracked_sources,
)

ROOT = Path(__file__).parents[2]


def test_the_repository_has_no_problem():
    assert [str(problem) for problem in problems(tracked_sources())] == []


def broken_rules(source, file="net/example.py"):
    """Return the rules that a file with this text breaks, with the lines."""
    return [(problem.rule, problem.line) for problem in problems({file: source})]


@pytest.mark.parametrize(
    "source",
    [
        '"""What a host does."""',
        'def free():\n    """Whether there is a free seat."""',
        'class Host:\n    """One that runs tables."""',
        'LIMIT = 1\n"""how many may come in."""',
        'class Host:\n    seats: int\n    """That of the\n    owner comes first."""',
        'def free():\n    """\n    "Such" seats are free.\n    """',
    ],
)
def test_a_docstring_may_not_begin_with_a_pronoun_or_relative_word(source):
    assert [rule for rule, _ in broken_rules(source)] == ["opening"]


@pytest.mark.parametrize(
    "source",
    [
        '"""A host runs tables."""',
        'def free():\n    """Return whether there is a free seat."""',
        'def free():\n    """Onerous, whatsit and `who` are no such words."""',
        'title = "What a host does"',
        "# What follows is a comment.",
    ],
)
def test_a_docstring_may_begin_with_a_noun_or_a_verb(source):
    assert broken_rules(source) == []


def test_a_problem_has_the_line_of_the_word():
    assert broken_rules('"""A host.\n\nIt admits so\nmany guests, nought or more.\n"""') == [
        ("quantity", 3),
        ("word", 4),
    ]
    assert broken_rules("a = 1\nb = 2  # after so long") == [("quantity", 2)]


def test_quantities_are_named_in_docstrings_and_comments_alone():
    assert broken_rules('"""Return `count` seats, or as many as there are."""') == []
    assert broken_rules('text = "there are so many"') == []


@pytest.mark.parametrize(
    "word",
    [
        "Nought",
        "whosoever",
        "whoever",
        "of late",
        "the dearest",
        "bearers",
        "buries nodes that are silent",
        "burial",
        "shown out",
        "gives way",
        "signs of life",
        "taken for dead",
        "come to life",
        "taken up later",
        "turned away",
        "may not come in",
        "the way back",
        "resume code",
        "who is here",
        "hears",
        "patiently",
        "testifies",
        "a fault",
    ],
)
def test_a_banned_word_is_reported_in_docstrings_and_comments(word):
    assert broken_rules(f'"""The host: {word}."""') == [("word", 1)]
    assert broken_rules(f"# the host: {word}") == [("word", 1)]


@pytest.mark.parametrize(
    "text",
    [
        "Bury a tile of the widow",
        "Patience is a family of games",
        "It takes up to 5 ms",
        "The attribute `heard` and the code `of late`",
        "A default",
        "The hearing",
    ],
)
def test_the_games_words_and_code_in_backticks_are_not_reported(text):
    assert broken_rules(f'"""{text}."""') == []


@pytest.mark.parametrize(
    "source",
    [
        "one = 1",
        "a, (found, b) = 1, (2, 3)",
        "for told in (): pass",
        "[heard for heard in ()]",
        "if shown := 1: pass",
        "def search(*, found): pass",
        "lambda one: 1",
        "with open('f') as one: pass",
        "try: pass\nexcept OSError as found: pass",
        "match 1:\n    case found: pass",
        "class A:\n    told: int = 0",
        "class A:\n    def f(self):\n        self.told = 0",
    ],
)
def test_a_variable_may_not_say_only_that_there_is_a_value(source):
    assert [rule for rule, _ in broken_rules(source)] == ["variable"]


def test_a_name_that_is_only_read_is_not_reported():
    assert broken_rules("first_seat = 1\nprint(one, a.told, f(found=1))") == []


@pytest.mark.parametrize(("file", "owner", "field"), FIELDS_ALLOWED)
def test_an_allowed_field_exists_and_is_allowed_in_its_class_alone(file, owner, field):
    assert f"    {field}: " in (ROOT / file).read_text().partition(f"class {owner}")[2].partition("\nclass ")[0]
    assert broken_rules(f"class {owner}:\n    {field}: int", file) == []
    assert broken_rules(f"class Other:\n    {field}: int", file) == [("variable", 2)]


def test_a_class_name_may_be_used_once_in_the_product():
    twice = {"net/a.py": "class Home: pass", "tui/b.py": "\nclass Home: pass", "tests/c.py": "class Home: pass"}

    assert [str(problem) for problem in problems(twice)] == [
        "net/a.py:1: class name: Home: also in tui/b.py:2",
        "tui/b.py:2: class name: Home: also in net/a.py:1",
    ]
    assert problems({"net/a.py": "class Home: pass", "tests/c.py": "class Home: pass"}) == []


def test_the_name_of_a_test_has_at_most_80_characters():
    assert broken_rules(f"def test_{'a' * 75}(): pass") == []
    assert broken_rules(f"async def test_{'a' * 76}(): pass") == [("test name", 1)]
    assert broken_rules(f"def helper_{'a' * 80}(): pass") == []


def test_each_exception_and_each_banned_word_has_a_reason():
    assert all([*OPENINGS_ALLOWED.values(), *FIELDS_ALLOWED.values(), *BANNED.values()])


@pytest.mark.parametrize("area", AREAS)
def test_a_subject_names_an_area_and_has_at_most_72_characters(area):
    assert subject_problem(f"{area}: {'a' * (70 - len(area))}\n\nWhy.\n# a comment\n") is None
    assert subject_problem(f"{area}: {'a' * (71 - len(area))}\n")


@pytest.mark.parametrize(
    "message", ["", "Say what Fast does now", "nets: add a trunk", "net:add a trunk", "net: ", "net: add\nWhy."]
)
def test_any_other_subject_is_refused(message):
    assert subject_problem(message)


def test_the_check_counts_and_lists_problems_below_a_path(capsys, monkeypatch):
    monkeypatch.setattr(
        "scripts.prose.tracked_sources", lambda: {"net/a.py": "one = 1\ntold = 2", "tui/b.py": "one = 1"}
    )

    assert main(["net"]) == 1
    assert capsys.readouterr().out == "net/a.py:1: variable: one\nnet/a.py:2: variable: told\n"
    assert main(["core", "tests/"]) == 0
    assert main(["--count"]) == 0
    assert "     3 variable\n" in capsys.readouterr().out


def test_the_hook_refuses_other_subjects_in_a_clone_and_its_worktrees(tmp_path):
    clone, worktree = tmp_path / "clone", tmp_path / "worktree"
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    clean |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(place, *arguments):
        user = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        return subprocess.run(
            ["git", *user, *arguments], cwd=place, env=clean, capture_output=True, timeout=60
        ).returncode

    (clone / "scripts").mkdir(parents=True)
    for script in ("check", "setup.sh", "prose.py"):
        shutil.copy(ROOT / "scripts" / script, clone / "scripts")
    git(clone, "init", "-q")
    git(clone, "add", ".")
    for _ in range(2):
        subprocess.run([clone / "scripts" / "check", "hook"], env=clean, check=True, timeout=60)

    assert git(clone, "commit", "-q", "-m", "Say what Fast does now") == 1
    assert git(clone, "commit", "-q", "-m", "scripts: check the English") == 0
    assert git(clone, "worktree", "add", "-q", worktree) == 0
    assert git(worktree, "commit", "-q", "--allow-empty", "-m", "Say what Fast does now") == 1
    assert git(worktree, "commit", "-q", "--allow-empty", "-m", "docs: describe the fast path") == 0


def test_the_hook_leaves_another_hook_alone(tmp_path):
    (tmp_path / "scripts").mkdir()
    for script in ("check", "setup.sh", "prose.py"):
        shutil.copy(ROOT / "scripts" / script, tmp_path / "scripts")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True, timeout=60)
    hook = tmp_path / ".git" / "hooks" / "commit-msg"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\n")

    done = subprocess.run([tmp_path / "scripts" / "check", "hook"], capture_output=True, timeout=60)

    assert done.returncode == 1
    assert hook.read_text() == "#!/bin/sh\n"
