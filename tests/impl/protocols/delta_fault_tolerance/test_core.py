"""What a broker shows besides its steps, which are scenarios: the peers that it watches, and its state."""

import msgspec

from gomboc.impl.core.automaton import Commanded, Received
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.commands import Join, Suspect
from gomboc.impl.protocols.delta_fault_tolerance.core import FAILING
from gomboc.impl.protocols.delta_fault_tolerance.messages import Connect
from gomboc.impl.protocols.delta_fault_tolerance.states import DETACHED


def leaf():
    """A broker below `a.b` that is outside."""
    return IMPLEMENTATION.configured({"delta": 1}).make("broker", "a.b.x", msgspec.to_builtins(DETACHED), None)


def test_a_leaf_watches_its_parent_once_that_has_answered():
    core = leaf()
    core.handle(0.0, Commanded(Join()))
    assert FAILING.watches(core) == ()
    core.handle(0.0, Received(Connect("a.b", (0, 3), (0, 1), "operational")))
    assert FAILING.watches(core) == ("a.b",)


def test_the_state_is_not_written_again_while_it_stays_the_same():
    core = leaf()
    before = core.snapshot()
    core.handle(0.0, Commanded(Suspect("a.b")))
    assert core.snapshot() is before
    core.handle(0.0, Commanded(Join()))
    assert core.snapshot() is not before
