"""The specification, and stacks of it: each node knows the next hop that the layer below has told it last.

In each timeout, a node asks for its next hop, and passes a token on to it.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, Domain, OneOf, Record, optional
from gomboc.spec.core.model import Choice, Commanded, Fault, InFlight, Input, Outcome, Received, Send, States, Timeout
from gomboc.spec.core.protocol import (
    Actor,
    Cited,
    Discipline,
    Environment,
    Legitimacy,
    Naming,
    Promises,
    Protocol,
    Size,
    Start,
    Starts,
    Vocabulary,
)
from gomboc.spec.core.starts import every_start, started
from gomboc.spec.layers.routing import Routed, StillRouted, route_faults
from gomboc.spec.layers.stack import HandOver, Layer, Opening, Stack
from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import NodeName
from gomboc.spec.types.kinds import Crash, Kind


class Follower(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    next: NodeName | None = None
    live: bool = True


class Token(Kind, frozen=True):
    sender: NodeName


class Asks(Kind, frozen=True):
    """Delivered to the layer below: this node wants to be told its next hop."""


FIELDS = Derived(Follower, Token, Routed | StillRouted | Crash, Asks)
RULES: dict[type, Cited] = {
    Timeout: Cited("pass_on", "Section 1"),
    Token: Cited("take", "Section 2"),
    Routed: Cited("follow", "Section 3"),
    StillRouted: Cited("follow", "Section 3"),
    Crash: Cited("crash", "Section 4"),
}


def rule(local: Any, taken: Input) -> Cited:
    del local
    value = taken.message if isinstance(taken, Received) else taken.command if isinstance(taken, Commanded) else taken
    return RULES[type(value)]


def react(me: str, local: Follower, taken: Input, choice: Choice) -> Outcome:
    del choice
    match taken:
        case Commanded(Crash()):
            return Outcome(Follower(live=False))
        case Timeout() if local.live:
            passes = () if local.next in (me, None) else (Send(str(local.next), Token(me)),)
            return Outcome(local, passes, (Asks(),))
        case Commanded(Routed(hop) | StillRouted(hop)) if local.live:
            return Outcome(replace(local, next=hop))
    return Outcome(local)


def anchor(shares: Mapping[str, Any]) -> tuple[tuple[str, str | None], ...]:
    return tuple((name, local.next) for name, local in sorted(shares.items()) if local.live)


def node_faults(anchor: Any, me: str, local: Any) -> tuple[Fault, ...]:
    del anchor, me, local
    return ()


def message_faults(anchor: Any, target: str, message: Any) -> tuple[Fault, ...]:
    del anchor, target, message
    return ()


def premise(states: States, in_flight: InFlight) -> tuple[Fault, ...]:
    del in_flight
    return route_faults(dict(anchor(states)))


def space(size: Size) -> Domain:
    names = tuple(f"f{number}" for number in range(size.nodes))
    hops = [Record(Follower, (optional(OneOf(names)),)) for _ in names]
    token = Record(lambda target, sender: (target, Token(sender)), (OneOf(names), OneOf(names)))
    return every_start(tuple((name, "node") for name in names), hops, Bag(token, size.messages))


def start(nodes: int) -> Start:
    return started("node", {f"f{number}": Follower("f0") for number in range(nodes)})


PROTOCOL = Protocol(
    name="toy_follower",
    discipline=Discipline.UNORDERED,
    vocabulary=Vocabulary(roles={"node": Follower}, member="node", message=Token, command=Routed | StillRouted | Crash),
    actor=Actor(react=react, rule=rule),
    legitimacy=Legitimacy(
        anchor=anchor,
        node_faults=node_faults,
        message_faults=message_faults,
        anchor_faults=lambda routes: route_faults(dict(routes)),
    ),
    starts=Starts(space=space, start=start, bound=lambda nodes: 10 + nodes),
    promises=Promises(premise=premise),
    environment=Environment(asleep=lambda local: not local.live, quiet_if_idle=(StillRouted,)),
    naming=Naming(malformed=partial(FIELDS.malformed, None), named=FIELDS.named, renamed=FIELDS.renamed),
)

WATCH = {"kind": "Watch", "key": "$key"}
ROUTES = (
    HandOver("ring", {"kind": "Route", "key": "$key"}, "followers", {"kind": "Routed"}),
    HandOver("ring", {"kind": "StillRoute", "key": "$key"}, "followers", {"kind": "StillRouted"}),
)

OVER_RING = Stack(
    name="toy_followers_over_chord",
    layers=(Layer("ring", "chord"), Layer("followers", "toy_follower", topics=True)),
    hand_overs=ROUTES,
    openings=(Opening("ring", WATCH),),
)
"""Followers of each topic's key over a ring, where the application watches all keys."""

ASKING = msgspec.structs.replace(
    OVER_RING,
    name="toy_followers_asking_chord",
    hand_overs=(*ROUTES, HandOver("followers", {"kind": "Asks"}, "ring", WATCH)),
    openings=(),
)
"""The same, where the followers have the ring watch their key."""
