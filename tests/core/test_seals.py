"""The seal of a record: its contents, the lines that may follow it, and the signed bytes (`docs/records.md`)."""

import pytest

from core.records import Closing, SealLine, Signature, WitnessLine, attestation, seal_of, sign_nothing

LINES = ('{"type":"match"}', '{"type":"deal"}', '{"type":"end"}')


def closed(lines=LINES, people=(0, 1), **options):
    closing = Closing.of(people, **options)
    for line in lines:
        closing = closing.add(line)
    return closing


def after_the_seal(people=(0, 1)):
    return taken(closed(people=people), closed(people=people).seal(sign_nothing))


def taken(closing, line):
    assert closing.problem(line) == ""
    return closing.accept(line)


@pytest.mark.parametrize(
    "other",
    [
        ('{"type":"other"}', *LINES[1:]),
        (LINES[1], LINES[0], LINES[2]),
        LINES[1:],
        LINES[:-1],
        (*LINES, ""),
        (*LINES[:-1], LINES[-1] + " "),
        (LINES[0], LINES[1] + LINES[2]),
    ],
    ids=["another first", "other order", "no first", "no last", "one more", "a blank more", "joined"],
)
def test_no_other_lines_have_the_same_seal(other):
    assert seal_of(other).chain != seal_of(LINES).chain
    assert closed(other).problem(seal_of(LINES)) == "the lines before this one are not the sealed ones"


def test_a_seal_is_due_and_nothing_is_sealed_before_it():
    closing = closed()
    assert (closing.due, closing.chain) == (True, "")
    seal = closing.seal(sign_nothing)
    closing = taken(closing, seal)

    assert (closing.due, closing.chain) == (False, seal.chain)


def test_a_record_has_one_seal():
    closing = after_the_seal()

    assert closing.problem(closing.seal(sign_nothing)) == "the match was already over"


def test_a_record_of_a_format_without_seals_takes_none_and_no_witness():
    closing = closed(sealed=False)

    assert closing.problem(seal_of(LINES)) == "the match was already over"
    assert closing.problem(WitnessLine(0, "key", "signature")) == "a witness line must follow the seal"


def test_the_host_signs_the_chain():
    signed = []

    def sign(statement):
        signed.append(statement)
        return Signature("ssh-ed25519 AAAA", "c2ln")

    seal = seal_of(LINES, sign)

    assert signed == [seal.statement] == [f"boneyard record\nchain {seal.chain}\n".encode()]
    assert (seal.key, seal.signature) == ("ssh-ed25519 AAAA", "c2ln")


@pytest.mark.parametrize(("key", "signature"), [("key", ""), ("", "signature")])
def test_a_key_and_its_signature_go_together(key, signature):
    seal = SealLine(seal_of(LINES).chain, key, signature)

    assert closed().problem(seal) == "a key and its signature go together"


def test_the_bytes_that_a_player_signs_name_the_seat_and_are_no_seal():
    chain = seal_of(LINES).chain

    assert attestation(chain, 0) != attestation(chain, 1)
    assert attestation(chain, 0) != seal_of(LINES).statement


def test_no_bot_and_no_empty_seat_bears_witness():
    assert after_the_seal(people=(0,)).problem(WitnessLine(1, "key", "signature")) == "nobody sat in that seat"


@pytest.mark.parametrize(("key", "signature"), [("", ""), ("key", ""), ("", "signature")])
def test_a_witness_without_a_key_or_a_signature_is_none(key, signature):
    closing = after_the_seal()

    assert closing.problem(WitnessLine(0, key, signature)) == "a witness needs a key and a signature"
    assert closing.problem(WitnessLine(0, "key", "signature")) == "", "and may still speak"
