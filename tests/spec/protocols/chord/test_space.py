"""Starts of Chord, disturbances of its runs, and the offers of its environment.

Source: Zave 2017, the inductive invariant; Section 2.2.3, init and crash
"""

from random import Random

import pytest
from msgspec.structs import replace

from gomboc.spec.core.domain import count, enumerate_values, sampler
from gomboc.spec.core.model import Offer
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.chord.disturbances import disturbances
from gomboc.spec.protocols.chord.environment import environment
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.premise import premise
from gomboc.spec.protocols.chord.promises import always, invariant_faults
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.space import any_message, casts, keys_of, names_of, space, steady_lists, true_message
from gomboc.spec.protocols.chord.state import (
    CRASHED,
    Dead,
    FixFingerReply,
    Join,
    JoinReply,
    Leave,
    Lookup,
    Node,
    Notify,
    Outside,
    Peers,
    RouteReply,
    StabilizeReply,
    StabilizeRequest,
    Unwatch,
    Watch,
)
from gomboc.spec.types.kinds import Crash, Suspect
from tests.spec.protocols.chord.rings import MEETING, PLAIN, RULES, SMALL, member, protocol

SEEDS = range(40)


def drawn(parameters, size):
    draw = sampler(space(parameters, size))
    return [draw(Random(seed)) for seed in SEEDS]


@pytest.mark.parametrize("parameters", [Parameters(), SMALL, PLAIN, Parameters(r=1, bits=9)])
@pytest.mark.parametrize("nodes", [1, 2, 4, 9])
def test_every_start_without_meet_has_the_invariant_and_its_consequences(parameters, nodes):
    for start in drawn(parameters, Size(nodes, 3, 0, 2)):
        states = dict(start.locals)
        assert not [fault for promise in always(parameters) for fault in promise.faults(states, start.in_flight)]
        assert not premise(parameters, states, start.in_flight)
        assert len(states) == nodes + 2


@pytest.mark.parametrize("parameters", [SMALL, MEETING])
def test_no_start_has_a_false_report_of_a_crash_in_flight(parameters):
    for start in drawn(parameters, Size(6, 8, 0, 1)):
        reported = {message.node for _, message in start.in_flight if isinstance(message, Dead)}
        assert {dict(start.locals)[name] for name in reported} <= {CRASHED}


def test_a_quarter_has_crashed_where_that_leaves_more_than_r_and_one():
    assert [len(cast.crashed) for cast in casts(SMALL, Size(4))] == [0]
    assert [len(cast.crashed) for cast in casts(SMALL, Size(5))] == [0, 1]
    assert [len(cast.crashed) for cast in casts(SMALL, Size(12))] == [0, 3]


def test_some_starts_with_meet_break_the_invariant():
    starts = drawn(MEETING, Size(5, 3))
    assert [start for start in starts if invariant_faults(MEETING, dict(start.locals), start.in_flight)]


def test_the_product_of_three_members_has_every_state_with_the_invariant():
    parameters = Parameters(bits=2, ids="number", r=2, fingers=False)
    cast = casts(parameters, Size(3))[0]
    assert [tuple(steady_lists(parameters, cast, name)) for name in cast.members] == [
        (("n001",), ("n001", "n002")),
        (("n002",), ("n002", "n000")),
        (("n000",), ("n000", "n001")),
    ]
    assert count(space(parameters, Size(3))) == (2 * 3) ** 3


def test_every_list_and_predecessor_can_be_drawn_with_meet():
    parameters = Parameters(bits=2, ids="number", r=2, fingers=False, meet=True)
    starts = list(enumerate_values(space(parameters, Size(3))))
    assert len({start.locals for start in starts}) == len(starts) == count(space(parameters, Size(3)))
    assert {dict(start.locals)["n000"].successors for start in starts} == {
        (),
        ("n001",),
        ("n002",),
        ("n001", "n002"),
        ("n002", "n001"),
    }


def test_names_have_different_ids_and_there_are_as_many_as_the_circle_has_places():
    circle = Parameters(bits=3).circle
    assert len({circle.id_of(name) for name in names_of(circle, 8)}) == 8
    with pytest.raises(ValueError, match=r"^a circle of 2\^3 ids has none for 9 nodes: take more bits$"):
        names_of(circle, 9)


def test_with_meet_the_premise_is_that_peers_name_the_head():
    states = {"n1": member(5, 5, peers=("n5",)), "n5": member(1, 1, peers=()), "n6": CRASHED}
    (fault,) = premise(MEETING, states, ())
    assert (fault.rule, fault.node, fault.expected) == ("peers_name_the_head", "n5", "n1")
    assert not premise(PLAIN, states, ())


