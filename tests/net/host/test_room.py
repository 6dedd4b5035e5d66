"""A host opens a table only if it is within every limit."""

import pytest

from core.words import Illegal
from net.host.table_host import check_open_table_limits
from net.limits import MAX_TABLES, TABLES_PER_ADDRESS, TABLES_PER_PLAYER


def test_a_table_just_below_every_limit_may_be_opened():
    check_open_table_limits(MAX_TABLES - 1, TABLES_PER_PLAYER - 1, TABLES_PER_ADDRESS - 1)


@pytest.mark.parametrize(
    ("counts", "why"),
    [
        ((MAX_TABLES, 0, 0), "full"),
        ((0, TABLES_PER_PLAYER, 0), "already have"),
        ((0, 0, TABLES_PER_ADDRESS), "address"),
    ],
)
def test_a_table_beyond_any_limit_is_refused_with_the_reason(counts, why):
    with pytest.raises(Illegal, match=why):
        check_open_table_limits(*counts)
