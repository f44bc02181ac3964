"""Protocols that are tables, written down or drawn by Hypothesis: two nodes, a few states, a few messages.

A reaction is a pair (state afterwards, sends), a send a pair (target, message). `reactions` gives, for (node, state,
message) or (node, state, None) for a timeout, one reaction for each result of the coins; an input that is not in it
changes nothing. The node and its messages may be at fault with any content; node "a" is the authority.
"""

from fractions import Fraction

from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.domain import OneOf
from gomboc.spec.core.instance import Instance
from gomboc.spec.core.model import CERTAIN, Choice, Commanded, Fault, Offer, Outcome, Received, Send
from gomboc.spec.core.promises import Always, Observer
from gomboc.spec.core.protocol import Actor, Cited, Discipline, Legitimacy, Naming, Protocol, Starts, Vocabulary

NODES = ("a", "b")


def key(me, local, taken):
    match taken:
        case Received(message):
            return me, local, message
        case Commanded(command):
            return me, local, command
    return me, local, None


def fault(*result):
    return (Fault("right", str(result[0]), "right", result, "nowhere"),)


def tabled(reactions, wrong_locals=(), wrong_messages=(), mad=(), malformed=()):
    """The protocol of a table. At fault are the pairs (node, state) and (target, message) given, and the anchors."""

    def react(me, local, taken, choice):
        ways = reactions.get(key(me, local, taken), ((local, ()),))
        after, sends = ways[int(choice.name) if len(ways) > 1 else 0]
        delivered = (taken.message,) if isinstance(taken, Received) else ()
        return Outcome(after, tuple(Send(*send) for send in sends), delivered)

    def choices(me, local, taken):
        ways = len(reactions.get(key(me, local, taken), ((),)))
        return CERTAIN if ways == 1 else tuple(Choice(str(way), Fraction(1, ways)) for way in range(ways))

    return Protocol(
        name="tabled",
        discipline=Discipline.UNORDERED,
        vocabulary=Vocabulary(roles={"node": int}, member="node", message=int),
        actor=Actor(react=react, rule=lambda local, taken: Cited("a rule", "nowhere"), choices=choices),
        legitimacy=Legitimacy(
            anchor=lambda states: states["a"],
            node_faults=lambda anchor, me, local: fault(me, local) if (anchor, me, local) in wrong_locals else (),
            message_faults=lambda anchor, target, sent: (
                fault(target) if (anchor, target, sent) in wrong_messages else ()
            ),
            anchor_faults=lambda anchor: fault(anchor) if anchor in mad else (),
        ),
        starts=Starts(space=lambda size: OneOf((0,)), start=lambda nodes: None, bound=lambda nodes: 1),
        naming=Naming(
            malformed=lambda value: fault(value) if value in malformed else (), renamed=lambda value, renaming: value
        ),
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


COMMANDS = st.sampled_from(["loud", 77])
"""Numbers are quiet."""

OFFERS = st.lists(
    st.tuples(STATES, st.sampled_from(NODES), COMMANDS, st.sampled_from(["", "often", "once"]), st.booleans()),
    max_size=3,
    unique_by=lambda item: item[1:3],
)
TOTALS = st.sets(st.integers(0, 5), max_size=2)


def stating(protocol, sleepers, offers, *, unlinked, lacking, broken, refused, unkept):
    """The same, and more: sleeping states, offers while "a" is in a state, and sums that whole states must not have.

    A node with a state that is not in `unlinked` knows both. An observer counts the deliveries to a node, up to three
    of a kind.
    """

    def total(states, in_flight):
        return sum(states.values()) + len(in_flight) % 2

    def wrong(totals):
        return lambda states, in_flight: fault(total(states, in_flight)) if total(states, in_flight) in totals else ()

    def environment(states, in_flight):
        possible = (offer for offer in offers if offer[0] == states["a"] or len(in_flight) == 1)
        return tuple(Offer(node, command, budget, owed) for _, node, command, budget, owed in possible)

    def observe(node, seen, delivered):
        return min(3, seen + 1), (fault(node) if seen == 1 and delivered == 11 else ())

    return protocol.changed(
        asleep=lambda local: local in sleepers,
        offers=environment,
        quiet=(int,),
        edges=lambda node, value: () if value in unlinked else (("a", "b"),),
        premise=wrong(lacking),
        assumption=wrong(broken),
        commands_assumption=wrong(refused),
        always=(Always("adds_up", "nowhere", wrong(unkept)),),
        observers=(Observer("once", "nowhere", 0, observe),),
    )


@st.composite
def stated_instances(draw):
    """Any instance of a protocol that states everything there is to state."""
    made = draw(instances())
    ways = st.dictionaries(st.tuples(st.sampled_from(NODES), STATES, COMMANDS), WAYS, max_size=3)
    reactions = {**draw(st.dictionaries(KEYS, WAYS, max_size=10)), **draw(ways)}
    wrong = draw(st.sets(st.tuples(STATES, st.sampled_from(NODES), STATES), **WRONG))
    parts = {name: draw(TOTALS) for name in ("lacking", "broken", "refused", "unkept")}
    protocol = stating(
        tabled(reactions, wrong), draw(st.sets(STATES, max_size=1)), draw(OFFERS), unlinked=draw(TOTALS), **parts
    )
    most = draw(st.integers(1, 2))
    return replace(made, protocol=protocol, budget=(("often", 2), ("once", 1)), in_flight=most - 1, most=most)
