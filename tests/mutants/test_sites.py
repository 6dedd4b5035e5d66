"""A change of a program is small, and the program still runs."""

import ast

import pytest

from tests.mutants.sites import changed, sites

PROGRAM = '''
def counted(numbers: list[int] = [1]) -> int:
    """Add up what is odd."""
    total = 0
    for number in numbers:
        if number % 2 == 1 and number > 0:
            total += number
    numbers.clear()
    return total
'''


@pytest.mark.parametrize("kind", ["statement", "operator", "condition", "constant"])
def test_every_kind_of_change_is_found_and_each_is_another_program(kind):
    found = [site for site in sites(PROGRAM) if site.kind == kind]

    assert found
    for site in found:
        assert ast.dump(ast.parse(changed(PROGRAM, site))) != ast.dump(ast.parse(PROGRAM))


def test_defaults_annotations_and_docstrings_are_left_alone():
    assert {site.line for site in sites(PROGRAM)} == {4, 6, 7, 8, 9}
