from fractions import Fraction

import pytest

from gomboc.spec.core.model import CERTAIN, Choice, Outcome, Send


def count_up(local, by):
    return Outcome(local + by, (Send("other", local),), (by,))


def test_outcomes_are_chained_by_their_local_state():
    assert Outcome(1).then(count_up, 2).then(count_up, 3).local == 6


def test_a_chain_keeps_what_was_sent_and_delivered_in_the_order_of_its_rules():
    chained = Outcome(1, (Send("other", 0),), (9,)).then(count_up, 2).then(count_up, 3)
    assert chained.sends == (Send("other", 0), Send("other", 1), Send("other", 3))
    assert chained.delivered == (9, 2, 3)


def test_a_chain_leaves_the_outcomes_it_is_made_of_as_they_were():
    before = Outcome(1, (Send("other", 0),))
    before.then(count_up, 2)
    assert before == Outcome(1, (Send("other", 0),))


def test_a_step_without_coins_has_one_certain_choice():
    assert (Choice("certain", Fraction(1)),) == CERTAIN


@pytest.mark.parametrize("value", [Send("other", 1), Outcome(1), Choice("certain", Fraction(1))])
def test_values_are_hashable_and_cannot_be_changed(value):
    field = value.__struct_fields__[0]
    assert hash(value) == hash(type(value)(*(getattr(value, name) for name in value.__struct_fields__)))
    with pytest.raises(AttributeError, match="immutable type"):
        setattr(value, field, None)
