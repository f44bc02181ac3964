"""Crowd: each member knows every member. Nodes join, crash, and are suspected.

A node greets the nodes that it knows, and announces each of them to the others, which greet it: a node is stored only
if it has greeted. So convergence is promised only from starts with a connected graph of references, as long as there
are two members.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.domain import Bag, OneOf, Record, Table, pair
from gomboc.spec.core.model import Commanded, Fault, Offer, Outcome, Received, Send, Timeout
from gomboc.spec.core.promises import Always
from gomboc.spec.core.protocol import (
    Actor,
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
from tests.toys.kinds import Kind, rule

NAMES = "a", "b", "c", "d", "e"


class Member(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether a node is a member, and the names that it knows, ascending."""

    live: bool
    known: tuple[str, ...]


class Greet(Kind, frozen=True):
    """`node` is there."""

    node: str


class Meet(Kind, frozen=True):
    """Greet `node`."""

    node: str


class Join(Kind, frozen=True):
    """From outside: be there, and greet `contact`."""

    contact: str


class Crash(Kind, frozen=True):
    """From outside: be there no more."""


class Suspect(Kind, frozen=True):
    """From outside: `node` is there no more."""

    node: str


OUTSIDE = Member(live=False, known=())


def react(me: str, local: Member, taken: Any, choice: Any) -> Outcome:
    match taken:
        case Commanded(Join(contact)) if not local.live:
            return Outcome(Member(live=True, known=(contact,)), (Send(contact, Greet(me)),))
        case Commanded(Crash()) if local.live:
            return Outcome(OUTSIDE)
        case Commanded(Suspect(node)):
            return Outcome(replace(local, known=tuple(name for name in local.known if name != node)))
        case Commanded():
            return Outcome(local)
        case _ if not local.live:
            return Outcome(local)
        case Timeout():
            return Outcome(
                local, tuple(Send(name, message) for name in local.known for message in _about(me, local, name))
            )
        case Received(Greet(node)) if node != me:
            return Outcome(replace(local, known=tuple(sorted({*local.known, node}))))
        case Received(Meet(node)) if node != me:
            return Outcome(local, (Send(node, Greet(me)),))
        case Received(Greet() | Meet()):
            return Outcome(local)
    raise ValueError(f"there is no rule for {taken!r}")


def _about(me: str, local: Member, target: str) -> tuple[Any, ...]:
    return (Greet(me), *(Meet(other) for other in local.known if other != target))


def anchor(shares: Any) -> tuple[str, ...]:
    """The members."""
    return tuple(sorted(node for node, live in shares.items() if live))


def node_faults(there: tuple[str, ...], me: str, local: Member) -> tuple[Fault, ...]:
    right = tuple(node for node in there if node != me) if local.live else ()
    return () if local.known == right else (Fault("knows_every_node", me, right, local.known, "Section 3"),)


def message_faults(there: tuple[str, ...], target: str, message: Any) -> tuple[Fault, ...]:
    wrong = isinstance(message, Greet) and message.node not in there
    return (Fault("no_node_greets_a_node_that_is_gone", target, there, message.node, "Section 3"),) if wrong else ()


def malformed(value: Any) -> tuple[Fault, ...]:
    known = value.known if isinstance(value, Member) else ()
    wrong = known != tuple(sorted(set(known)))
    return (Fault("canonical", "", "names ascending, each once", known, "Section 1"),) if wrong else ()


def edges(node: str, value: Any) -> tuple[tuple[str, str], ...]:
    known = value.known if isinstance(value, Member) else (value.node,)
    return tuple((node, other) for other in known)


def assumption(states: Any, in_flight: Any) -> tuple[Fault, ...]:
    there = anchor({node: local.live for node, local in states.items()})
    return () if len(there) >= 2 else (Fault("two_are_there", "", "two nodes", there, "Section 4"),)


def environment(states: Any, in_flight: Any) -> tuple[Offer, ...]:
    """A node outside may join through any member; a crash is reported to the nodes that know the crashed one."""
    there = anchor({node: local.live for node, local in states.items()})
    outside = sorted(set(states) - set(there))
    joins = (Offer(node, Join(contact), "join") for node in outside for contact in there)
    crashes = (Offer(node, Crash(), "crash") for node in there)
    suspicions = (
        Offer(node, Suspect(gone), "", owed=True) for node in there for gone in states[node].known if gone in outside
    )
    return (*joins, *crashes, *suspicions)


def _knows_itself(states: Any, in_flight: Any) -> tuple[Fault, ...]:
    known_by = [node for node, local in sorted(states.items()) if node in local.known]
    return tuple(Fault("own_name", node, "the names of others", node, "Section 5") for node in known_by)


def misnamed(roles: Any) -> str | None:
    strange = [name for name in roles if len(name) != 1]
    return f"a node of a crowd has a name of one letter, and {strange[0]!r} is longer" if strange else None


def space(size: Size) -> Any:
    """Any `nodes` of the names are there and know any others; `outside` more are not there."""
    live, gone = NAMES[: size.nodes], NAMES[size.nodes : size.nodes + size.outside]
    others = {me: tuple(name for name in live if name != me) for me in live}
    members = [Record(_member, (Table(lambda key, _: key, others[me], OneOf((None,)), len(live)),)) for me in live]
    greetings = Record(Greet, (OneOf(live or ("a",)),))
    channel = Bag(pair(lambda target, sent: (target, sent), OneOf(live or ("a",)), greetings), size.messages)
    return pair(lambda known, sent: _start(live, gone, known, sent), Record(_as_tuple, tuple(members)), channel)


def _member(known: tuple[str, ...]) -> Member:
    return Member(live=True, known=known)


def _as_tuple(*values: Any) -> tuple[Any, ...]:
    return values


def _start(live: tuple[str, ...], gone: tuple[str, ...], members: tuple[Member, ...], in_flight: Any = ()) -> Start:
    locals_ = (*zip(live, members, strict=True), *((node, OUTSIDE) for node in gone))
    return Start(tuple((node, "member") for node in (*live, *gone)), locals_, in_flight)


def start(nodes: int) -> Start:
    live = NAMES[:nodes]
    return _start(live, (), tuple(_member(tuple(name for name in live if name != me)) for me in live))


PROTOCOL = Protocol(
    name="crowd",
    discipline=Discipline.UNORDERED,
    vocabulary=Vocabulary(
        roles={"member": Member}, member="member", message=Greet | Meet, command=Join | Crash | Suspect
    ),
    actor=Actor(react=react, rule=rule),
    legitimacy=Legitimacy(
        anchor=anchor, node_faults=node_faults, message_faults=message_faults, share=lambda local: local.live
    ),
    starts=Starts(space=space, start=start, bound=lambda nodes: 10 + 2 * nodes),
    environment=Environment(offers=environment, asleep=lambda local: not local.live),
    promises=Promises(
        edges=edges, assumption=assumption, always=(Always("no_node_knows_itself", "Section 5", _knows_itself),)
    ),
    naming=Naming(malformed=malformed, misnamed=misnamed),
)
