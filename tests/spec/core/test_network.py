from itertools import permutations

import pytest

from gomboc.spec.core.channels import Channels, Envelope
from gomboc.spec.core.model import CERTAIN, Kind, Received, Send, Timeout
from gomboc.spec.core.network import Act, begin, command, enabled, is_legitimate, model, spend, step
from gomboc.spec.core.protocol import Discipline
from tests.toys.coins.spec import FIFO, HEADS, ROUNDS, TAILS, UNORDERED, start

EVERY = [UNORDERED, FIFO, ROUNDS]


def taken(protocol, world):
    """The pairs of a node and an input that are possible next, without coins."""
    return {(act.node, act.envelope.message if act.envelope else None) for act in enabled(protocol, world)}


def time_out(protocol, world, node, choice=HEADS):
    return step(protocol, world, Act(node, Timeout(), choice))


def deliver(protocol, world, message):
    (act,) = (act for act in enabled(protocol, world) if act.envelope and act.envelope.message == message)
    return step(protocol, world, act)


@pytest.mark.parametrize("protocol", EVERY)
def test_a_world_begins_with_what_is_in_flight_ready_to_be_delivered(protocol):
    world = begin(start(("a", "heads")), protocol.discipline)
    assert ("a", "heads") in taken(protocol, world)
    assert world.states() == {"a": (), "b": ()}


@pytest.mark.parametrize("protocol", EVERY)
def test_every_fall_of_a_coin_is_a_step_of_its_own(protocol):
    acts = enabled(protocol, begin(start(), protocol.discipline))
    assert [(act.node, act.choice) for act in acts] == [("a", HEADS), ("a", TAILS), ("b", HEADS), ("b", TAILS)]


@pytest.mark.parametrize("protocol", EVERY)
def test_a_delivery_takes_one_copy_out_of_the_channel(protocol):
    world = begin(start(("a", "heads"), ("a", "heads")), protocol.discipline)
    after = deliver(protocol, world, "heads")
    assert after.states()["a"] == ("heads",)
    assert [envelope.message for envelope in after.channels.in_flight] == ["heads"]


@pytest.mark.parametrize("protocol", EVERY)
def test_a_step_leaves_the_world_it_came_from_as_it_was(protocol):
    world = begin(start(("a", "heads")), protocol.discipline)
    before = begin(start(("a", "heads")), protocol.discipline)
    for act in enabled(protocol, world):
        step(protocol, world, act)
    assert world == before


@pytest.mark.parametrize("protocol", EVERY)
def test_a_message_that_is_not_in_flight_cannot_be_taken(protocol):
    with pytest.raises(ValueError, match="not in tuple"):
        Channels(protocol.discipline).take(Envelope("a", "heads"))


@pytest.mark.parametrize("protocol", EVERY)
def test_a_command_is_a_step_that_no_node_enables(protocol):
    world = command(protocol, begin(start(), protocol.discipline), "b", "please")
    assert world.states() == {"a": (), "b": ("please",)}
    assert all(isinstance(act.input, Timeout) for act in enabled(protocol, world))


def test_unordered_channels_with_equal_contents_are_equal_values():
    sends = [Send("a", "1"), Send("b", "2"), Send("a", "3")]
    channels = {Channels(Discipline.UNORDERED).put("x", order) for order in permutations(sends)}
    assert len(channels) == 1


def test_unordered_messages_overtake_each_other():
    world = begin(start(("a", "first"), ("a", "second")), Discipline.UNORDERED)
    assert {("a", "first"), ("a", "second")} <= taken(UNORDERED, world)


def test_equal_messages_are_offered_once():
    world = begin(start(("a", "heads"), ("a", "heads")), Discipline.UNORDERED)
    assert sum(isinstance(act.input, Received) for act in enabled(UNORDERED, world)) == 1


def test_fifo_offers_only_the_earliest_message_of_each_link():
    channels = Channels(Discipline.FIFO).put("a", [Send("b", "1"), Send("b", "2"), Send("c", "3")])
    channels = channels.put("c", [Send("b", "4")])
    assert [envelope.message for envelope in channels.ready()] == ["1", "3", "4"]
    assert [envelope.message for envelope in channels.take(channels.ready()[0]).ready()] == ["2", "3", "4"]


