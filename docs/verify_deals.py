"""Checks every deal in a record of Boneyard, from docs/fair-deals.md alone: python3 verify_deals.py FILE."""

import hmac
import json
import sys
from hashlib import sha256

LONGEST = 65536


def key_of(secret, shares):
    message = b"boneyard deals 1"
    for pledge, hexadecimal in shares:
        share = bytes.fromhex(hexadecimal)
        if share and sha256(share).hexdigest() != pledge:
            sys.exit("a share is not the one that was pledged")
        message += bytes([len(share)]) + share
    return hmac.digest(secret, message, "sha256") if any(share for _, share in shares) else secret


def stream(key, number):
    block = 0
    while True:
        digest = sha256(key + number.to_bytes(4, "big") + block.to_bytes(4, "big")).digest()
        for at in range(0, 32, 4):
            yield int.from_bytes(digest[at : at + 4], "big")
        block += 1


def below(n, numbers):
    return next(number for number in numbers if number < 2**32 - 2**32 % n) % n


def deal(tiles, seats, key, number):
    numbers, order = stream(key, number), sorted(tiles)
    for place in range(len(order) - 1, 0, -1):
        other = below(place + 1, numbers)
        order[place], order[other] = order[other], order[place]
    return order, below(seats, numbers)


def once(pairs):
    keys = dict(pairs)
    return keys if len(keys) == len(pairs) else sys.exit("a key appears twice")


def lines(file):
    while text := file.readline(LONGEST + 1):
        yield (
            text.removesuffix("\n")
            if len(text) <= LONGEST
            else sys.exit(f"a line is longer than {LONGEST} characters")
        )


def main(path):
    count, match, chain, due = 0, None, b"", ""
    for text in lines(open(path, encoding="utf-8", newline="\n")):
        line = json.loads(text, object_pairs_hook=once)
        if line["type"] == "match":
            if due:
                sys.exit(f"a match begins where the {due} of another should be")
            match, deals, chain, due = line, [], sha256(b"boneyard record 3").digest(), "end"
        elif line["type"] == "seal":
            if due != "seal" or line["chain"] != chain.hex():
                sys.exit("the seal is not that of the lines before it")
            due = ""
        elif line["type"] == "deal":
            deals.append(line)
        elif line["type"] == "end":
            secret = bytes.fromhex(line["secret"])
            if sha256(secret).hexdigest() != match["fair"]["commitment"]:
                sys.exit("the secret is not the one that was committed to")
            key = key_of(secret, match["fair"]["shares"])
            for number, dealt in enumerate(deals, 1):
                if deal(dealt["tiles"], len(match["seats"]), key, number) != (dealt["tiles"], dealt["lot"]):
                    sys.exit(f"deal {number} was not dealt from the secret and the shares")
            count, deals, due = count + len(deals), [], "seal" if match["format"] > 2 else ""
        chain = sha256(chain + text.encode()).digest()
    if due or not count:
        sys.exit(f"the record stops before its {due or 'match'}")
    print(f"{count} deals, every one follows from what was committed to and pledged before it.")


try:
    main(sys.argv[1])
except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
    sys.exit(f"this is no record with fair deals: {error!r}")
