"""`boneyard verify` refuses any change in a record; ./scripts/long records tries everything."""

import os
from itertools import islice
from random import Random

import pytest

from core.games import GAMES
from core.records import SealLine, seal_of, write
from net.client.verify_match import verify_record
from net.ssh.keys import signing
from tests.mutations import (
    change_actions,
    change_fields,
    change_letters,
    change_order,
    is_accepted,
    lines_of,
    signed,
    unsealed,
)

LONG = bool(os.environ.get("BONEYARD_LONG"))
GAMES_OF_EACH_KIND = ("draw", "stakes", "mexican-train", "jie-long", "forty-two", "moon", "tien-gow", "patience")
"""Games whose records have different lines; all of them in the long form."""
SHORT = 2
"""Changes of each kind that are tried in one record, and one of every field; all of them in the long form."""
LETTERS = 120
"""Letters changed at random, over all games; for each game in the long form."""


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    return signing(folder / "host"), signing(folder / "player"), signing(folder / "forger")


def changes(lines, rng):
    """Yield changes of every kind, some of them or all."""
    for changes_of_kind in (change_fields(lines, rng, 1), change_actions(lines), change_order(lines)):
        places_seen, others = set(), []
        for place, changed in changes_of_kind:
            if LONG or place not in places_seen:
                yield place, changed
            else:
                others.append((place, changed))
            places_seen.add(place)
        yield from rng.sample(others, min(SHORT, len(others)))
    yield from change_letters(lines, rng, LETTERS if LONG else LETTERS // len(GAMES_OF_EACH_KIND))


@pytest.mark.parametrize("game", sorted(GAMES) if LONG else GAMES_OF_EACH_KIND)
def test_every_change_of_a_record_is_refused(game, keys):
    (sign, check), player, _forger = keys
    record = signed(lines_of(game), sign, player.sign)
    assert is_accepted(record, check)

    change_count, unnoticed = 0, []
    for place, changed in changes(record, Random(game)):
        change_count += 1
        if is_accepted(changed, check):
            unnoticed.append((place, changed))
    if LONG:
        print(f"  {game}, {len(record)} lines: {change_count} changes, {len(unnoticed)} unnoticed", end="")
        unsealed_lines = unsealed(lines_of(game))
        unnoticed_places = [
            place for place, changed in changes(unsealed_lines, Random(game)) if is_accepted(changed, check)
        ]
        print(f"; without a seal {len(unnoticed_places)}: {', '.join(sorted(set(unnoticed_places)))}")

    assert unnoticed == []


def legal_changes(game):
    """Yield the same record with changes that break no rule: another name, another program, another legal action."""
    lines = lines_of(game)
    yield [lines[0].replace('"player 0"', '"winner"'), *lines[1:]]
    yield [lines[0].replace('"software":"test"', '"software":"other"'), *lines[1:]]
    records = (changed for _, changed in change_actions(lines) if is_accepted(unsealed(changed), lambda *_: ""))
    yield from islice(records, 6)


def test_a_forger_who_recomputes_the_chain_has_no_signature_or_only_their_own(keys):
    (sign, check), player, (forge, _) = keys
    forged_records = 0
    for game in ("draw", "forty-two"):
        honest = verify_record(signed(lines_of(game), sign), check)
        honest_record = signed(lines_of(game), sign, player.sign)
        seal, witness = honest_record[-2:]
        key, signature = sign(seal_of(lines_of(game)).statement)
        for lines in legal_changes(game):
            forged_records += 1
            forged_seal = seal_of(lines)
            assert not is_accepted([*lines, seal], check)
            assert not is_accepted([*lines, write(SealLine(forged_seal.chain, key, signature))], check)
            assert not is_accepted([*lines, write(forged_seal), witness], check), "no player had signed that"
            assert verify_record([*lines, write(forged_seal)], check).unsigned == 1
            assert verify_record(unsealed(lines), check).unsigned == 1
            assert not set(verify_record(signed(lines, forge), check).signers) & set(honest.signers)
    assert forged_records > 10
