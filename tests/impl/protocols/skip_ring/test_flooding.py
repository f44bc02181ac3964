from itertools import count

import pytest

from gomboc.impl.core.automaton import Commanded, Delivered, HeldElsewhere, Received, Send, Timeout
from gomboc.impl.protocols.skip_ring.commands import Issue
from gomboc.impl.protocols.skip_ring.messages import CheckTrie, PublishNew
from tests.impl.protocols.skip_ring.cores import LoadedCoin, state_of
from tests.impl.protocols.skip_ring.starts import names, skip_ring
from tests.impl.publications import configured, written

IMPLEMENTATION = configured(key_bits=64)
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 16, 23, 24, 32, 33]


def label_of(index):
    """l of an index. Source: Section 2.1, the labelling function."""
    if index < 2:
        return str(index)
    bits = f"{index:b}"
    return bits[1:] + bits[0]


def legitimate_cores(size, chance=0.999):
    """The subscribers of SR(n), by name."""
    database = {label_of(index): node for index, node in enumerate(names(size))}
    return {
        node: IMPLEMENTATION.make("subscriber", node, state, LoadedCoin(chance))
        for node, state in skip_ring(database).items()
    }


def flooded(cores, publisher):
    """Publish at one node, with messages of one unit of time; return the messages, and each node's time of arrival."""
    now = [(publisher, Commanded(Issue(1, "p")))]
    said, delivered = [], {}
    for time in count():
        if not now:
            return said, delivered
        outputs = [(node, output) for node, event in now for output in cores[node].handle(0.0, event)]
        for node, output in outputs:
            if isinstance(output, Delivered):
                assert node not in delivered
                delivered[node] = time
        sends = [output for _, output in outputs if isinstance(output, Send)]
        said += sends
        now = [(send.to, Received(send.message)) for send in sends]
    raise AssertionError("counting never ends")


@pytest.mark.parametrize("size", SIZES)
def test_flooding_reaches_everyone_once_within_the_diameter(size):
    """Source: Section 4.3, "the skip ring has a diameter of log n"."""
    for publisher in names(size):
        _, delivered = flooded(legitimate_cores(size), publisher)
        assert delivered.keys() == set(names(size))
        assert max(delivered.values()) <= (size - 1).bit_length()


@pytest.mark.parametrize("size", SIZES)
def test_flooding_costs_at_most_3n_minus_5_messages(size):
    for publisher in names(size):
        said, _ = flooded(legitimate_cores(size), publisher)
        assert {type(message.message) for message in said} <= {PublishNew}
        assert len(said) <= max(0, 3 * size - 5)


def test_the_bound_is_reached_where_n_is_a_power_of_two():
    assert len(flooded(legitimate_cores(16), "s000")[0]) == 3 * 16 - 5


@pytest.mark.parametrize("chosen", [0.0, 0.34, 0.5, 0.999])
def test_after_flooding_anti_entropy_finds_nothing_to_do(chosen):
    cores = legitimate_cores(9, chosen)
    flooded(cores, "s004")
    publication = written(1, "s004", bits=64)
    assert [state_of(core)["publications"] for core in cores.values()] == [[publication]] * 9
    outputs = [output for core in cores.values() for output in core.handle(0.0, Timeout())]
    checks = [output for output in outputs if isinstance(output, Send) and isinstance(output.message, CheckTrie)]
    assert len(checks) == 9
    for check in checks:
        agreed = [HeldElsewhere(check.message.sender, (publication[0],))]
        assert cores[check.to].handle(0.0, Received(check.message)) == agreed
