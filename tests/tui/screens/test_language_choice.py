"""The language of a session: that of its terminal, or the player's choice at any moment."""

import asyncio
import os
import subprocess
import sys
from datetime import datetime

import pytest

from net.wire.messages import MakeTable
from tests.tui.guests import app_host
from tui.i18n import (
    LANGUAGES,
    _,
    begin_session,
    day_and_time,
    decimal,
    find_language,
    number,
    spoken_language,
    switch,
)
from tui.plain.info import handle_language_line


@pytest.fixture(autouse=True)
def _english_again():
    yield
    begin_session("en")


@pytest.fixture
def session():
    """Return a session in English, and the languages that its player chose."""
    chosen = []
    begin_session("en", chosen.append)
    return chosen


async def test_every_language_is_shown_at_once_and_escape_goes_back(session):
    async with app_host() as host, host.guest("ada", name="ada") as ada:
        await ada.wait_for("in the lobby")
        await ada.press("L")
        await ada.wait_for("language", *LANGUAGES.values())
        await ada.press("down")
        await ada.wait_for("Español", "elegir")
        await ada.press("escape")
        await ada.wait_for("in the lobby")

    assert session == []


async def test_the_table_changes_language_in_the_middle_of_a_match(session):
    table_request = MakeTable("draw", 2, {"target": 50}, bots=1)
    async with app_host() as host, host.guest("ada", table_request=table_request, name="ada") as ada:
        await ada.wait_for("round 1", "boneyard")
        await ada.press("L", "down", "down", "down", "enter")
        await ada.wait_for("Runde 1", "Talon", "Tasten")
        await ada.press("question_mark")
        await ada.wait_for("Tasten")

    assert session == ["de"]


async def test_two_sessions_of_one_process_speak_two_languages():
    async def session(language, other):
        begin_session(language)
        await asyncio.sleep(0)
        before = spoken_language()
        switch(other)
        await asyncio.create_task(asyncio.sleep(0))
        return before, spoken_language()

    async def within(task):
        """Check that tasks that a session starts share its language, also when it changes."""
        begin_session("en")
        started = asyncio.create_task(task())
        switch("de")
        return await started

    async def language():
        return spoken_language()

    assert await asyncio.gather(session("de", "es"), session("es", "id")) == [("de", "es"), ("es", "id")]
    assert await asyncio.create_task(within(language)) == "de"


@pytest.mark.parametrize(
    ("name", "code"),
    [("de", "de"), ("DE-at", "de"), ("pt-PT", "pt_BR"), ("pt_br", "pt_BR"), ("deutsch", "de"), ("fr", ""), ("", "")],
)
def test_a_language_is_known_by_its_code_and_its_own_name(name, code):
    assert find_language(name) == code


@pytest.mark.parametrize(
    ("language", "written"),
    [
        ("en", "07/01/2026, 05:02"),
        ("es", "7/1/26, 5:02"),
        ("pt_BR", "07/01/2026 05:02"),
        ("de", "07.01.26, 05:02"),
        ("id", "07/01/26 05.02"),
    ],
)
def test_a_date_is_written_as_in_the_language(language, written):
    begin_session(language)
    assert day_and_time(datetime(2026, 1, 7, 5, 2).timestamp()) == written


def test_numbers_are_written_as_in_the_language():
    begin_session("de")
    assert (number(100_000), decimal(2.54, 1), _("{whole}.{tenths}", whole=3, tenths=2)) == ("100.000", "2,5", "3,2")
    begin_session("en")
    assert (number(100_000), decimal(2.0, 1)) == ("100,000", "2")


async def test_a_command_changes_the_language_in_plain_text(session):
    assert handle_language_line("languages") == []
    assert "es (Español)" in handle_language_line("language")[0]
    assert handle_language_line("language xx") == handle_language_line("language")
    assert handle_language_line("LANGUAGE Deutsch") != [_("Play a tile.")]
    assert (session, _("Play a tile.")) == (["de"], "Leg einen Stein.")


def test_the_command_speaks_the_chosen_language_or_that_of_the_terminal(tmp_path):
    env = {**os.environ, "LANG": "es_MX.UTF-8", "LC_ALL": "", "XDG_CONFIG_HOME": str(tmp_path)}

    def output_of(*arguments):
        done = subprocess.run(
            [sys.executable, "-m", "tui", *arguments], env=env, capture_output=True, text=True, timeout=60
        )
        return done.stdout + done.stderr

    assert "Uso: boneyard" in output_of("--help")
    assert "Ficha" in output_of("rules", "draw") or "fichas" in output_of("rules", "draw")
    (tmp_path / "boneyard").mkdir()
    (tmp_path / "boneyard" / "settings.toml").write_text('language = "de"\n')
    assert "Spiel" in output_of("play", "chess")


async def test_a_previewed_language_is_dropped_when_the_table_is_left(session):
    async with app_host() as host, host.guest("ada", name="ada") as ada:
        await ada.wait_for("in the lobby")
        ada.app._client.make_table(MakeTable("draw", 2, {}, bots=1))
        await ada.wait_for("round 1")
        await ada.press("L", "down")
        await ada.wait_for("elegir")
        ada.app._client.leave()
        await ada.wait_for("in the lobby")

    assert session == []
    assert spoken_language() == "en"
