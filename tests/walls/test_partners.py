"""Every module of core and net has its tests in a file of the same name, at the same place under tests/."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    "core/family.py": "tests/core/test_match.py",  # a protocol; a match plays every game through it
    "core/layout/legal.py": "tests/core/layout/test_rules.py",  # the engine there asks it first
    "core/layout/parts.py": "tests/core/layout/test_rules.py",  # values, of which its rules are made
    "core/layout/placed.py": "tests/core/layout/test_hub.py",  # values, and a count of them
    "core/layout/state.py": "tests/core/layout/test_rules.py",  # values that the engine makes
    "core/plain_state.py": "tests/core/test_match.py",  # two answers, which a match asks for
    "core/prompts.py": "tests/core/layout/test_prompts.py",  # two look-ups in a table
    "core/vocabulary.py": "tests/net/client/test_untrusted.py",  # for the type checker; unknown words are accepted
    "net/client/checks.py": "tests/net/client/test_untrusted.py",  # what the checks there are made of
    "net/client/untrusted_views.py": "tests/net/client/test_untrusted.py",  # two of these checks
    "net/host/effects.py": "tests/net/host/test_lobby.py",  # a value, which each call of the lobby returns
    "net/host/house.py": "tests/net/ssh/gateways/test_gateways.py",  # a protocol; screens ask a gateway through it
    "net/limits.py": "tests/test_docs.py",  # numbers, which the page on hosting repeats
    "net/cluster/guest.py": "tests/net/cluster/test_front_server.py",  # what a gateway notes of each guest
    "net/cluster/messages.py": "tests/net/cluster/test_tables_end.py",  # values, which both ends exchange
    "net/cluster/visits.py": "tests/net/cluster/test_front_server.py",  # the half of that server which follows guests
    "net/lines/messages.py": "tests/net/lines/test_line.py",  # values, which both ends exchange
    "net/ssh/gateways/messages.py": "tests/net/ssh/gateways/test_gateways.py",  # values, which both ends exchange
    "net/table/snapshot.py": "tests/net/storage/test_sqlite.py",  # values that the store saves
    "net/wire/messages.py": "tests/test_docs.py",  # values, which the page on the protocol repeats
}
"""Modules without behaviour of their own, and the file whose tests would fail with them."""
MODULES = sorted(
    path.relative_to(ROOT).as_posix()
    for room in ("core", "net")
    for path in (ROOT / room).rglob("*.py")
    if path.name != "__init__.py"
)


def partner_of(module):
    folder, _, name = module.rpartition("/")
    return f"tests/{folder}/test_{name}"


@pytest.mark.parametrize("module", MODULES)
def test_every_module_has_its_tests_in_the_file_of_its_name(module):
    partner = ROOT / ELSEWHERE.get(module, partner_of(module))

    assert partner.is_file(), f"{module} has no {partner_of(module)}"
    assert re.search(r"^(async )?def test_", partner.read_text(), re.MULTILINE)


def test_nothing_is_excused_that_is_gone_or_has_tests_of_its_own():
    assert set(ELSEWHERE) <= set(MODULES)
    assert not [module for module in ELSEWHERE if (ROOT / partner_of(module)).exists()]
