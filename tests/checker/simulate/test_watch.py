"""The watch sees the same as the judge, with the anchor of a protocol read from any state."""

import msgspec
import pytest

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.simulate.watch import Faults, Watch
from gomboc.spec.core.model import Fault
from gomboc.spec.core.protocol import whole
from gomboc.spec.core.registry import find_protocol

BROKEN = Fault("broken", "", 0, 1, "")


def highest(states):
    return max(states.values(), key=lambda state: state["value"])["value"]


def of_the_first_whom_it_trusts(states):
    return states[states["a"]["trusts"]]["value"]


def protocol(anchor):
    """A protocol in which every value is to be that of the anchor."""
    return find_protocol("skip_ring").changed(
        roles={"any": dict},
        message=int,
        command=bool | int | str,
        quiet=(str,),
        quiet_if_idle=(bool,),
        anchor=anchor,
        share=whole,
        asleep=lambda state: state["value"] == 0,
        anchor_faults=lambda value: (),
        node_faults=lambda value, name, state: (BROKEN,) * (state["value"] != value),
        message_faults=lambda value, target, message: (BROKEN,) * (message != value),
    )


class World:
    """A few nodes with states that a test sets."""

    def __init__(self, anchor, **values):
        self.words = Dictionary()
        self.faults = Faults(protocol(anchor), self.words)
        self.now = {name: self.number(value) for name, value in values.items()}
        self.in_flight = {}
        self.watch = Watch(self.faults, self.now, self.in_flight)

    def number(self, value, trusts="b"):
        return self.words.states["any", msgspec.json.encode({"value": value, "trusts": trusts})]

    def timeout(self, name, value, trusts="b"):
        before, self.now[name] = self.now[name], self.number(value, trusts)
        return self.watch.observe(name, name, before != self.now[name])


@pytest.mark.parametrize("anchor", [highest, of_the_first_whom_it_trusts])
def test_an_anchor_that_moves_from_one_node_to_another(anchor):
    world = World(anchor, a=1, b=2, c=1)
    assert world.watch.rounds is None
    assert not world.timeout("a", 2)
    assert world.timeout("c", 2)
    assert world.watch.rounds == 1


def test_an_anchor_that_is_read_elsewhere_after_a_change():
    world = World(of_the_first_whom_it_trusts, a=1, b=1, c=3)
    world.timeout("a", 3, trusts="c")
    assert world.watch.rounds is None
    world.timeout("c", 1)
    world.timeout("c", 3)
    assert world.watch.rounds is None
    assert world.timeout("b", 3)
    assert (world.watch.rounds, world.watch.completed) == (1, 1)


def test_a_message_in_flight_counts_until_it_is_taken():
    world = World(highest, a=1, b=1)
    assert world.watch.rounds == 0
    world.in_flight[7] = "b", world.words.messages[b"5"]
    world.watch.command()
    assert (world.watch.rounds, world.watch.commands) == (None, 1)
    del world.in_flight[7]
    assert world.watch.observe(7, "b", False)
    assert world.watch.rounds == 1


def test_a_round_lasts_until_all_have_had_a_timeout_and_all_that_was_in_flight_has_arrived():
    world = World(highest, a=1, b=1)
    world.in_flight[7] = "b", world.words.messages[b"1"]
    world.watch.command()
    assert not world.timeout("a", 1)
    assert not world.timeout("b", 1)
    del world.in_flight[7]
    assert world.watch.observe(7, "b", False)
    assert (world.watch.completed, world.watch.rounds_after) == (1, 1)


def test_two_systems_of_other_nodes_do_not_share_an_anchor():
    world = World(highest, a=1, b=1)
    other = Watch(world.faults, {"a": world.now["a"], "b": world.now["b"], "c": world.number(2)}, {})
    assert (world.watch.rounds, other.rounds) == (0, None)


def test_a_node_that_is_asleep_is_not_waited_for_and_what_is_in_flight_to_it_is_of_no_node_fault():
    world = World(highest, a=2, b=0, c=2)
    world.in_flight |= {7: ("b", 5), 8: ("c", 2)}
    world.watch.command()
    assert world.watch.rounds is None, "the node itself is at fault here"
    assert world.watch.observe("a", "a", False) is False
    world.timeout("c", 2)
    del world.in_flight[8]
    assert world.watch.observe(8, "c", False), "and that ends the round"


def test_a_node_that_falls_asleep_is_waited_for_no_more():
    world = World(lambda states: 2, a=2, b=1)
    world.in_flight[7] = "b", 5
    world.watch.command()
    world.timeout("a", 2)
    assert world.watch.completed == 0
    world.timeout("b", 0)
    assert world.watch.completed == 1
    world.in_flight[9] = "b", 6
    assert world.timeout("a", 2)
    assert world.watch.completed == 2


def test_a_quiet_command_neither_ends_what_was_legitimate_nor_counts_anew():
    world = World(highest, a=1, b=1)
    taken = [(b'"psst"', False), (b"1", False), (b"1", True), (b"true", True), (b"true", False)]
    quiet = [world.faults.is_quiet(world.words.messages[text], idle) for text, idle in taken]
    assert quiet == [True, False, False, True, False], "one that may be idle is quiet where it has no effect"
    world.timeout("a", 1)
    assert not world.watch.quiet_command("b", False)
    assert world.timeout("b", 1)
    assert (world.watch.completed, world.watch.commands, world.watch.rounds) == (1, 1, 0)
    world.watch.command()
    assert (world.watch.completed, world.watch.commands, world.watch.rounds_in_all) == (0, 2, 1)
