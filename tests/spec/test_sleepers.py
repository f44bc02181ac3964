"""Worlds in which nodes fall asleep and wake up: possible steps, lost messages, and the end of a round."""

from msgspec.structs import replace

from gomboc.spec.core.channels import Envelope
from gomboc.spec.core.model import Commanded, Offer, Outcome, Received, Send, Timeout
from gomboc.spec.core.network import Act, begin, command, enabled, is_legitimate, offered, step
from tests.toys.coins.spec import FIFO, HEADS, ROUNDS, UNORDERED, start


def sleepy(protocol):
    """The toy in which a node that holds "zzz" is asleep, until it is told "up"."""

    def react(me, local, taken, choice):
        match taken:
            case Commanded("up"):
                return Outcome(())
            case Timeout() | Received() if "zzz" in local:
                return Outcome(local)
            case Commanded("last words"):
                return Outcome(("zzz",), (Send("b", "bye"),))
        return protocol.actor.react(me, local, taken, choice)

    return protocol.changed(asleep=lambda local: "zzz" in local, react=react)


ASLEEP, ASLEEP_FIFO, ASLEEP_ROUNDS = map(sleepy, (UNORDERED, FIFO, ROUNDS))


def taken(protocol, world):
    return {(act.node, act.envelope.message if act.envelope else None) for act in enabled(protocol, world)}


def time_out(protocol, world, node):
    return step(protocol, world, Act(node, Timeout(), HEADS))


def in_flight(world):
    return [(envelope.target, envelope.message) for envelope in world.channels.in_flight]


def test_a_node_that_is_asleep_has_no_timeout_and_what_is_sent_to_it_may_arrive_without_effect():
    world = command(ASLEEP, begin(start(("b", "heads")), ASLEEP.discipline), "b", "zzz")
    assert taken(ASLEEP, world) == {("a", None), ("b", "heads")}
    (arrives,) = (act for act in enabled(ASLEEP, world) if act.envelope)
    assert step(ASLEEP, world, arrives).states() == world.states()


def test_what_is_in_flight_to_a_node_that_is_asleep_is_of_no_node_fault():
    world = begin(start(("b", "tails")), ASLEEP.discipline)
    assert not is_legitimate(ASLEEP, world)
    assert is_legitimate(ASLEEP, command(ASLEEP, world, "b", "zzz"))


def test_in_rounds_the_crash_of_the_last_node_that_has_not_acted_begins_a_new_round():
    world = time_out(ASLEEP_ROUNDS, begin(start(), ASLEEP_ROUNDS.discipline), "a")
    assert taken(ASLEEP_ROUNDS, world) == {("b", None)}
    crashed = command(ASLEEP_ROUNDS, world, "b", "zzz")
    assert taken(ASLEEP_ROUNDS, crashed) == {("a", None)}
    assert crashed.channels.acted == ()
    again = time_out(ASLEEP_ROUNDS, crashed, "a")
    assert taken(ASLEEP_ROUNDS, again) == {("a", None)}


def test_in_rounds_a_node_that_wakes_up_is_waited_for():
    world = command(ASLEEP_ROUNDS, begin(start(), ASLEEP_ROUNDS.discipline), "b", "zzz")
    awake = command(ASLEEP_ROUNDS, world, "b", "up")
    assert taken(ASLEEP_ROUNDS, time_out(ASLEEP_ROUNDS, awake, "a")) == {("b", None)}


def test_in_order_and_in_rounds_what_is_on_its_way_to_a_node_that_is_asleep_is_lost():
    for protocol in (ASLEEP_FIFO, ASLEEP_ROUNDS):
        world = begin(start(("b", "heads"), ("a", "heads")), protocol.discipline)
        crashed = command(protocol, world, "b", "zzz")
        assert in_flight(crashed) == [("a", "heads")]
        assert in_flight(time_out(protocol, crashed, "a")) == [("a", "heads")], "and what is sent to it too"


def falling(world, what="zzz"):
    """The messages that remain in flight from `a` in each way in which it falls asleep."""
    offering = ASLEEP_FIFO.changed(offers=lambda states, in_flight: (Offer("a", what, ""),))
    acts = [act for act in enabled(offering, world) if act.offer]
    return sorted(in_flight(step(offering, world, act)) for act in acts)


def test_under_fifo_what_a_crashed_node_has_in_flight_is_lost_from_some_point_on():
    world = begin(start(("b", "from nobody")), ASLEEP_FIFO.discipline)
    for _ in range(2):
        world = time_out(ASLEEP_FIFO, world, "a")
    nobodys = ("b", "from nobody")
    assert falling(world) == [[nobodys], [nobodys, ("b", "heads")], [nobodys, ("b", "heads"), ("b", "heads")]]
    numbered = world.channels.put("a", [Send("b", "later")])
    ways = falling(replace(world, channels=numbered))
    assert ways[-1] == [nobodys, ("b", "heads"), ("b", "heads"), ("b", "later")]
    assert all(way == ways[-1][: len(way)] for way in ways), "a suffix, never a middle"
    assert len(ways) == 4
    assert falling(world, "up") == [in_flight(world)], "who stays awake loses nothing"


def test_what_a_node_sends_with_its_last_step_may_be_lost_too():
    world = begin(start(), ASLEEP_FIFO.discipline)
    assert falling(world, "last words") == [[], [("b", "bye")]]


def test_the_ways_to_lose_something_are_independent_on_each_link():
    world = begin(start(), ASLEEP_FIFO.discipline)
    channels = world.channels.put("a", [Send("b", "1"), Send("a", "2"), Send("b", "3")])
    assert len(falling(replace(world, channels=channels))) == 3, "what it sent to itself is lost with it"
    assert channels.cut("a", (("b", 1), ("a", 1))).in_flight == (Envelope("b", "1", "a"),)


def test_a_command_from_outside_is_offered_under_its_budget_and_taken_off_it():
    def environment(states, in_flight):
        return (Offer("a", "zzz", "crash"), Offer("b", "please", "", owed=True))

    commanded_ = ASLEEP.changed(offers=environment)
    world = begin(start(), commanded_.discipline, (("crash", 1), ("other", 2)))
    assert [offer.command for offer in offered(commanded_, world)] == ["zzz", "please"]
    (crash, please) = (act for act in enabled(commanded_, world) if act.offer)
    crashed = step(commanded_, world, crash)
    assert crashed.budget == (("crash", 0), ("other", 2))
    assert crashed.states()["a"] == ("zzz",)
    assert [offer.command for offer in offered(commanded_, crashed)] == ["please"]
    assert step(commanded_, world, please).budget == world.budget
    assert offered(commanded_, begin(start(), commanded_.discipline)) == (Offer("b", "please", "", owed=True),)
