"""Filters: a publication matches if every predicate holds of it; an invalid filter is reported in words.

Source: Section 2
"""

import pytest

from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL
from gomboc.spec.protocols.delta_fault_tolerance.commands import Subscribe
from gomboc.spec.protocols.delta_fault_tolerance.filters import Predicate, matches

STOCK = (("name", "acme"), ("price", 12))


@pytest.mark.parametrize(
    ("predicate", "holds"),
    [
        (("price", "=", 12), True),
        (("price", "!=", 12), False),
        (("price", "<", 13), True),
        (("price", "<=", 12), True),
        (("price", ">", 12), False),
        (("price", ">=", 12), True),
        (("name", "prefix", "ac"), True),
        (("name", "prefix", "me"), False),
        (("name", "<", "b"), True),
        (("name", "exists", None), True),
        (("volume", "exists", None), False),
        (("volume", "!=", 3), False),
        (("name", "!=", 12), False),
        (("price", "=", "12"), False),
    ],
)
def test_a_predicate_is_about_an_attribute_of_its_own_type(predicate, holds):
    assert matches(STOCK, (Predicate(*predicate),)) == holds


def test_all_predicates_must_hold_and_no_predicate_demands_anything():
    cheap, dear = Predicate("price", "<", 20), Predicate("price", ">", 15)
    assert matches(STOCK, ())
    assert matches(STOCK, (cheap,))
    assert not matches(STOCK, (cheap, dear))


def test_no_number_of_a_filter_is_infinite():
    """JSON has no such number: other invalid filters are rows of `values.jsonl`."""
    (fault,) = PROTOCOL.naming.malformed(Subscribe((Predicate("price", "=", float("inf")),)))
    assert (fault.rule, fault.expected) == ("canonical", "finite numbers")
