"""The files of the page: nothing that its content security policy forbids, none missing, none too large."""

import re

from net.web.entrance import SENTENCES
from tests.real.programs import ROOT

PAGE = ROOT / "net" / "web" / "page"
MODULES = {path.name: path.read_text() for path in PAGE.glob("*.js")}
LATER = {"terminal.js", "panel.js", "pictures.js", "xterm.mjs"}
"""Modules for the table, which are loaded after the first paint of the entrance."""
INDEX = (PAGE / "index.html").read_text()


def imported_by(file):
    return set(re.findall(r"(?:from|import|import\()\s?\"\./([^\"]+)\"", MODULES[file]))


def test_the_page_has_no_script_and_no_style_of_its_own():
    assert not re.search(r"<script(?![^>]* src=)", INDEX)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", INDEX)


def test_the_page_loads_every_module_at_once_that_its_entrance_needs():
    named = set(re.findall(r"\{static\}/([\w-]+\.m?js)", INDEX))
    needed = {name for file in named & set(MODULES) for name in imported_by(file)} | {"main.js"}
    assert needed - named == LATER
    assert named <= needed


def test_modules_import_files_of_the_page_or_from_npm():
    from scripts.page.page import FILES  # noqa: PLC0415

    assert {name for file in MODULES for name in imported_by(file)} <= set(MODULES) | set(FILES)


def test_every_sentence_stands_somewhere_in_the_page():
    assert set(SENTENCES) <= set(re.findall(r"\{(\w+)\}", INDEX))


def test_the_page_stays_small():
    assert sum(len(text.splitlines()) for text in MODULES.values()) < 800
