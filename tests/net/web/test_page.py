"""The files of the page: nothing that the policy forbids, nothing forgotten, not too much."""

import re

from tests.real.programs import ROOT

PAGE = ROOT / "net" / "web" / "page"
MODULES = {path.name: path.read_text() for path in PAGE.glob("*.js")}
INDEX = (PAGE / "index.html").read_text()


def imported_by(file):
    return set(re.findall(r"(?:from|import|import\()\s?\"\./([^\"]+)\"", MODULES[file]))


def test_the_page_has_no_script_and_no_style_of_its_own():
    assert not re.search(r"<script(?![^>]* src=)", INDEX)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", INDEX)


def test_the_page_loads_every_module_at_once():
    named = set(re.findall(r"\{static\}/([\w-]+\.m?js)", INDEX))
    assert {name for file in named & set(MODULES) for name in imported_by(file)} | {"main.js"} == named


def test_modules_import_what_is_there_or_comes_from_npm():
    from scripts.page.page import FILES  # noqa: PLC0415

    assert {name for file in MODULES for name in imported_by(file)} <= set(MODULES) | set(FILES)


def test_every_sentence_is_said_in_every_language():
    table = MODULES["words.js"].partition("SENTENCES = {")[2].partition("\n};")[0]
    sentences = re.findall(r"(\w+): \[(.*?)\]", table, re.DOTALL)
    assert len(sentences) > 10
    for name, said in sentences:
        assert len(re.findall(r'"[^"]+"', said)) == 5, name


def test_every_sentence_is_said_somewhere():
    table = MODULES["words.js"].partition("SENTENCES = {")[2].partition("\n};")[0]
    said = "".join(text for name, text in MODULES.items() if name != "words.js")
    for name in re.findall(r"^  (\w+): \[", table, re.MULTILINE):
        assert f'"{name}"' in said, name
