"""Each way to make a trace smaller, by itself."""

from gomboc.checker.shrink.case import TraceCase, reached
from gomboc.checker.shrink.nodes import forgotten, merged_nodes, without_nodes
from gomboc.checker.shrink.schedule import begun_after, begun_later, without_messages, without_steps, without_stretches
from gomboc.checker.shrink.values import (
    look,
    parts,
    put,
    simpler_messages,
    simpler_states,
    simplifications,
    without_extras,
)


def sent(number, to, **content):
    return {"id": number, "to": to, "message": {"kind": "Hello", **content}}


def step(node, took, state, *messages, **more):
    return {"node": node, "took": took, "state": state, "sent": list(messages), **more}


CASE = TraceCase(
    {
        "roles": {"a": "node", "b": "node", "hub": "hub"},
        "states": {
            "a": {"knows": ["b"], "pair": ["0", "b"]},
            "b": {"knows": [], "pair": None},
            "hub": {"all": [["0", "a"]]},
        },
        "messages": [sent(0, "a", about="b"), sent(1, "b", about="a")],
    },
    (
        step("a", 0, {"knows": ["b"], "pair": ["1", "b"]}, sent(2, "b", about="a"), coin="edge"),
        step("b", 2, {"knows": ["a"], "pair": None}),
    ),
)


def test_stretches_are_left_out_from_all_down_to_each_item():
    assert [*without_stretches("abc")] == [[], ["b", "c"], ["a", "c"], ["a", "b"]]
    assert [*without_stretches("")] == []


def test_states_and_messages_after_some_steps_are_those_of_the_trace():
    states, in_flight = reached(CASE, 1)
    assert states["a"] == CASE.steps[0]["state"]
    assert [message["id"] for message in in_flight] == [1, 2]


def test_a_trace_can_begin_after_any_of_its_steps_and_the_shortest_rest_comes_first():
    later = begun_after(CASE, 1)
    assert later.steps == CASE.steps[1:]
    assert [message["id"] for message in later.header["messages"]] == [1, 2]
    assert [len(entry.steps) for entry in begun_later(CASE)] == [0, 1]


def test_steps_and_messages_are_left_out_and_a_message_goes_with_its_delivery():
    assert [len(smaller.steps) for smaller in without_steps(CASE)] == [0, 1, 1]
    nothing, without_first, without_second = without_messages(CASE)
    assert (nothing.header["messages"], len(nothing.steps)) == ([], 1)
    assert [smaller["took"] for smaller in without_first.steps] == [2]
    assert [smaller["took"] for smaller in without_second.steps] == [0, 2]


def test_a_removed_node_is_named_nowhere():
    for whole in (True, False):
        left = forgotten(CASE, frozenset(["b"]), whole)
        assert [*left.header["roles"]] == ["a", "hub"]
        assert b'"b"' not in left.text()
        assert [step["node"] for step in left.steps] == ["a"]
    assert forgotten(CASE, frozenset("b"), True).header["states"]["a"]["pair"] is None
    assert forgotten(CASE, frozenset("b"), False).header["states"]["a"] == {"knows": [], "pair": ["0"]}
    assert forgotten(CASE, frozenset("a"), False).header["states"]["hub"] == {"all": []}


def test_fixed_nodes_stay_and_nodes_of_one_role_become_one():
    assert all("hub" in smaller.header["roles"] for smaller in without_nodes(CASE, {"hub"}))
    first, second = merged_nodes(CASE, {"hub"})
    assert [*first.header["roles"]] == ["b", "hub"]
    assert first.header["states"]["hub"] == {"all": [["0", "b"]]}
    assert [*second.header["roles"]] == ["a", "hub"]


def test_parts_are_found_read_and_replaced_where_they_stand():
    value = {"kind": "Hello", "list": [1, [2]]}
    assert dict(parts(value)) == {("list",): [1, [2]], ("list", 0): 1, ("list", 1): [2], ("list", 1, 0): 2}
    assert look(value, ("list", 1, 0)) == 2
    assert look(value, ("list", 7)) is None
    assert look(value, ("none", "at all")) is None
    assert put(value, ("list", 1, 0), 0) == {"kind": "Hello", "list": [1, [0]]}
    assert value["list"] == [1, [2]]


def test_simpler_values_are_of_the_same_kind_or_none_and_the_simplest_stay():
    assert [*simplifications([1, 2])] == [None, [], [2], [1]]
    assert [*simplifications(9)] == [None, 0, 4]
    assert [*simplifications(True)] == [None, False]
    assert [*simplifications("0110")] == [None, "", "0", "01"]
    assert [*simplifications(None), *simplifications([]), *simplifications("")] == []


def test_a_simpler_state_stays_simpler_for_as_long_as_it_did_not_change():
    changed = [smaller for smaller in simpler_states(CASE) if smaller.header["states"]["a"]["knows"] == []]
    assert [smaller.steps[0]["state"]["knows"] for smaller in changed] == [[]]
    unpaired = next(smaller for smaller in simpler_states(CASE) if smaller.header["states"]["a"]["pair"] is None)
    assert unpaired.steps[0]["state"]["pair"] == ["1", "b"]


def test_a_simpler_state_of_one_node_leaves_the_steps_of_others_as_they_are():
    state = {"knows": ["cd"]}
    steps = tuple(step(node, "timeout", state) for node in ("b", "a", "b"))
    alike = TraceCase({"roles": {}, "states": {"a": state, "b": {"knows": []}}, "messages": []}, steps)
    simpler = [*simpler_states(alike)]
    assert simpler
    for entry in simpler:
        assert entry.steps[::2] == steps[::2]
        assert entry.steps[1] != steps[1]


def test_messages_before_the_first_step_become_simpler_and_keep_their_kind():
    for smaller in simpler_messages(CASE):
        assert [message["message"]["kind"] for message in smaller.header["messages"]] == ["Hello", "Hello"]
    assert any(smaller.header["messages"][0]["message"]["about"] is None for smaller in simpler_messages(CASE))


def test_optional_keys_of_steps_are_left_out():
    assert any("coin" not in smaller.steps[0] for smaller in without_extras(CASE))
