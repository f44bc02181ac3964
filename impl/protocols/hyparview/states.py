"""Local states as traces write them."""

from functools import partial
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Fault, check_of, convert
from gomboc.impl.protocols.hyparview.messages import Id, Items, Names, New
from gomboc.impl.protocols.hyparview.parameters import Parameters

Status = Literal["outside", "inside", "crashed"]


class State(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of a node.

    `active` and `passive` are its views; of the passive nodes `asked` was asked to become active, and has not answered;
    a node outside with a `contact` is joining; `held` are the publications, each with its topic. If these are more than
    a message may have, `told` is the last id that a digest named in its turn, and `new` are the ids that came since,
    and that none has named.
    """

    status: Status
    active: Names = ()
    passive: Names = ()
    asked: Name | None = None
    contact: Name | None = None
    held: Items = ()
    told: Id | None = None
    new: New = ()


OUTSIDE = State(status="outside")
CRASHED = State(status="crashed")


def load(me: str, value: object, parameters: Parameters) -> State:
    """The state of this node that a JSON value holds; `UsageError` if it has not the form of one."""
    refusal, well_formed = "This is not a state of HyParView", check_of(State, parameters)
    return convert(value, State, refusal, well_formed, partial(_wrong, me, parameters), whose=f" for {me!r}")


def _wrong(me: str, parameters: Parameters, state: State) -> Fault:
    """The fault of a state whose parts are well-formed."""
    if state.status == "crashed" and state != CRASHED:
        return "a node that has crashed knows nothing"
    if state.status == "outside" and state != replace(OUTSIDE, contact=state.contact):
        return "a node outside has no views, and holds nothing"
    if me in (*state.active, *state.passive, state.contact):
        return "it knows itself"
    if not set(state.active).isdisjoint(state.passive):
        return "a node is in both views"
    if state.asked is not None and state.asked not in state.passive:
        return "the node that it asked is not in its passive view"
    if len(state.active) + (state.asked is not None) > parameters.active:
        return f"its active view, with the node that it asked, has room for {parameters.active}"
    return None if len(state.passive) <= parameters.passive else f"its passive view has room for {parameters.passive}"
