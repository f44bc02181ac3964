"""Applications over Skip+: topics are found through the directory, all nodes get all publications, and traces hold."""

import pytest

from gomboc.impl.api.contact import Contact
from gomboc.impl.api.lower_layers import DIRECTORY
from gomboc.impl.api.node import Node
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.name_order import responsible
from gomboc.impl.core.reasons import RefusedError
from gomboc.impl.protocols.topic_directory.core import key_of
from tests.impl.protocols.skip_plus.applications import SKIP_PLUS, Applications
from tests.impl.protocols.skip_plus.systems import right_graph
from tests.impl.refusing import refusing


def test_topics_are_found_and_every_node_gets_everything_any_node_that_leaves_crashes_and_comes_back(tmp_path):
    there = Applications(6)
    there.run(10)
    there.subscribe("news", *range(6))
    there.subscribe("sport", 0, 3)
    there.run(20)
    for index in range(6):
        there[index].publish("news", f"{index}")
    there[3].publish("sport", "goal")
    there.run(8)
    there[1].unsubscribe("news", forget=True)
    there.crash(2)
    there.run(15)
    there.join(there.names[2], incarnation=2)
    there.run(10)
    there.subscribe("news", 1, 2)
    there[4].publish("news", "late")
    there.run(30)
    assert there.payloads("news", *range(6)) == [["0", "1", "2", "3", "4", "5", "late"]] * 6
    assert there.payloads("sport", 0, 3) == [["goal"]] * 2
    assert set(there[5].instances) == {"news"}
    there.assert_all_conform_and_the_rest_holds(tmp_path)


def test_the_graph_of_a_topic_is_the_right_one_of_its_subscribers():
    there = Applications(6, seed=3)
    there.subscribe("news", 0, 2, 3, 5)
    there.run(40)
    graph = right_graph(sorted(there.names[index] for index in (0, 2, 3, 5)))
    for position in (0, 2, 3, 5):
        assert there.state("skip_plus", position, "news")["neighbours"] == graph[there.names[position]]


def test_a_topic_whose_parts_do_not_know_each_other_finds_together_and_then_no_node_joins_any_more():
    there = Applications(4, seed=4)
    there.run(10)
    there.subscribe("news", 0, 1, 2, 3)
    there.run(20)
    low, high = sorted(range(4), key=there.names.__getitem__)[:2], sorted(range(4), key=there.names.__getitem__)[2:]
    for mine, others in ((low, high), (high, low)):
        for index in mine:
            core = there[index]._beneath._graph.instances._cores["news"]
            strangers = {there.names[other] for other in others}
            core._neighbours -= strangers
            core._stable -= strangers
            core._told.keep(core._told.ranges.keys() - strangers)
    there[low[0]].publish("news", "x")
    there.run(30)
    assert there.payloads("news", 0, 1, 2, 3) == [["x"]] * 4
    before = len([*there.recordings["skip_plus"].steps("news")])
    there.run(10)
    later = [*there.recordings["skip_plus"].steps("news")][before:]
    assert all(step.took == "timeout" or isinstance(step.took, int) for step in later)


def test_a_corrupted_directory_is_forgotten():
    there = Applications(5, seed=2)
    there.subscribe("news", 0, 1)
    there.run(20)
    for position in range(5):
        core = there[position]._beneath._directory.instances._cores[DIRECTORY]
        core._entries = {"news": there.names[4], "never": there.names[3]}
    there.run(20)
    entries = {there.names[index]: there.state("topic_directory", index)["entries"] for index in range(5)}
    who = responsible(there.names, key_of("news"))
    stored = {name: [entry[:2] for entry in held] for name, held in entries.items() if held}  # A question has an age.
    assert stored == {who: [["news", min(there.names[:2])]]}


def test_an_entry_that_names_a_node_which_never_existed_keeps_no_node_from_the_topic():
    there = Applications(5, seed=2)
    there.run(20)
    for index in range(5):
        there[index]._beneath._directory.instances._cores[DIRECTORY]._entries = {"news": "0000:000000"}
    there.subscribe("news", 0, 1, 2)
    there[2].publish("news", "x")
    there.run(30)
    assert there.payloads("news", 0, 1, 2) == [["x"]] * 3


def test_the_topic_of_the_directory_is_no_node_elses():
    there = Applications(1)
    with refusing("The topic :directory: belongs to the overlay itself; choose another name.", RefusedError):
        there[0].subscribe(DIRECTORY)
    with refusing("A topic's name is 1 to 64 characters out of letters, digits and _ . : -; '' is not.", RefusedError):
        there[0].subscribe("")
    assert there[0].counters().refused == {"bad_topic": 2}


def test_a_node_that_knew_no_node_of_use_may_meet_some_node_else():
    there = Applications(2, seed=5, acquainted=False)
    there.subscribe("news", 0, 1)
    there[0].publish("news", "x")
    there.run(20)
    assert there.payloads("news", 1) == [[]]
    there[0].add_peer(there.names[1])
    there.run(30)
    assert there.payloads("news", 1) == [["x"]]


def started(around, name="a:0", net=SKIP_PLUS, **more):
    return Node(name, net, around, incarnation=1, **more)


RING = overlay("skip_ring", {"key_bits": 8})
NO_NAME = "'x' is no name of a node of Skip+: write an id and bits, such as '007:0110'."
ONESELF = "The node 'a:0' cannot join through itself: give it another contact."
LONGER = "The node 'a:0' cannot join through 'b:01': all strings of a system are equally long."
NONE_NEEDED = "This overlay has well-known nodes, so a node needs no other contact: give it none."
UNKNOWN = "These are not parameters of dissemination: Object contains unknown field `rounds`."
NO_TRUTH = "These are not parameters of Skip+: Expected `bool`, got `int` - at `$.synchronous`."


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda around: started(around, "x"), NO_NAME),
        (lambda around: started(around, contact="a:0"), ONESELF),
        (lambda around: started(around, contact="b:01"), LONGER),
        (lambda around: Contact("a:0", SKIP_PLUS, around), "dissemination has no contact 'a:0'; it has: none."),
        (lambda around: started(around, net=RING, contact="b"), NONE_NEEDED),
        (lambda around: started(around, net=RING).add_peer("b"), NONE_NEEDED),
        (lambda around: overlay("skip_plus", {"rounds": 1}), UNKNOWN),
        (lambda around: overlay("skip_plus", {"synchronous": 1}), NO_TRUTH),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(wrong, sentence):
    with refusing(sentence):
        wrong(Applications(1).around("a:0"))