def test_with_meet_the_premise_counts_those_that_want_in():
    """n3 may be the head of n1, or not get in; n5 has n6 before n1, which wants in, too."""
    members = {"n1": member(5, 5, peers=("n3", "n5")), "n5": member(1, 1, peers=("n1", "n6"))}
    joiners = {"n3": Node(contact="n1", peers=("n5",)), "n6": Node(contact="n1", peers=("n1",)), "n9": Node()}
    states = members | joiners
    assert not premise(MEETING, states, ())
    for name, lacking in (("n1", "n3"), ("n1", "n5"), ("n3", "n5"), ("n5", "n6"), ("n6", "n1")):
        fewer = {**states, name: replace(states[name], peers=tuple({*states[name].peers} - {lacking}))}
        (fault,) = premise(MEETING, fewer, ())
        assert (fault.rule, fault.node, fault.expected) == ("peers_name_the_head", name, lacking)


@pytest.mark.parametrize(
    "message",
    [
        Notify("n4"),
        StabilizeReply("n4", None, ()),
        StabilizeReply("n5", "n4", ("n1",)),
        StabilizeReply("n5", "n1", ("n4",)),
        FixFingerReply(3, "n4"),
    ],
)
def test_without_meet_the_premise_is_that_no_node_outside_is_named_as_a_member(message):
    states = {"n1": member(5, 5), "n4": Node(), "n5": member(1, 1), "n6": CRASHED}
    parameters = Parameters(bits=4, ids="number", r=2)
    assert not premise(
        parameters, states, [("n6", message), ("n1", StabilizeRequest("n4")), ("n5", RouteReply("5", "n4"))]
    )
    (fault,) = premise(parameters, states, [("n1", message)])
    assert (fault.rule, fault.node, fault.found) == ("no_outside_node_is_named", "n1", "n4")
    assert not premise(replace(parameters, meet=True), {**states, **PEERED}, [("n1", message)])
    assert not premise(parameters, {**states, "n4": CRASHED}, [("n1", message)])


PEERED = {"n1": member(5, 5, peers=("n5",)), "n5": member(1, 1, peers=("n1",))}


@pytest.mark.parametrize("local", [member(4, 5), member(5, 4), member(5, 5, 4), member(5, 5, fingers=((3, "n4"),))])
def test_without_meet_no_state_names_a_node_outside(local):
    parameters = Parameters(bits=4, ids="number", r=2)
    (fault,) = premise(parameters, {"n1": local, "n4": Node(), "n5": member(1, 1)}, ())
    assert (fault.rule, fault.node) == ("no_outside_node_is_named", "n1")
    placed = ("n4", JoinReply("n9", ("n1",)))
    states = {"n1": member(5, 5), "n4": Node(contact="n1"), "n5": member(1, 1), "n9": Node()}
    assert [fault.node for fault in premise(parameters, states, [placed])] == ["n4"]


def test_with_meet_every_state_may_name_nodes_outside():
    parameters = Parameters(bits=4, ids="number", r=2, fingers=False, meet=True)
    starts = [sampler(space(parameters, Size(3, 6, outside=2)))(Random(seed)) for seed in SEEDS]
    for start in starts:
        assert not premise(parameters, dict(start.locals), start.in_flight)
    locals_ = [local for start in starts for _, local in start.locals]
    outside = {"n003", "n004"}
    assert any(local.predecessor in outside for local in locals_)
    assert any(outside & {*local.successors} for local in locals_)
    assert any(local.contact is not None and local.peers for local in locals_)
    assert any(isinstance(message, Outside) for start in starts for _, message in start.in_flight)


def test_the_premise_is_that_contacts_lead_to_a_member_or_to_a_node_that_has_crashed():
    states = {"n1": member(), "n2": Node(contact="n3"), "n3": Node(contact="n1"), "n4": Node(), "n5": CRASHED}
    assert not premise(PLAIN, states, ())
    assert not premise(PLAIN, {**states, "n3": Node(contact="n5")}, ())
    assert premise(PLAIN, {**states, "n3": Node(contact="n4")}, ())[0].node == "n2"
    assert premise(PLAIN, {**states, "n3": Node(contact="n2")}, ())[0].rule == "contact_is_a_member"


def test_a_node_that_is_outside_may_join_members_may_end_and_the_detector_owes_its_word():
    states = {"n1": member(5, 5), "n4": Node(), "n5": CRASHED}
    assert environment(RULES.asks, states, ()) == (
        Offer("n1", Crash(), "crash"),
        Offer("n1", Leave(), "leave"),
        Offer("n1", Suspect("n5"), "", owed=True),
        Offer("n4", Join("n1"), "join"),
    )


def test_false_suspicions_have_a_budget_of_their_own():
    states = {"n1": member(5, 5), "n5": member(1, 1)}
    offers = [offer for offer in environment(RULES.asks, states, ()) if isinstance(offer.command, Suspect)]
    assert offers == [
        Offer("n1", Suspect("n5"), "false_suspicion"),
        Offer("n5", Suspect("n1"), "false_suspicion"),
    ]


def test_no_false_suspicion_is_offered_to_a_node_outside():
    states = {"n1": member(5, 5), "n4": Node(contact="n1"), "n5": member(1, 1)}
    offers = [offer for offer in environment(RULES.asks, states, ()) if isinstance(offer.command, Suspect)]
    assert {offer.node for offer in offers} == {"n1", "n5"}


