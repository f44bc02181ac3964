"""Suspicions of a host, and of nodes over each overlay: which instances are told, how often, and what comes of it."""

import pytest

from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.automaton import Failing, Send, SetTimer
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import Crash, Suspect, Trust
from gomboc.impl.runtime.detection.suspicions import Suspicions
from tests.impl.in_memory import InMemory
from tests.impl.refusing import refused

OVERLAYS = {
    "skip_ring": [f"n{number}" for number in range(8)],
    "skip_plus": [f"{number:02x}:{number * 37 % 64:06b}" for number in range(8)],
    "scribe": [f"n{number}" for number in range(8)],
    "hyparview": [f"n{number}" for number in range(8)],
}
PARAMETERS = {"skip_ring": {"key_bits": 32}, "skip_plus": {"key_bits": 32}}


def failing(*forgets, watches=None, suspect=Suspect):
    return Failing(("node",), Crash(), None, bool, suspect=suspect, trust=Trust, forgets=forgets, watches=watches)


def test_a_role_that_remembers_is_told_once_and_so_are_instances_that_begin_later():
    suspicions = Suspicions(failing(), "node")
    assert [*suspicions.begin("ann")] == [Suspect("ann")]
    assert [*suspicions.at_start()] == [Suspect("ann")]
    assert [*suspicions.after_timeout([Send("ann", None)])] == []
    assert [*suspicions.end("ann")] == [Trust("ann")]
    assert [*suspicions.at_start()] == []


def test_a_role_that_forgets_is_told_again_as_long_as_its_timeouts_send_to_a_suspect():
    suspicions = Suspicions(failing("node"), "node")
    assert [*suspicions.begin("ann"), *suspicions.begin("ben")] == [Suspect("ann"), Suspect("ben")]
    outputs = [Send("ben", None), Send("ben", None), Send("cai", None), SetTimer(1.0)]
    assert [*suspicions.after_timeout(outputs)] == [Suspect("ben")]
    assert [*suspicions.at_start()] == []
    assert [*suspicions.end("ben")] == []
    assert [*suspicions.after_timeout(outputs)] == []


@pytest.mark.parametrize("of", [None, failing(suspect=None)])
def test_where_nodes_have_no_suspects_no_instance_is_told(of):
    suspicions = Suspicions(of, "node")
    assert [*suspicions.begin("ann"), *suspicions.at_start(), *suspicions.after_timeout([Send("ann", None)])] == []


def test_a_detector_that_is_part_of_the_system_repeats_itself():
    suspicions = Suspicions(failing(watches=lambda core: ("ann",)), "node")
    assert [*suspicions.begin("ann"), *suspicions.begin("ann")] == [Suspect("ann")] * 2
    assert [*suspicions.at_start(), *suspicions.after_timeout([Send("ann", None)])] == []


class System(InMemory):
    """Eight nodes in one topic over this overlay; a node that crashes is silent, and no sender is told."""

    def __init__(self, name, seed=3, **options):
        super().__init__(overlay(name, PARAMETERS.get(name)), seed, **options)
        for other in OVERLAYS[name]:
            self.start(other, contact=self.another(other), topics=["news"], **options)
        self.clock.advance(15)

    def crash(self, name):
        self.nodes.pop(name).stop()
        self.network.disconnect(name)

    def reached(self, publisher, periods, payload="hello"):
        """The number of nodes that a publication reaches within so many periods."""
        self.nodes[publisher].publish("news", payload)
        self.clock.advance(periods)
        return sum(any(one.payload == payload for one in node.history("news")) for node in self.nodes.values())


@pytest.mark.parametrize("name", OVERLAYS)
def test_a_silent_crash_that_all_others_suspect_is_overcome_on_each_overlay(name):
    there = System(name)
    crashed, *_, publisher = OVERLAYS[name][3:]
    there.crash(crashed)
    for told in (*there.contacts, *there.nodes.values()):
        told.suspect(crashed)
    there.clock.advance(12)
    assert there.reached(publisher, 8) == 7
    # A passive view of HyParView names nodes that it has not contacted yet.
    assert name == "hyparview" or not any(crashed in str(references(node)) for node in there.nodes.values())


@pytest.mark.parametrize("name", OVERLAYS)
def test_a_false_suspicion_is_overcome_on_each_overlay_once_the_node_is_trusted(name):
    there = System(name)
    suspect, *_, publisher = OVERLAYS[name][3:]
    others = [*there.contacts, *(node for other, node in there.nodes.items() if other != suspect)]
    for told in others:
        told.suspect(suspect)
    there.clock.advance(2)
    for told in others:
        told.trust(suspect)
    there.clock.advance(15)
    assert there.reached(publisher, 8) == 8


def references(node):
    """The neighbours in all layers of a node: publications name their publishers for ever."""
    hosts = [node._host, *(getattr(node._beneath, part, None) for part in ("_host", "_graph", "_directory"))]
    real = [host for host in hosts if hasattr(host, "instances") and hasattr(host.instances, "snapshot")]
    return [bytes(host.instances.snapshot(topic)) for host in real for topic in host.instances]


@pytest.mark.parametrize(("crashed", "without"), [(2, 14), (5, 28)])
def test_two_periods_after_the_others_suspect_a_silent_node_all_lookups_are_answered_and_else_many_never(
    crashed, without
):
    assert [lookups_answered(crashed, told) for told in (False, True)] == [without, 40]


def lookups_answered(crashed, told):
    """Of 40 lookups, those that are answered at seven nodes of Chord two periods after the eighth has crashed."""
    there, gone = InMemory(overlay("chord")), f"n{crashed}"
    for number in range(8):
        there.start(f"n{number}").subscribe("ring", via="n0")
    there.run(40)
    there.nodes.pop(gone).stop()
    there.network.disconnect(gone)
    nodes = [*there.nodes.values()]
    for node in nodes if told else ():
        node.suspect(gone)
    there.run(2)
    owners = []
    for number in range(40):
        nodes[number % 7].look_up("ring", f"song {number}", lambda *answer: owners.append(answer))
    there.run(20)
    assert not told or gone not in {owner for _, owner in owners}
    return len(owners)


def test_a_name_that_no_node_can_have_is_refused_and_so_are_oneself_and_a_node_that_has_stopped():
    node = System("skip_ring").nodes["n0"]
    assert refused(node.suspect, "n0") == (Reason.BAD_NAME, "'n0' is this node itself: suspect others.")
    assert refused(node.suspect, "a name") == (Reason.BAD_NAME, "No node is called 'a name'.")
    assert node.counters().refused == {Reason.BAD_NAME: 2}
    node.stop()
    for call in (node.suspect, node.trust):
        assert refused(call, "n1") == (Reason.STOPPED, "n0 has stopped; start it anew.")
