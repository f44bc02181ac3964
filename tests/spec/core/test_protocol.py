import pytest

from gomboc.spec.core.faults import premise_faults
from gomboc.spec.core.model import Timeout
from gomboc.spec.core.protocol import RECORD_OF, RECORDS, Cited, Protocol, Start, fired
from tests.toys.coins.spec import UNORDERED, start


def test_a_start_is_a_value():
    assert start(("a", "heads")) == Start(start().roles, start().locals, (("a", "heads"),))
    assert hash(start()) == hash(start())


def test_what_a_protocol_need_not_state_asks_for_nothing():
    states = {"a": (), "b": ()}
    assert (
        UNORDERED.promises.edges("a", ())
        == UNORDERED.promises.premise(states, ())
        == UNORDERED.promises.assumption(states, ())
        == ()
    )
    assert (
        UNORDERED.environment.offers(states, ())
        == UNORDERED.promises.always
        == UNORDERED.promises.observers
        == UNORDERED.environment.quiet
        == ()
    )
    assert UNORDERED.environment.asleep(()) is False
    assert UNORDERED.legitimacy.share(states) is states
    assert UNORDERED.naming.misnamed({"a": "thrower"}) is None
    assert UNORDERED.naming.named(()) == ()
    assert premise_faults(UNORDERED, states, ()) == ()


def test_a_step_fires_the_rule_that_answers_it_if_nothing_else_is_said():
    assert fired(UNORDERED, "a", (), Timeout()) == (Cited("timeout", "nowhere"),)
    two = (Cited("1a", "slide 2"), Cited("1b", "slide 3"))
    assert fired(UNORDERED.changed(fired=lambda me, local, taken: two), "a", (), Timeout()) == two


def test_each_record_has_at_most_eight_fields_and_each_field_a_name_of_its_own():
    assert tuple(RECORDS) == Protocol.__struct_fields__[2:]
    assert max(len(kind.__struct_fields__) for kind in RECORDS.values()) <= 8
    assert len(RECORD_OF) == 2 + sum(len(kind.__struct_fields__) for kind in RECORDS.values())


def test_a_changed_protocol_has_those_fields_and_otherwise_its_own():
    changed = UNORDERED.changed(name="other", bound=len, start=start, parameters=("echo",))
    assert (changed.name, changed.starts.bound, changed.starts.start) == ("other", len, start)
    assert changed.variants.parameters == ("echo",)
    assert changed.starts.space is UNORDERED.starts.space
    assert changed.actor is UNORDERED.actor
    assert UNORDERED.changed() == UNORDERED
    with pytest.raises(TypeError, match="a protocol has no field 'reacts'"):
        UNORDERED.changed(reacts=len)
