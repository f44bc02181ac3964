"""Filters: a publication matches if every predicate holds of it; an invalid filter is reported in words.

Source: Section 2
"""

import pytest

from gomboc.spec.protocols.delta_fault_tolerance import PROTOCOL
from gomboc.spec.protocols.delta_fault_tolerance.commands import Publish, Subscribe
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


@pytest.mark.parametrize(
    ("predicates", "wrong"),
    [
        ((("price", "~", 3),), "an operator out of =, !=, <, <=, >, >=, prefix, exists"),
        ((("price", "<", 3), ("price", ">", "a")), "values of one type about one attribute"),
        ((("price", "=", None),), "a value of every predicate but exists"),
        ((("price", "exists", 3),), "a value of every predicate but exists"),
        ((("price", "prefix", 3),), "a text as prefix"),
        ((("price", "=", 2**53),), f"numbers up to {2**53 - 1}"),
        ((("price", "=", -(2**53)),), f"numbers up to {2**53 - 1}"),
        ((("price", "=", 1.0),), "whole numbers without a fraction"),
        ((("price", "=", -(2.0**53) + 1),), "whole numbers without a fraction"),
        ((("price", "=", float("inf")),), "finite numbers"),
        ((("price", ">", 3), ("price", "<", 3)), "predicates ascending, each once"),
    ],
)
def test_what_is_no_filter_is_said_in_words(predicates, wrong):
    (fault,) = PROTOCOL.naming.malformed(Subscribe(tuple(Predicate(*predicate) for predicate in predicates)))
    assert (fault.rule, fault.expected) == ("canonical", wrong)


def test_attributes_are_ascending():
    (fault,) = PROTOCOL.naming.malformed(Publish((("b", 1), ("a", 1))))
    assert fault.expected == "attributes ascending, each once"
    assert not PROTOCOL.naming.malformed(Publish(STOCK))
