"""The plays in a record, to compare with those that players were sent, and its verification."""

from net.client.verify_match import verify_record
from net.ssh.keys import fingerprint_of
from tui.records.reader import lines_of


def proofs_of_record(file):
    """Return the proofs of a record, as `boneyard verify` does. Raises RecordError if it is invalid."""
    return verify_record(lines_of(file), fingerprint_of)


def plays_in(lines):
    """Return (round, seat, tile) of every play in a record."""
    number = 0
    for line in lines:
        if line["type"] == "deal":
            number = line["round"]
        elif line["type"] == "action" and line["action"][0] in ("play", "lay"):
            yield number, line["seat"], tuple(line["action"][1])
