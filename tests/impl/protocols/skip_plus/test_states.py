from tests.impl.protocols.skip_plus.systems import ALONE, UNBOUNDED, gone, node, receive, state_of, update


def test_what_is_collected_in_any_order_is_written_ascending():
    core, names = node("0:0"), [f"{index}:{index % 2}" for index in range(1, 9)]
    for item in reversed(names):
        receive(core, update(item, [UNBOUNDED], item))
        receive(core, gone(item))
    ranges = [[name, [UNBOUNDED]] for name in names]
    assert state_of(core) == {**ALONE, "neighbours": names, "told": ranges, "gone": names}
