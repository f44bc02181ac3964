"""Local states as traces write them."""

from typing import Annotated

from msgspec import Struct

from gomboc.impl.core.names import Name
from gomboc.impl.core.vocabulary import Fault, ascending, check_of, convert, first
from gomboc.impl.protocols.scribe.messages import Count, Keys, Publications
from gomboc.impl.protocols.scribe.parameters import TREE, Method, Parameters
from gomboc.impl.publishing.publication import Number
from gomboc.impl.publishing.trie import Key


class State(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The variables of a node: its wish, next hop and parent, its children with their numbers of subscribers.

    `publications` are held; the keys of own ones that no node of the tree has acknowledged are `pending`; `delivered`
    are publishers and numbers. If more are held than a timeout names, `told` is the last key that was named in its
    turn, and `new` are keys that came since, and that none has named. `method` is the owner's.
    """

    wants: bool
    next: Name | None
    parent: Name | None = None
    children: Annotated[tuple[tuple[Name, Count], ...], ascending("child", first)] = ()
    publications: Publications = ()
    pending: Keys = ()
    delivered: Annotated[tuple[tuple[Name, Number], ...], ascending("delivered publication")] = ()
    told: Key | None = None
    new: Keys = ()
    method: Method = "tree"
    crashed: bool = False


BLANK = State(wants=False, next=None)
CRASHED = State(wants=False, next=None, crashed=True)


def load(me: str, value: object, parameters: Parameters) -> State:
    """The state of this node that a JSON value holds; `UsageError` if it has not the form of one."""
    well_formed = check_of(State, parameters)
    refusal = "This is not a state of Scribe"

    def wrong_here(state: State) -> Fault:
        return _wrong(state, switches=parameters.switches)

    return convert(value, State, refusal, well_formed, wrong_here, whose=f" for {me!r}")


def _wrong(state: State, *, switches: bool) -> Fault:
    if state.crashed and state != CRASHED:
        return "a node that has crashed knows nothing"
    return None if switches or state.method == TREE else "its method is broadcast, and there is no switch"
