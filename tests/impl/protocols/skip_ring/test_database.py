from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.automaton import Commanded, Received, Timeout
from gomboc.impl.protocols.skip_ring import labels
from gomboc.impl.protocols.skip_ring.commands import Restore
from gomboc.impl.protocols.skip_ring.database import Database
from gomboc.impl.protocols.skip_ring.messages import Subscribe
from gomboc.impl.protocols.skip_ring.states import SupervisorState
from gomboc.impl.protocols.skip_ring.supervisor import Supervisor

ENTRIES = st.dictionaries(
    st.integers(0, 40).map(labels.from_index), st.sampled_from([None, *"abcdefghij"]), max_size=14
)


def repaired(entries):
    """The repair, one move at a time, as the rule words it."""
    lowest = {}
    for label, node in sorted(entries.items(), key=lambda entry: labels.index_of(entry[0])):
        if node is not None and node not in lowest.values():
            lowest[labels.index_of(label)] = node
    for gap in range(len(lowest)):
        if gap not in lowest:
            lowest[gap] = lowest.pop(max(lowest))
    return {labels.from_index(index): node for index, node in lowest.items()}


def recorded(database):
    return {labels.from_index(index): database.node_at(index) for index in range(len(database))}


@given(ENTRIES)
def test_repair_keeps_lowest_labels_and_fills_gaps_from_the_highest(entries):
    database = Database(entries)
    database.repair()
    assert recorded(database) == repaired(entries)


def test_repair_by_example():
    texts = {"0": None, "1": "a", "11": "a", "001": "b", "0001": "c", "1111": "d"}
    database = Database({labels.from_text(text): node for text, node in texts.items()})
    database.repair()
    written = {labels.to_text(label): node for label, node in recorded(database).items()}
    assert written == {"0": "d", "1": "a", "01": "c", "11": "b"}


@given(st.integers(1, 70))
def test_neighbours_are_those_of_the_sorted_ring(size):
    database = Database({labels.from_index(index): f"s{index}" for index in range(size)})
    database.repair()
    around = [[labels.to_text(label), node] for label, node in sorted(recorded(database).items())]
    for position, (label, node) in enumerate(around):
        configuration = database.configuration(node)
        assert configuration.label == label
        if size == 1:
            assert configuration.pred is None
            assert configuration.succ is None
        else:
            assert [list(configuration.pred), list(configuration.succ)] == [
                around[position - 1],
                around[(position + 1) % size],
            ]


@given(ENTRIES, st.lists(st.sampled_from("abcdefghijklmn"), max_size=20))
def test_additions_and_removals_keep_a_database_clean(entries, changes):
    database = Database(entries)
    database.repair()
    for node in changes:
        if node in database:
            database.remove(node)
        else:
            database.add(node)
        assert repaired(recorded(database)) == recorded(database)
        assert [node in database for node in recorded(database).values()] == [True] * len(database)


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abcd")), max_size=12))
def test_configurations_follow_each_change(changes):
    database = Database({})
    database.repair()
    for adds, node in changes:
        if adds and node not in database:
            database.add(node)
        elif not adds and node in database:
            database.remove(node)
        fresh = Database({labels.from_index(index): database.node_at(index) for index in range(len(database))})
        fresh.repair()
        assert [database.configuration(node) for node in "abcd"] == [fresh.configuration(node) for node in "abcd"]


def test_a_supervisor_writes_its_state_anew_only_when_it_has_changed():
    supervisor = Supervisor(SupervisorState((("0", "a"),), 0))
    texts = [supervisor.snapshot(), supervisor.snapshot()]
    for event in (Timeout(), Received(Subscribe("b")), Received(Subscribe("b")), Commanded(Restore((("0", "a"),)))):
        supervisor.handle(0.0, event)
        texts.append(supervisor.snapshot())
    states = [b'{"database":[["0","a"]],"next":0}', b'{"database":[["0","a"],["1","b"]],"next":0}']
    assert [bytes(text) for text in texts] == [states[0]] * 3 + [states[1]] * 2 + [states[0]]
    assert texts[0] is texts[1] is texts[2]
    assert texts[3] is texts[4]
    assert texts[5] is not texts[4]
