"""What a record says was played, to compare with what people were told, and whether it is right."""

from net.client.verify_match import verify_record
from net.ssh.keys import fingerprint_of
from tui.records.reader import lines_of


def right(file):
    """What a record proves, as `boneyard verify` says it. Raises RecordError where it is not valid."""
    return verify_record(lines_of(file), fingerprint_of)


def plays(lines):
    """(round, seat, tile) of every play in a record."""
    number = 0
    for line in lines:
        if line["type"] == "deal":
            number = line["round"]
        elif line["type"] == "action" and line["action"][0] in ("play", "lay"):
            yield number, line["seat"], tuple(line["action"][1])
