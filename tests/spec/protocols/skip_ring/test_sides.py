"""Positions of nodes, targets of messages, effects of coins: properties of any state."""

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.network import begin, enabled, step
from gomboc.spec.core.protocol import Start
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.build_list import linearize, slots
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import message_faults, ring_of
from gomboc.spec.protocols.skip_ring.space import names, roles
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    LIST,
    SUPERVISOR,
    Check,
    Claim,
    Entry,
    GetConfiguration,
    Introduce,
    IntroduceShortcut,
    Linearize,
    Present,
    SetData,
    Subscriber,
)
from gomboc.spec.protocols.skip_ring.supervisor import repair
from tests.spec.protocols.skip_ring.starts import EXAMPLES, claims, right_states, subscribers, supervisors

ONE_FAULT = settings(EXAMPLES, report_multiple_bugs=False)
FEWER = settings(ONE_FAULT, max_examples=40)

configurations = st.builds(SetData, st.none() | claims, st.sampled_from([label_of(x) for x in range(10)]), claims)
ROUNDS = 60


def outcomes(u, taken):
    return [PROTOCOL.actor.react("me", u, taken, choice) for choice in PROTOCOL.actor.choices("me", u, taken)]


def sent_by(outcome, kind):
    """The messages of one kind that an outcome sends, with their targets."""
    return [(send.target, send.message) for send in outcome.sends if isinstance(send.message, kind)]


@given(subscribers)
@ONE_FAULT
def test_after_a_timeout_no_node_stands_on_the_wrong_side(u):
    for outcome in outcomes(u, Timeout()):
        left, label, right = outcome.local.left, outcome.local.label, outcome.local.right
        assert left is None or left.label <= label
        assert right is None or right.label >= label


@given(subscribers, claims, st.sampled_from(["left", "right"]))
@ONE_FAULT
def test_a_neighbour_with_ones_own_label_is_checked(u, claim, side):
    assume(u.label is not None)
    tied = Claim(u.label, claim.node)
    for outcome in outcomes(replace(u, **{side: tied}), Timeout()):
        assert (tied.node, Check(Claim(u.label, "me"), tied.label, LIST)) in sent_by(outcome, Check)


@given(subscribers, configurations)
@ONE_FAULT
def test_a_replaced_neighbour_is_reported_even_if_it_is_also_a_shortcut(u, message):
    """The nodes that a configuration has reported to the supervisor do not depend on the shortcuts."""
    both = replace(u, shortcuts=tuple(sorted({slot.label: Entry(slot.label, slot.node) for slot in slots(u)}.values())))
    (bare,) = outcomes(replace(u, shortcuts=()), Received(message))
    (outcome,) = outcomes(both, Received(message))
    assert sent_by(outcome, GetConfiguration) == sent_by(bare, GetConfiguration)


@given(subscribers)
@ONE_FAULT
def test_a_tossed_coin_decides_something(u):
    results_of_coins = outcomes(u, Timeout())
    assert len({(outcome.local, outcome.sends) for outcome in results_of_coins}) == len(results_of_coins)


@given(supervisors, claims, st.sampled_from([*names(4), SUPERVISOR]))
@ONE_FAULT
def test_claims_about_nodes_that_are_not_recorded_are_not_legitimate(local, claim, target):
    assume(claim.node not in {entry.node for entry in repair(local.database)})
    said = Introduce(claim, LIST), Present(claim, CYCLE), Linearize(claim), IntroduceShortcut(claim)
    for message in (*said, Check(claim, "0", LIST)):
        assert message_faults(local.database, target, message)


@st.composite
def connected_lists(draw):
    """Subscribers with their right labels that know each other by the list, well or badly, but all of them."""
    members = names(draw(st.integers(2, 5)))
    label = {name: label_of(index) for index, name in enumerate(members)}
    known: dict[str, list[str]] = {name: [] for name in members}
    for position, name in enumerate(members[1:], 1):
        other = draw(st.sampled_from(members[:position]))
        holder, held = draw(st.permutations([name, other]))
        known[holder].append(held)
    in_flight = []
    locals_ = {}
    for name in members:
        before = [held for held in known[name] if label[held] < label[name]]
        after = [held for held in known[name] if label[held] > label[name]]
        left, right = ([Claim(label[held], held) for held in side] for side in (before, after))
        in_flight += [(name, Linearize(claim)) for claim in (*left[1:], *right[1:])]
        locals_[name] = Subscriber(label=label[name], left=left[0] if left else None, right=right[0] if right else None)
    return locals_, tuple(in_flight)


@given(connected_lists(), st.integers(0, 7))
@FEWER
def test_the_ring_forms_without_the_supervisor_if_the_list_is_connected_and_the_labels_are_right(start, seed):
    """The supervisor does nothing: it takes no timeout, and nothing that is sent to it is delivered."""
    locals_, in_flight = start
    supervisor, right = right_states(len(locals_))[SUPERVISOR], right_states(len(locals_))
    states = {SUPERVISOR: supervisor, **locals_}
    world = begin(Start(roles(len(locals_)), tuple(sorted(states.items())), in_flight), PROTOCOL.discipline)
    random = Random(seed)
    for _ in range(ROUNDS):
        if world.states() == right:
            break
        world = a_round_without_the_supervisor(world, random)
    assert world.states() == right
    assert a_round_without_the_supervisor(world, random).states() == right


def a_round_without_the_supervisor(world, random):
    """Every subscriber takes a timeout, and the messages in flight are delivered, in any order."""
    acts = [act for act in enabled(PROTOCOL, world) if act.node != SUPERVISOR and act.choice.name != "ask"]
    for act in random.sample(acts, len(acts)):
        local = world.states()[act.node]
        choice = PROTOCOL.actor.choices(act.node, local, act.input)[-1]
        world = step(PROTOCOL, world, replace(act, choice=choice))
    return world


@given(subscribers, claims, st.sampled_from([Introduce, Present]), st.sampled_from(["left", "right"]))
@ONE_FAULT
def test_a_claim_for_the_closing_edge_is_not_handed_on_to_its_own_subject(u, claim, kind, side):
    """So it is on hearing; a timeout can do it once: see `test_build_ring`, of a misplaced partner."""
    neighbour = getattr(u, side)
    assume(neighbour is not None)
    claim = replace(claim, node=neighbour.node)
    (outcome,) = outcomes(u, Received(kind(claim, CYCLE)))
    assert (claim.node, Introduce(claim, CYCLE)) not in sent_by(outcome, Introduce)


def test_two_ends_that_know_each_other_only_over_the_closing_edge_stay_so():
    """Not every state forms a list by itself; it takes the supervisor."""
    u = Subscriber("0", ring=Claim("1", "v2"))
    for outcome in outcomes(u, Timeout()):
        assert outcome.local == u
    assert linearize(u, "me", Claim("1", "v2")).local.right == Claim("1", "v2")
    assert ring_of(()).labels == {}
