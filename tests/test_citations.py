"""Citations in the code exist: sections of docs/rules, and pages of this repository."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

from core.games import GAMES

ROOT = Path(__file__).parent.parent
CODE = sorted(
    path
    for folder in ("core", "net", "themes", "tui", "tests", "scripts", "docs")
    for path in (ROOT / folder).rglob("*.py")
)
RULES = sorted((ROOT / "docs" / "rules").rglob("*.md"))
SECTION = r"§([A-F](?:\.\d+)?|\d+(?:\.\d+)?)"
HEADINGS = {heading for page in RULES for heading in re.findall(rf"^#+ {SECTION}", page.read_text(), re.M)}
SECTIONS = HEADINGS | {heading.split(".")[0] for heading in HEADINGS}  # a chapter exists if its sections do


def texts_of(path):
    """Yield the docstrings and comments of a Python file."""
    text = path.read_text()
    if "§" not in text and ".md" not in text:  # most files cite nothing, and parsing them takes seconds
        return
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def cited(pattern):
    return {
        (str(path.relative_to(ROOT)), citation)
        for path in CODE
        for text in texts_of(path)
        for citation in re.findall(pattern, text)
    }


def test_every_section_that_the_code_cites_has_a_heading_in_the_rules():
    citations = cited(SECTION)

    assert ("core/games/line_games.py", "2.1") in citations
    assert {(path, section) for path, section in citations if section not in SECTIONS} == set()


@pytest.mark.parametrize("page", RULES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_section_that_the_rules_cite_has_a_heading(page):
    assert set(re.findall(SECTION, page.read_text())) - SECTIONS == set()


def test_every_page_that_the_code_cites_is_in_the_repository():
    citations = cited(r"[\w./-]+\.md\b")

    assert citations
    assert {(path, page) for path, page in citations if not (ROOT / page).is_file()} == set()


def test_every_page_of_the_rules_is_in_their_table_of_contents():
    contents = {folder: (folder / "README.md").read_text() for folder in {page.parent for page in RULES}}

    for page in RULES:
        if page.name != "README.md":
            assert f"]({page.name})" in contents[page.parent], page.name


def test_the_rules_list_every_house_rule_of_every_game_with_its_choices():
    rows = re.findall(r"^\| `([\w.]+)` \| (.+?) \| (.+?) \| §", (ROOT / "docs/rules/options.md").read_text(), re.M)
    listed = {(game, key): choices.split(", ") for key, choices, games in rows for game in games.split(", ")}

    options = {
        (game.id, option.key): list(dict.fromkeys("+".join(map(str, option.choices)).split("+")))
        for game in GAMES.values()
        for option in game.options
    }
    wrong = sorted(row for row in {**listed, **options} if listed.get(row) != options.get(row))
    assert not wrong, f"correct these rows in docs/rules/options.md: {wrong}"
