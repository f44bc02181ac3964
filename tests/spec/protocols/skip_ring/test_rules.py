import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.testing.random_walk import walk
from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import CERTAIN, Commanded, Outcome, Received, Send, Timeout
from gomboc.spec.core.network import begin, is_legitimate, model
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.legitimacy import ring_of
from gomboc.spec.protocols.skip_ring.rules import CITED, FOR_SUPERVISOR
from gomboc.spec.protocols.skip_ring.state import (
    SUPERVISOR,
    Claim,
    Command,
    Message,
    RemoveConnections,
    SetData,
    Subscriber,
    Supervisor,
    Unsubscribe,
    WantIn,
    WantOut,
)
from gomboc.spec.protocols.skip_ring.subscriber import coin, references
from gomboc.spec.types.kinds import Trust
from tests.sampling import share
from tests.spec.protocols.skip_ring.starts import (
    EXAMPLES,
    database_of,
    harmless,
    inputs,
    messages,
    messages_in,
    right_states,
    subscribers,
    supervisors,
)

FEWER = settings(EXAMPLES, max_examples=share(60))


def outcomes(me, local, taken):
    """The outcome of a step for each fall of its coins."""
    return [PROTOCOL.actor.react(me, local, taken, choice) for choice in PROTOCOL.actor.choices(me, local, taken)]


def nodes_in(value):
    """Every node that a message names."""
    return set(PROTOCOL.naming.named(value))


@given(subscribers, inputs)
@EXAMPLES
def test_a_subscriber_sends_to_others_only(u, taken):
    for outcome in outcomes("v1", u, taken):
        assert "v1" not in [send.target for send in outcome.sends]


@given(subscribers, inputs)
@EXAMPLES
def test_after_a_step_no_node_refers_to_itself_or_to_the_supervisor_as_a_neighbour(u, taken):
    for outcome in outcomes("v1", u, taken):
        if not (isinstance(taken, Received) and isinstance(taken.message, FOR_SUPERVISOR)):
            assert not {"v1", SUPERVISOR} & {claim.node for claim in references(outcome.local)}


@given(subscribers, inputs)
@EXAMPLES
def test_every_reference_that_a_step_gives_up_is_delegated_asked_about_or_told_of_it(u, taken):
    """The only rule that drops one is RemoveConnections, for the node that it names."""
    dropped = (
        {taken.message.node} if isinstance(taken, Received) and isinstance(taken.message, RemoveConnections) else set()
    )
    for outcome in outcomes("v1", u, taken):
        held = {claim.node for claim in references(outcome.local)}
        targets = {send.target for send in outcome.sends}.union(*(nodes_in(send.message) for send in outcome.sends))
        assert {claim.node for claim in references(u)} - {"v1", SUPERVISOR} - dropped <= held | targets


@given(subscribers, messages)
@EXAMPLES
def test_every_reference_in_a_message_is_taken_delegated_asked_about_or_told_of_it(u, message):
    """Two rules drop: RemoveConnections, and a configuration with neighbours that cannot be neighbours."""
    if not isinstance(message, (RemoveConnections, SetData, *FOR_SUPERVISOR)):
        (outcome,) = outcomes("v1", u, Received(message))
        held = {claim.node for claim in references(outcome.local)}
        targets = {send.target for send in outcome.sends}.union(*(nodes_in(send.message) for send in outcome.sends))
        assert nodes_in(message) - {"v1", SUPERVISOR} <= held | targets


@given(subscribers, inputs)
@EXAMPLES
def test_what_the_application_wants_changes_by_its_commands_only(u, taken):
    assert {outcome.local.wants for outcome in outcomes("v1", u, taken)} == {u.wants}


@given(subscribers, st.sampled_from([WantIn(), WantOut()]))
@EXAMPLES
def test_a_command_changes_what_the_application_wants_and_nothing_else(u, command):
    assert outcomes("v1", u, Commanded(command)) == [Outcome(replace(u, wants=command == WantIn()))]


@given(subscribers, supervisors, messages)
@EXAMPLES
def test_a_message_that_reaches_the_other_role_is_consumed_without_effect(u, local, message):
    if isinstance(message, FOR_SUPERVISOR):
        assert outcomes("v1", u, Received(message)) == [Outcome(u)]
    else:
        assert outcomes(SUPERVISOR, local, Received(message)) == [Outcome(local)]


