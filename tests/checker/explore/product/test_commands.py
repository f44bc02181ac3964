"""Commands of toys that are settled on local states: how often they come, and where."""

import pytest
from msgspec.structs import replace

from gomboc.checker.explore.product.settle import Open, Settled
from gomboc.spec.core.model import Offer
from tests.checker.explore.product.toys import IN_TIME, settled, toy, wrong
from tests.checker.explore.table.protocols import fault

SPOILT = {("b", 0, "spoil"): ((1, ()),)}
B_HEALS, A_LEAVES = {("b", 1, None): ((0, ()),)}, {("a", 1, None): ((0, ()),)}
HEALED = {("b", 1, "heal"): ((0, ()),)}
TURNING = {("a", 0, None): ((1, ()),), ("a", 1, None): ((0, ()),)}
ONCE, NEVER = (("spoils", 1), ("others", 0)), (("spoils", 0),)


def commanded(reactions, *offers, while_a=0, b=None, budget=(), locals_=(0,), **changes):
    """A toy in which "b" must not be in 1, with those offers while "a" is in a state."""
    instance = toy(reactions, wrong("b", 1), locals_=locals_, budget=budget, b=b)
    changes = {"offers": lambda states, in_flight: offers if states["a"] == while_a else ()} | changes
    return replace(instance, protocol=instance.protocol.changed(**changes))


def healed(reactions, owed, **changes):
    """A toy in which "b" begins in the state that is wrong, and may be commanded to leave it."""
    return commanded(reactions, Offer("b", "heal", "", owed), b=1, **changes)


def refusing(limit):
    return {limit: lambda states, in_flight: fault("b") if states["b"] == 0 else ()}


SPOILS = Offer("b", "spoil", "spoils")
COMMANDS = {
    "with a budget, it comes finitely often": (commanded(SPOILT | B_HEALS, SPOILS, budget=ONCE), Settled),
    "with a budget, it comes": (commanded(SPOILT, SPOILS, budget=ONCE), Open),
    "with an empty budget, it never comes": (commanded(SPOILT, SPOILS, budget=NEVER), Settled),
    "with a budget that is not stated, it never comes": (commanded(SPOILT, SPOILS), Settled),
    "without a budget, it comes again and again": (commanded(SPOILT | B_HEALS, Offer("b", "spoil", "")), Open),
    "if it is owed, it comes again and again": (commanded(SPOILT | B_HEALS, Offer("b", "spoil", "", owed=True)), Open),
    "if it is owed and offered for ever, it comes": (healed(HEALED, owed=True), Settled),
    "if it is not owed, it need not come": (healed(HEALED, owed=False), Open),
    "if it is offered now and then, it is not owed": (healed(HEALED | TURNING, owed=True), Open),
    "if it may break the assumption, it is not owed": (healed(HEALED, owed=True, **refusing("assumption")), Open),
    "if it may end the premise, it is not owed": (healed(HEALED, owed=True, **refusing("premise")), Open),
    # "a" cannot stay in 1: a command that comes again and again would be seen.
    "it comes only where the other nodes let it": (
        commanded(SPOILT | B_HEALS | A_LEAVES, Offer("b", "spoil", ""), while_a=1, locals_=(0, 1)),
        Settled,
    ),
}
"""For each claim about a command, an instance and whether its convergence is settled."""


@pytest.mark.parametrize("claim", COMMANDS)
def test_a_command_comes_as_often_as_its_budget_its_offers_and_its_debt_say(claim):
    instance, answer = COMMANDS[claim]
    assert isinstance(settled(instance), answer)


def test_a_command_with_a_budget_is_named_in_the_claim():
    found = settled(commanded(SPOILT | B_HEALS, SPOILS, budget=ONCE))
    claim = "any number of messages in flight, and of each command (spoils); 2 combinations"
    assert (found.figures.budgets, str(found.figures).startswith(claim)) == (("spoils",), True)


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
    assert settled(commanded({}, offers=offers)) == Open(why)


def test_commands_that_depend_on_too_much_are_open(monkeypatch):
    monkeypatch.setattr("gomboc.checker.explore.product.commands.MOST", 3)
    found = settled(commanded({}, Offer("b", "x", "often"), locals_=(0, 1)))
    assert found == Open("commands may depend on more than 3 combinations of local states")


def test_a_projection_that_leaves_out_what_is_offered_is_no_ground():
    offer, project = Offer("b", "x", "often"), {"projection": lambda value: None}
    found = settled(commanded(IN_TIME, offer, while_a=1, locals_=(0, 1), **project))
    assert isinstance(found, Open)
    assert "has a projection that leaves out what environment looks at" in found.why
