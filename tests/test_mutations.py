"""`boneyard verify` refuses any change in a record; ./scripts/long records tries everything."""

import os
from itertools import islice
from random import Random

import pytest

from core.games import GAMES
from core.records import SealLine, seal_of, write
from net.client.verify_match import verify_record
from net.ssh.keys import signing
from tests.mutations import at_random, in_actions, in_fields, in_order, lines_of, passes, signed, unsealed

LONG = bool(os.environ.get("BONEYARD_LONG"))
OF_EACH_KIND = ("draw", "stakes", "mexican-train", "jie-long", "forty-two", "moon", "tien-gow", "patience")
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
    for kind in (in_fields(lines, rng, 1), in_actions(lines), in_order(lines)):
        seen, rest = set(), []
        for where, changed in kind:
            if LONG or where not in seen:
                yield where, changed
            else:
                rest.append((where, changed))
            seen.add(where)
        yield from rng.sample(rest, min(SHORT, len(rest)))
    yield from at_random(lines, rng, LETTERS if LONG else LETTERS // len(OF_EACH_KIND))


@pytest.mark.parametrize("game", sorted(GAMES) if LONG else OF_EACH_KIND)
def test_every_change_of_a_record_is_refused(game, keys):
    (sign, check), player, _forger = keys
    record = signed(lines_of(game), sign, player.sign)
    assert passes(record, check)

    tried, unnoticed = 0, []
    for where, changed in changes(record, Random(game)):
        tried += 1
        if passes(changed, check):
            unnoticed.append((where, changed))
    if LONG:
        print(f"  {game}, {len(record)} lines: {tried} changes, {len(unnoticed)} unnoticed", end="")
        rules = unsealed(lines_of(game))
        before = [where for where, changed in changes(rules, Random(game)) if passes(changed, check)]
        print(f"; without a seal {len(before)}: {', '.join(sorted(set(before)))}")

    assert unnoticed == []


def invisible(game):
    """Yield the same record with changes that break no rule: another name, another program, another legal action."""
    lines = lines_of(game)
    yield [lines[0].replace('"player 0"', '"winner"'), *lines[1:]]
    yield [lines[0].replace('"software":"test"', '"software":"other"'), *lines[1:]]
    legal = (changed for _, changed in in_actions(lines) if passes(unsealed(changed), lambda *_: ""))
    yield from islice(legal, 6)


def test_a_forger_who_recomputes_the_chain_has_no_signature_or_only_their_own(keys):
    (sign, check), player, (forge, _) = keys
    tried = 0
    for game in ("draw", "forty-two"):
        honest = verify_record(signed(lines_of(game), sign), check)
        old = signed(lines_of(game), sign, player.sign)
        seal, witness = old[-2:]
        key, signature = sign(seal_of(lines_of(game)).statement)
        for lines in invisible(game):
            tried += 1
            chained = seal_of(lines)
            assert not passes([*lines, seal], check)
            assert not passes([*lines, write(SealLine(chained.chain, key, signature))], check)
            assert not passes([*lines, write(chained), witness], check), "no player had signed that"
            assert verify_record([*lines, write(chained)], check).unsigned == 1
            assert verify_record(unsealed(lines), check).unsigned == 1
            assert not set(verify_record(signed(lines, forge), check).signers) & set(honest.signers)
    assert tried > 10
