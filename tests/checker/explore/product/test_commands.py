"""Commands of toys that are settled on local states: how often they come, and where."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Open, Settled
from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.model import Offer
from tests.checker.explore.product.toys import IN_TIME, settled, toy, wrong
from tests.checker.explore.table.protocols import fault


def offering(*offers, while_a=1):
    return {"offers": lambda states, in_flight: offers if states["a"] == while_a else ()}


def commanded(reactions, offers, wrong_locals, budget=(), locals_=(0,), **changes):
    instance = toy(reactions, wrong_locals, locals_=locals_, budget=budget)
    return replace(instance, protocol=instance.protocol.changed(**offers, **changes))


SPOILT = {("b", 0, "spoil"): ((1, ()),)}


def test_a_command_with_a_budget_may_come_any_finite_number_of_times():
    offers = offering(Offer("b", "spoil", "spoils"), while_a=0)
    healing = SPOILT | {("b", 1, None): ((0, ()),)}
    found = settled(commanded(healing, offers, wrong("b", 1), (("spoils", 1), ("others", 0))))
    assert (type(found), found.figures.budgets) == (Settled, ("spoils",))
    assert str(found.figures).startswith(
        "any number of messages in flight, and of each command (spoils); 2 combinations"
    )
    assert isinstance(settled(commanded(SPOILT, offers, wrong("b", 1), (("spoils", 1),))), Open)


@pytest.mark.parametrize("budget", [(("spoils", 0),), ()])
def test_a_command_whose_budget_is_empty_never_comes(budget):
    offers = offering(Offer("b", "spoil", "spoils"), while_a=0)
    assert isinstance(settled(commanded(SPOILT, offers, wrong("b", 1), budget)), Settled)


@pytest.mark.parametrize("owed", [False, True])
def test_a_command_without_a_budget_may_come_again_and_again(owed):
    healing = SPOILT | {("b", 1, None): ((0, ()),)}
    offers = offering(Offer("b", "spoil", "", owed), while_a=0)
    assert isinstance(settled(commanded(healing, offers, wrong("b", 1))), Open)


HEALED = {("b", 1, "heal"): ((0, ()),)}


def spoilt_already(reactions, offers, **changes):
    """The toy with commands in which "b" begins in the state that is wrong."""
    start = commanded(reactions, offers, wrong("b", 1), **changes)
    return replace(start, locals=(start.locals[0], ("b", "node", OneOf((1,)))))


@pytest.mark.parametrize(("owed", "answer"), [(True, Settled), (False, Open)])
def test_only_a_command_that_is_owed_comes_if_it_is_offered_for_ever(owed, answer):
    offers = offering(Offer("b", "heal", "", owed), while_a=0)
    assert isinstance(settled(spoilt_already(HEALED, offers)), answer)


def test_a_command_is_owed_nothing_where_it_is_offered_now_and_then():
    turning = HEALED | {("a", 0, None): ((1, ()),), ("a", 1, None): ((0, ()),)}
    offers = offering(Offer("b", "heal", "", owed=True), while_a=0)
    assert isinstance(settled(spoilt_already(turning, offers)), Open)


@pytest.mark.parametrize("limit", ["assumption", "premise"])
def test_a_command_that_may_be_refused_is_owed_nothing(limit):
    offers = offering(Offer("b", "heal", "", owed=True), while_a=0)
    refused = {limit: lambda states, in_flight: fault("b") if states["b"] == 0 else ()}
    assert isinstance(settled(spoilt_already(HEALED, offers, **refused)), Open)


def test_a_command_comes_only_where_the_other_nodes_let_it():
    # It is offered while "a" is in 1, where "a" cannot stay: a command that comes again and again would be seen.
    healing = SPOILT | {("b", 1, None): ((0, ()),), ("a", 1, None): ((0, ()),)}
    offers = offering(Offer("b", "spoil", ""), while_a=1)
    assert isinstance(settled(commanded(healing, offers, wrong("b", 1), locals_=(0, 1))), Settled)


def _swallowing(states, in_flight):
    try:
        return (Offer("b", "x", "often"),) * (len(in_flight) + states["a"])
    except:  # noqa: E722
        return ()


def _by_shape(states, in_flight):
    match in_flight:
        case (_,) if states["a"] == 0:
            return (Offer("b", "x", "often"),)
    return ()


@pytest.mark.parametrize(
    "offers", [lambda states, in_flight: (Offer("b", "x", "often"),) * len(in_flight), _swallowing, _by_shape]
)
def test_commands_that_depend_on_messages_are_open(offers):
    why = "the commands that may come from outside depend on the messages in flight"
    assert settled(commanded({}, {"offers": offers}, ())) == Open(why)


def test_commands_that_depend_on_too_much_are_open(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.product.commands.MOST", 3)
    offers = offering(Offer("b", "x", "often"))
    found = settled(commanded({}, offers, (), locals_=(0, 1)))
    assert found == Open("commands may depend on more than 3 combinations of local states")


def test_a_projection_that_leaves_out_what_is_offered_is_no_ground():
    instance = toy(IN_TIME, wrong("a", 1))
    protocol = instance.protocol.changed(projection=lambda value: None, **offering(Offer("b", "x", "often")))
    found = settled(replace(instance, protocol=protocol))
    assert isinstance(found, Open)
    assert "has a projection that leaves out what environment looks at" in found.why
