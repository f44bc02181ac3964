"""Protocols that are tables, written down or drawn by Hypothesis: two nodes, a few states, a few messages.

A reaction is a pair (state afterwards, sends), a send a pair (target, message). `reactions` gives, for (node, state,
message) or (node, state, None) for a timeout, one reaction for each result of the coins; what is not in it changes
nothing. The node and its messages may be at fault whatever they say; node "a" is the authority.
"""

from fractions import Fraction

from hypothesis import strategies as st

from spec.domain import OneOf
from spec.instance import Instance
from spec.model import CERTAIN, Choice, Fault, Outcome, Received, Send
from spec.protocol import Cited, Discipline, Protocol

NODES = ("a", "b")


def key(me, local, taken):
    return me, local, taken.message if isinstance(taken, Received) else None


def fault(*found):
    return (Fault("right", str(found[0]), "right", found, "nowhere"),)


def tabled(reactions, wrong_locals=(), wrong_messages=(), mad=(), malformed=()):
    """The protocol of a table. At fault are the pairs (node, state) and (target, message) given, and the anchors."""

    def react(me, local, taken, choice):
        ways = reactions.get(key(me, local, taken), ((local, ()),))
        after, sends = ways[int(choice.name) if len(ways) > 1 else 0]
        return Outcome(after, tuple(Send(*send) for send in sends))

    def choices(me, local, taken):
        ways = len(reactions.get(key(me, local, taken), ((),)))
        return CERTAIN if ways == 1 else tuple(Choice(str(way), Fraction(1, ways)) for way in range(ways))

    return Protocol(
        name="tabled",
        discipline=Discipline.UNORDERED,
        roles={"node": int},
        member="node",
        fixed={},
        message=int,
        command=None,
        react=react,
        choices=choices,
        rule=lambda local, taken: Cited("a rule", "nowhere"),
        malformed=lambda value: fault(value) if value in malformed else (),
        anchor=lambda states: states["a"],
        anchor_faults=lambda anchor: fault(anchor) if anchor in mad else (),
        node_faults=lambda anchor, me, local: fault(me, local) if (anchor, me, local) in wrong_locals else (),
        message_faults=lambda anchor, target, sent: fault(target) if (anchor, target, sent) in wrong_messages else (),
        space=lambda size: OneOf((0,)),
        start=lambda nodes: None,
        bound=lambda nodes: 1,
    )


def instance_of(protocol, locals_=(0,), messages=(), in_flight=0, copies=1, most=None, coalesce=True, **more):
    """An instance in which both nodes begin in any of those states, with those messages."""
    domain = OneOf(tuple(locals_))
    return Instance(
        protocol=protocol,
        locals=tuple((node, "node", domain) for node in NODES),
        messages=OneOf(tuple(messages)),
        in_flight=in_flight,
        copies=copies,
        most=most,
        coalesce=coalesce,
        **more,
    )


STATES = st.integers(0, 2)
MESSAGES = st.integers(10, 11)
SENDS = st.lists(st.tuples(st.sampled_from(NODES), MESSAGES), max_size=2).map(tuple)
REACTION = st.tuples(STATES, SENDS)
WAYS = st.lists(REACTION, min_size=1, max_size=2).map(tuple)
KEYS = st.tuples(st.sampled_from(NODES), STATES, st.none() | MESSAGES)
WRONG = {"max_size": 6}


@st.composite
def protocols(draw):
    """Any protocol of three states and two messages."""
    return tabled(
        draw(st.dictionaries(KEYS, WAYS, max_size=10)),
        draw(st.sets(st.tuples(STATES, st.sampled_from(NODES), STATES), **WRONG)),
        draw(st.sets(st.tuples(STATES, st.sampled_from(NODES), MESSAGES), **WRONG)),
        draw(st.sets(STATES, max_size=1)),
        draw(st.sets(st.integers(2, 4), max_size=1)),
    )


@st.composite
def instances(draw):
    """Any instance of such a protocol, with channels bounded in any way."""
    return instance_of(
        draw(protocols()),
        draw(st.lists(STATES, min_size=1, max_size=2, unique=True)),
        draw(st.lists(st.tuples(st.sampled_from(NODES), MESSAGES), max_size=2, unique=True)),
        draw(st.integers(0, 2)),
        draw(st.integers(1, 2)),
        draw(st.none() | st.integers(2, 3)),
        draw(st.booleans()),
    )
