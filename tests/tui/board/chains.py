"""Chains to draw: any tiles in any order, laid on either arm."""

from itertools import pairwise
from textwrap import dedent

from hypothesis import strategies as st

from core.layout.state import PlacedTile
from core.tiles import full_set, in_order
from tui.board import Mark
from tui.board.faces import faces


def lay(tiles, arms):
    """Lay tiles one after the other, each on the arm that `arms` names: 0 is left, 1 is right.

    The halves that touch need not match: places do not depend on numbers.
    """
    first = tiles[0]
    layout = [PlacedTile(first, -1, 0, first.high, -1)]
    ends = [(0, 0), (0, 1)]
    for tile, arm in zip(tiles[1:], arms, strict=False):
        at, side = ends[arm]
        layout.append(PlacedTile(tile, at, side, tile.high, 0))
        ends[arm] = (len(layout) - 1, 1)
    return tuple(layout)


def chain(text, start=0):
    """Lay tiles written from left to right, beginning with number `start` and going right, then left.

    The first lies with its low half to the left, however it is written.
    """
    tiles = in_order(text)
    halves = [tuple(int(half) for half in word.split("|")) for word in text.split()]
    layout = [PlacedTile(tiles[start], -1, 0, tiles[start].high, -1)]
    for step, order in ((1, range(start + 1, len(tiles))), (0, range(start - 1, -1, -1))):
        at, side = 0, step
        for number in order:
            layout.append(PlacedTile(tiles[number], at, side, halves[number][step], 0))
            at, side = len(layout) - 1, 1
    return tuple(layout)


def ends(layout):
    """Return the two ends of a chain, as (at, side, number)."""
    at = [(0, 0, layout[0].tile.low), (0, 1, layout[0].tile.high)]
    for index, placed in enumerate(layout):
        for arm in (0, 1):
            if placed.on >= 0 and (placed.on, placed.side) == at[arm][:2]:
                at[arm] = (index, 1, placed.out)
                break
    return at


def marks_of_ends(layout, *, notes=("", "")):
    """Return the marks of both ends, the right one chosen."""
    (left, right) = ends(layout)
    return [Mark(*left, key="a", note=notes[0]), Mark(*right, key="b", note=notes[1], chosen=True)]


@st.composite
def chains(draw, highest):
    """Draw all tiles of a set in any order, laid on one arm or on both."""
    tiles = draw(st.permutations(full_set(highest)))
    arm = st.integers(0, 1)
    arms = draw(
        st.one_of(arm.map(lambda only: [only] * len(tiles)), st.lists(arm, min_size=len(tiles), max_size=len(tiles)))
    )
    return lay(tiles, arms)


def random_matching_line(rng, highest):
    """Return all tiles of a set in one line with matching numbers (an Eulerian circuit); `highest` must be even."""
    unvisited = {n: [m for m in range(highest + 1) if m != n] for n in range(highest + 1)}
    for numbers in unvisited.values():
        rng.shuffle(numbers)
    stack, circuit = [0], []
    while stack:
        if unvisited[stack[-1]]:
            neighbour = unvisited[stack[-1]].pop()
            unvisited[neighbour].remove(stack[-1])
            stack.append(neighbour)
        else:
            circuit.append(stack.pop())
    tiles, used_doubles = [], set()
    for number, neighbour in pairwise(circuit):
        if number not in used_doubles and rng.random() < 0.5:
            used_doubles.add(number)
            tiles.append((number, number))
        tiles.append((number, neighbour))
    for number in set(range(highest + 1)) - used_doubles:
        at = max(i for i, (_, neighbour) in enumerate(tiles) if neighbour == number)
        tiles.insert(at + 1, (number, number))
    return " ".join(f"{a}|{b}" for a, b in tiles)


def text_of_tiles(picture):
    """Return a picture of small tiles as text, without their shadows and empty margins."""
    text = str(picture).translate(str.maketrans("▝▀▘", "   "))
    return dedent("\n".join(line.rstrip() for line in text.splitlines())).strip("\n")


def cells_of(row):
    """Return the cells of a row of a picture, each as a character and its style."""
    return [(character, style) for text, style in row for character in text]


def face_of(picture, highest=6):
    """Return the name of the face in which the tiles of a picture are drawn, by the sizes of its tiles."""
    sizes = {(hit.w, hit.h) for hit in picture.hits if hit.side == -1}
    return next(face.name for face in faces(highest) if sizes <= {face.lying, face.standing})