@pytest.mark.parametrize(
    ("local", "taken", "sentence"),
    [
        (Supervisor(), Commanded(WantIn()), "supervisor 'v1' has no rule for Commanded(command=WantIn())"),
        (Subscriber(), Commanded(Trust("v2")), "subscriber 'v1' has no rule for Commanded(command=Trust(node='v2'))"),
        (Subscriber(), Received("nonsense"), "subscriber 'v1' has no rule for 'nonsense'"),
        (Subscriber(), Commanded("nonsense"), "subscriber 'v1' has no rule for Commanded(command='nonsense')"),
    ],
)
def test_an_input_without_a_rule_is_refused_in_a_sentence(local, taken, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        PROTOCOL.actor.react("v1", local, taken, CERTAIN[0])


def test_every_kind_of_input_has_a_rule_with_a_name_and_a_source():
    kinds = {*Message.__args__, *Command.__args__}
    assert set(CITED) == kinds
    cited = [
        *CITED.values(),
        PROTOCOL.actor.rule(Supervisor(), Timeout()),
        PROTOCOL.actor.rule(Subscriber(), Timeout()),
    ]
    assert len({one.name for one in cited}) == len(kinds) + 2
    assert all(one.source for one in cited)


def test_a_reference_to_itself_does_not_make_a_node_ask_less_often():
    u = Subscriber("01", left=Claim("0", "me"), right=Claim("1", "x"))
    assert PROTOCOL.actor.choices("me", u, Timeout()) == coin(Subscriber("01", right=Claim("1", "x")))


@pytest.mark.parametrize("nodes", [1, 2, 3, 4])
def test_no_harmless_message_whatever_disturbs_a_right_ring(nodes):
    """Closure, exhaustively for messages: a step touches one node, so one message at a time is every case there is."""
    right, database = right_states(nodes), database_of(nodes)
    harmless_ones = 0
    for message in enumerate_values(messages_in(nodes)):
        for target, local in right.items():
            if not PROTOCOL.legitimacy.message_faults(database, target, message):
                harmless_ones += 1
                (outcome,) = outcomes(target, local, Received(message))
                sent = tuple((send.target, send.message) for send in outcome.sends)
                assert outcome.local == local, (target, message)
                assert legitimacy_faults(PROTOCOL, right, sent) == (), (target, message)
    about_one_node = nodes * (nodes + 1)
    configurations, checks = nodes + 1, 2 * nodes * nodes
    about_the_supervisor = 5 * (nodes + 1)
    assert harmless_ones == 10 * about_one_node + configurations + checks + about_the_supervisor


@pytest.mark.parametrize("nodes", range(1, 18))
def test_no_timeout_disturbs_a_right_ring(nodes):
    right = right_states(nodes, ("w1",))
    for node, local in right.items():
        for outcome in outcomes(node, local, Timeout()):
            sent = tuple((send.target, send.message) for send in outcome.sends)
            assert legitimacy_faults(PROTOCOL, {**right, node: outcome.local}, sent) == ()


@given(st.data(), st.integers(0, 6), st.sampled_from([(), ("w1",)]))
@EXAMPLES
def test_a_legitimate_world_stays_legitimate_whatever_step_comes_next(data, nodes, outsiders):
    states = right_states(nodes, outsiders)
    in_flight = data.draw(st.lists(harmless(nodes, outsiders), max_size=4)) if nodes else []
    started = replace(PROTOCOL.starts.start(nodes), locals=tuple(states.items()), in_flight=tuple(in_flight))
    world = begin(started, PROTOCOL.discipline)
    assert is_legitimate(PROTOCOL, world)
    ring = model(PROTOCOL, lambda: (started,))
    for act in ring.enabled(world):
        assert is_legitimate(PROTOCOL, ring.step(world, act)), act


STARTS = st.integers(1, 4).flatmap(lambda nodes: strategy(PROTOCOL.starts.space(Size(nodes, 2))))


def run_of(protocol, started, schedule, seed, steps):
    """The states of a run that begins as scheduled and goes on at random."""
    ring = model(protocol, lambda: (started,))
    world = begin(started, protocol.discipline)
    for turn in schedule:
        acts = ring.enabled(world)
        world = ring.step(world, acts[turn % len(acts)])
    return walk(ring, world, Random(seed), steps)


def converges(protocol, started, schedule, seed, steps=3000):
    """Whether a run becomes legitimate within that many steps and stays so for a while."""
    run = run_of(protocol, started, schedule, seed, steps)
    if not any(is_legitimate(protocol, world) for world in run):
        return False
    return all(is_legitimate(protocol, world) for world, _ in zip(run, range(40), strict=False))


@given(STARTS, st.lists(st.integers(0, 30), max_size=20), st.integers(0, 3))
@FEWER
def test_every_start_becomes_legitimate_and_stays_so(started, schedule, seed):
    assert converges(PROTOCOL, started, schedule, seed)


def test_every_node_that_wants_to_belong_is_recorded_in_the_end():
    for nodes in (1, 3, 5):
        started = replace(PROTOCOL.starts.start(nodes), locals=tuple(forgotten(nodes).items()))
        run = run_of(PROTOCOL, started, (), 1, 3000)
        last = next(world for world in run if is_legitimate(PROTOCOL, world) and world.states()[SUPERVISOR].database)
        assert set(ring_of(last.states()[SUPERVISOR].database).labels) == set(last.states()) - {SUPERVISOR}


def forgotten(nodes):
    """A right ring that the supervisor knows nothing of."""
    return {**right_states(nodes), SUPERVISOR: Supervisor()}


def test_the_supervisor_is_told_of_a_wish_to_leave_until_it_grants_it():
    u = replace(right_states(3)["v2"], wants=False)
    (outcome,) = outcomes("v2", u, Timeout())
    assert Send(SUPERVISOR, Unsubscribe("v2")) in outcome.sends