def test_fifo_keeps_the_order_of_a_link_whatever_else_happens():
    world = begin(start(), Discipline.FIFO)
    for choice in (HEADS, TAILS, TAILS):
        world = time_out(FIFO, time_out(FIFO, world, "a", choice), "b")
    for message in ("heads", "tails", "tails"):
        (act,) = (act for act in enabled(FIFO, world) if act.envelope and act.envelope.target == "b")
        assert act.envelope.message == message
        world = step(FIFO, world, act)
    assert world.states()["b"] == ("heads", "tails", "tails")


def test_in_rounds_what_is_sent_arrives_in_the_next_round_only():
    world = time_out(ROUNDS, begin(start(), Discipline.ROUNDS), "a")
    assert taken(ROUNDS, world) == {("b", None)}
    assert taken(ROUNDS, time_out(ROUNDS, world, "b")) == {("a", "heads"), ("b", "heads")}


def test_in_rounds_a_node_times_out_once_and_after_all_it_has_to_receive():
    world = begin(start(("a", "heads")), Discipline.ROUNDS)
    assert taken(ROUNDS, world) == {("a", "heads"), ("b", None)}
    world = deliver(ROUNDS, world, "heads")
    assert taken(ROUNDS, world) == {("a", None), ("b", None)}
    assert taken(ROUNDS, time_out(ROUNDS, world, "b")) == {("a", None)}


def test_in_rounds_the_messages_of_one_round_arrive_in_any_order():
    world = begin(start(("a", "first"), ("a", "second")), Discipline.ROUNDS)
    assert {message for _, message in taken(ROUNDS, world)} == {"first", "second", None}


@pytest.mark.parametrize("protocol", EVERY)
def test_messages_in_flight_are_part_of_legitimacy(protocol):
    assert is_legitimate(protocol, begin(start(("a", "heads")), protocol.discipline))
    assert not is_legitimate(protocol, begin(start(("a", "tails")), protocol.discipline))


def test_a_model_begins_where_it_is_told_and_promises_self_stabilisation():
    starts = (start(), start(("a", "heads")))
    made = model(UNORDERED, lambda: starts)
    assert list(made.initial()) == [begin(one, Discipline.UNORDERED) for one in starts]
    assert [(promise.name, promise.kind) for promise in made.promises] == [
        ("closure", Kind.STABLE),
        ("convergence", Kind.EVENTUALLY),
        ("not_vacuous", Kind.SOMETIMES),
        ("canonical", Kind.ALWAYS),
    ]


def test_a_model_steps_as_the_network_does():
    made = model(UNORDERED, lambda: (start(),))
    (world,) = made.initial()
    assert made.enabled(world) == enabled(UNORDERED, world)
    assert [made.actor(act) for act in made.enabled(world)] == ["a", "a", "b", "b"]
    act = made.enabled(world)[0]
    assert made.step(world, act) == step(UNORDERED, world, act)


def test_the_promise_to_be_canonical_reads_states_and_messages():
    (canonical,) = (p for p in model(UNORDERED, tuple).promises if p.kind is Kind.ALWAYS)
    world = begin(start(), Discipline.UNORDERED)
    assert canonical.holds(world)
    assert not canonical.holds(world.with_local("a", ""))
    assert not canonical.holds(begin(start(("a", "")), Discipline.UNORDERED))


def test_the_promise_to_be_canonical_is_broken_by_a_state_or_message_that_names_no_node_that_is_there():
    naming = UNORDERED.changed(named=lambda value: (value,) if value in ("a", "stranger") else ())
    (canonical,) = (p for p in model(naming, tuple).promises if p.kind is Kind.ALWAYS)
    world = begin(start(("a", "a")), Discipline.UNORDERED)
    assert canonical.holds(world.with_local("b", "a"))
    assert not canonical.holds(world.with_local("b", "stranger"))
    assert not canonical.holds(begin(start(("a", "stranger")), Discipline.UNORDERED))


def test_a_certain_step_is_taken_with_certainty():
    world = begin(start(("a", "heads")), Discipline.UNORDERED)
    (act,) = (act for act in enabled(UNORDERED, world) if act.envelope)
    assert (act.choice,) == CERTAIN


def test_a_command_is_taken_off_its_own_budget_alone():
    world = begin(start(), Discipline.UNORDERED, (("crash", 2), ("restart", 1)))
    assert spend(world, "crash").budget == (("crash", 1), ("restart", 1))
    with pytest.raises(ValueError, match="allows no further restart"):
        spend(spend(world, "restart"), "restart")
