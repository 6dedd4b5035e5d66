"""Fair deals: the commitments of host and players, and the seed of the deals (`docs/fair-deals.md`)."""

import pytest

from core.fair import FairDeal, Share, commit, deal_key, is_digest, is_pledged, problem

SECRET = bytes(range(32))
RAW = [bytes([n]) * 32 for n in (1, 2, 3)]


def revealed(raw):
    return Share(commit(raw), raw.hex())


def fair(*shares, commitment=None):
    return FairDeal(commitment if commitment is not None else commit(SECRET), shares)


def test_a_share_keeps_its_own_pledge_and_no_other():
    assert is_pledged(RAW[0], commit(RAW[0]))
    assert not is_pledged(RAW[1], commit(RAW[0]))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_share_of_another_length_keeps_no_pledge(length):
    raw = bytes(length)

    assert not is_pledged(raw, commit(raw))


def test_the_key_depends_on_the_secret_and_on_each_share_and_its_seat():
    keys = [
        deal_key(SECRET, (revealed(RAW[0]), Share())),
        deal_key(SECRET, (Share(), revealed(RAW[0]))),
        deal_key(SECRET, (revealed(RAW[0]), revealed(RAW[1]))),
        deal_key(SECRET, (revealed(RAW[1]), revealed(RAW[0]))),
        deal_key(bytes(32), (revealed(RAW[0]), revealed(RAW[1]))),
    ]

    assert len(set(keys)) == len(keys)
    assert all(len(key) == 32 for key in keys)


def test_a_pledge_without_its_share_adds_nothing():
    assert deal_key(SECRET, (revealed(RAW[0]), Share(commit(RAW[1])))) == deal_key(
        SECRET, (revealed(RAW[0]), Share())
    )


def test_without_any_share_the_secret_is_the_key():
    assert deal_key(b"7", (Share(), Share(commit(RAW[0])))) == b"7"


def test_shares_that_are_revealed_pledged_or_absent_are_valid():
    assert problem(fair(revealed(RAW[0]), Share(commit(RAW[1])), Share()), 3) == ""


@pytest.mark.parametrize(
    ("invalid", "reason"),
    [
        (fair(Share(), commitment="no digest"), "the commitment is no SHA-256"),
        (fair(Share(), Share()), "there must be a share for every seat, if only an empty one"),
        (fair(Share("short")), "the pledge of seat 0 is no SHA-256"),
        (fair(Share("", RAW[0].hex())), "the pledge of seat 0 is no SHA-256"),
        (fair(Share(commit(RAW[0]), RAW[1].hex())), "the share of seat 0 is not the one that was pledged"),
        (fair(Share(commit(RAW[0]), "zz")), "the share of seat 0 is not the one that was pledged"),
    ],
)
def test_an_invalid_commitment_pledge_or_share_is_a_problem(invalid, reason):
    assert problem(invalid, 1) == reason


@pytest.mark.parametrize("text", ["", "A" * 64, "g" * 64, "0" * 63, "0" * 65, " " + "0" * 63, "٣" * 64])
def test_a_digest_is_64_hexadecimal_digits_in_lower_case(text):
    assert is_digest("0123456789abcdef" * 4)
    assert not is_digest(text)