@pytest.mark.parametrize(
    ("command", "idle", "quiet"),
    [
        (Lookup("5"), False, True),
        (Watch("5"), False, True),
        (Unwatch("5"), False, True),
        (Peers(("n1",)), False, True),
        (Suspect("n1"), True, True),
        (Suspect("n1"), False, False),
        (Crash(), True, False),
        (Leave(), True, False),
        (Join("n1"), True, False),
    ],
)
def test_lookups_watches_peers_and_suspicions_without_an_effect_are_quiet(command, idle, quiet):
    assert protocol().environment.is_quiet(command, idle) is quiet


def test_the_detector_owes_its_word_of_whom_a_node_asks():
    local = member(5, 6, 7, fingers=((3, "n8"),))
    states = dict.fromkeys(("n5", "n6", "n7", "n8", "n9"), CRASHED)
    said = [offer.command.node for offer in environment(RULES.asks, {**states, "n1": local}, ()) if offer.owed]
    assert said == ["n5", "n6", "n7", "n8"]
    said = [offer.command.node for offer in environment(Rules(PLAIN).asks, {**states, "n1": local}, ()) if offer.owed]
    assert said == ["n5", "n6"]
    (offer,) = environment(RULES.asks, {**states, "n2": Node(contact="n9")}, ())
    assert offer == Offer("n2", Suspect("n9"), "", owed=True)


def test_disturbances_come_in_order_and_spare_those_that_let_others_in():
    names = names_of(Parameters().circle, 14)
    draw = sampler(disturbances(Parameters(), Size(12, outside=2), names))
    kinds = set()
    for seed in SEEDS:
        events = draw(Random(seed))
        ending = {event.node for event in events if isinstance(event.command, Crash | Leave)}
        assert not ending & {*names[:4]}
        assert all(event.command.contact in names[:4] for event in events if isinstance(event.command, Join))
        kinds |= {type(event.command).__name__ for event in events}
    assert kinds == {"Crash", "Leave", "Join", "Lookup", "Peers", "Watch", "Unwatch"}


def test_peers_that_a_membership_names_are_all_nodes():
    names = names_of(Parameters().circle, 5)
    events = sampler(disturbances(MEETING, Size(5), names))(Random(3))
    assert {event.command.nodes for event in events if isinstance(event.command, Peers)} == {names}


def test_keys_are_all_around_the_circle():
    assert keys_of(Parameters(bits=2)) == ("0", "1", "2", "3")


@pytest.mark.parametrize(("members", "longest"), [(("n0", "n4"), 1), (("n0", "n4", "n8"), 2)])
@pytest.mark.parametrize("r", [1, 2, 3])
def test_lists_in_flight_are_no_longer_than_a_members(r, members, longest):
    every = enumerate_values(any_message(Parameters(r=r, bits=4, ids="number"), members, (), ()))
    listed = [message.successors for _, message in every if isinstance(message, StabilizeReply)]
    assert max(map(len, listed)) == min(r, longest)
    assert all(len(set(names)) == len(names) for names in listed)


LOOKUPS = {"RouteRequest", "RouteReply", "FixFingerRequest", "FixFingerReply"}
ASKED = {"StabilizeRequest", "Ping", "Notify", "JoinRequest", "JoinReply"}


def kinds_of(domain):
    draw = sampler(domain)
    return {type(draw(Random(seed))[1]).__name__ for seed in range(300)}


def test_messages_of_every_kind_are_in_flight():
    parameters = Parameters()
    members, crashed, outside = names_of(parameters.circle, 4)[:2], ("x",), ("y",)
    true, free = true_message(parameters, members, crashed, outside), any_message(parameters, members, crashed, outside)
    assert kinds_of(true) == ASKED | LOOKUPS | {"Dead"}
    assert kinds_of(free) == ASKED | LOOKUPS | {"Dead", "Outside", "StabilizeReply"}
    assert kinds_of(any_message(Parameters(fingers=False), members, (), ())) == (
        ASKED | {"RouteRequest", "RouteReply", "StabilizeReply"}
    )


@pytest.mark.parametrize("r", [1, 2])
def test_messages_in_flight_are_counted(r):
    """Of two members, one crashed and one outside; lists have at most two names, and fewer if r is 1."""
    parameters = Parameters(r=r, fingers=False)
    members = names_of(parameters.circle, 2)
    keys = len(keys_of(parameters))
    short = {names: 1 + names + (names * (names - 1) if r > 1 else 0) for names in (2, 3, 4)}
    true = 3 * 2 + 1 + 2 * 2 + 2 * short[2] + keys * 2 * 2 + keys * 2
    assert count(true_message(parameters, members, ("x",), ("y",))) == 4 * true
    free = 3 * 4 + 1 + 1 + 4 * 4 + 4 * (4 * short[3]) + 4 * short[4] + keys * 4 * 4 + keys * 4
    assert count(any_message(parameters, members, ("x",), ("y",))) == 4 * free
