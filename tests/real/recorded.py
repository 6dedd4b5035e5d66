"""What a record says was played, to compare with what people were told."""


def plays(lines):
    """(round, seat, tile) of every play in a record."""
    number = 0
    for line in lines:
        if line["type"] == "deal":
            number = line["round"]
        elif line["type"] == "action" and line["action"][0] in ("play", "lay"):
            yield number, line["seat"], tuple(line["action"][1])
