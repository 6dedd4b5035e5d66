"""Snapshots of a table have checksums, which older versions ignore and leave out."""

import msgspec
import pytest

from net.table.persistence import SeatSnapshot, Snapshot, checksum_of, decode_snapshot, encode_snapshot

SNAPSHOT = Snapshot(
    1, "ada", "key A", "draw", {"target": 50}, (SeatSnapshot("ada", "key A"),), b"\0", (), True, 7, 3, checksum="0"
)


@pytest.mark.parametrize("as_text", [False, True])
def test_a_snapshot_comes_back_as_it_was_stored(as_text):
    stored = encode_snapshot(SNAPSHOT)

    assert decode_snapshot(stored.decode() if as_text else stored) == SNAPSHOT


def test_every_flipped_bit_of_a_snapshot_is_found():
    stored = encode_snapshot(SNAPSHOT)
    for bit in range(8 * len(stored)):
        flipped = bytearray(stored)
        flipped[bit // 8] ^= 1 << bit % 8
        with pytest.raises(msgspec.DecodeError):
            decode_snapshot(bytes(flipped))


def test_an_older_version_reads_a_snapshot_and_its_own_are_accepted():
    older = msgspec.json.decode(encode_snapshot(SNAPSHOT))
    del older["checksum"], older["sum"]

    assert decode_snapshot(msgspec.json.encode(older)) == msgspec.structs.replace(SNAPSHOT, checksum="")


def test_the_checksum_of_lines_is_incremental_and_includes_their_boundaries():
    assert checksum_of(["a", "b", "c"]) == checksum_of(["c"], checksum_of(["a", "b"]))
    assert len({checksum_of(lines) for lines in (["ab"], ["a", "b"], ["b", "a"], ["a"], ["", "ab"])}) == 5
