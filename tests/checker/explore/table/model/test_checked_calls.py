"""A protocol that fails its part is told apart from a finding, by tables too, with the state that shows it."""

import pytest
from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.graph import examine as plain
from gomboc.checker.explore.table.examine import examine
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.model import Outcome, Send
from tests.checker.explore.graph.test_search import Box
from tests.checker.explore.table.protocols import instance_of, tabled

STEPS = {("a", 0, None): ((1, ()),), ("a", 1, None): ((3, (("b", 10),)),)}
GOOD = tabled(STEPS)


def bad(**functions):
    return instance_of(GOOD.changed(**functions))


def failing(value):
    if value == 3:
        raise ValueError("three is too many")


def raising_react(me, local, taken, choice):
    failing(local)
    return GOOD.actor.react(me, local, taken, choice)


def unhashable_react(me, local, taken, choice):
    return Outcome([local]) if local == 3 else GOOD.actor.react(me, local, taken, choice)


def unhashable_send(me, local, taken, choice):
    return Outcome(local, (Send("a", [local]),)) if local == 3 else GOOD.actor.react(me, local, taken, choice)


def spoiling_react(me, local, taken, choice):
    local.number += 1
    return Outcome(Box(local.number))


def none_for(value, *, at):
    return None if value == at else ()


def bad_steps():
    """Instances in which a step fails, or cannot be stored, each with what is said of it."""
    return {
        "raises": (
            bad(react=raising_react),
            "raises in a step (ValueError: three is too many), when node 'a' takes Timeout() in the state 3.",
        ),
        "raises in choices": (
            bad(choices=lambda me, local, taken: failing(local) or GOOD.actor.choices(me, local, taken)),
            "raises in a step (ValueError: three is too many), when node 'a' takes Timeout() in the state 3.",
        ),
        "unhashable": (
            bad(react=unhashable_react),
            "raises in a step (TypeError: unhashable type: 'list'), when node 'a' takes Timeout() in the state 3.",
        ),
        "unhashable message": (
            bad(react=unhashable_send),
            "raises in a step (TypeError: unhashable type: 'list'), when node 'a' takes Timeout() in the state 3.",
        ),
        "unhashable at first": (
            replace(bad(), locals=(("a", "node", OneOf(([0],))), *bad().locals[1:])),
            "has a value that cannot be hashed (TypeError: unhashable type: 'list'), in the state [0].",
        ),
        "mutates": (
            replace(bad(react=spoiling_react), locals=(("a", "node", OneOf((Box(7),))), *bad().locals[1:])),
            "has a step or a predicate that changes its argument, when node 'a' takes Timeout() in the state Box(7).",
        ),
    }


def bad_predicates():
    """The same of predicates: each answers no answer or raises, in one state."""
    return {
        "node_faults": (
            bad(node_faults=lambda anchor, me, local: none_for(local, at=3)),
            "has a predicate node_faults that answers None, not a tuple of faults, in the state 3.",
        ),
        "message_faults": (
            bad(message_faults=lambda anchor, target, message: failing(anchor)),
            "has a predicate message_faults that answers None, not a tuple of faults, in the state 10.",
        ),
        "anchor_faults": (
            bad(anchor_faults=lambda anchor: none_for(anchor, at=3)),
            "has a predicate anchor_faults that answers None, not a tuple of faults, in the state {'a': 3}.",
        ),
        "anchor": (
            bad(anchor=lambda states: states["c" if states["a"] == 3 else "a"]),
            "raises in anchor_faults (KeyError: 'c'), in the state {'a': 3}.",
        ),
        "malformed": (
            bad(malformed=lambda value: none_for(value, at=10)),
            "has a predicate malformed that answers None, not a tuple of faults, in the state 10.",
        ),
        "edges": (
            bad(edges=lambda node, value: failing(3)),
            "raises in edges (ValueError: three is too many), in the state 0.",
        ),
        "admits": (
            replace(bad(), admits=lambda start: None),
            "raises in admits (ValueError: admits answers None, not True or False), while its starts are built.",
        ),
    }


def bad_instances():
    """All of them, made anew: one changes its own state."""
    return bad_steps() | bad_predicates()


FAULTS = sorted(bad_instances())


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bad_protocol_is_told_apart_with_the_state_that_shows_it(fault):
    instance, what = bad_instances()[fault]
    with pytest.raises(BadModelError) as caught:
        examine(instance)
    assert str(caught.value) == f"The model tabled {what}"


@pytest.mark.parametrize("fault", FAULTS)
def test_the_plain_explorer_does_not_take_it_for_a_finding_either(fault):
    instance, _ = bad_instances()[fault]
    with pytest.raises(BadModelError):
        plain.examine(bounded_model(instance))


def test_a_good_protocol_is_judged():
    assert examine(instance_of(GOOD)).extent.states == 4
