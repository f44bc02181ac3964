"""The values that the tests of the skip ring draw from: the space itself, in parts, and rings that are right."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from gomboc.checker.testing.strategies import strategy
from gomboc.spec.core.model import Received, Timeout
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL, state
from gomboc.spec.protocols.skip_ring.labels import label_of
from gomboc.spec.protocols.skip_ring.legitimacy import OUTSIDE, ring_of
from gomboc.spec.protocols.skip_ring.space import names
from tests.sampling import share

MEMBERS = 4
EXAMPLES = settings(max_examples=share(200), deadline=None, derandomize=True)
"""Decided by the test's text alone, so that a run is the same under any hash seed."""

_space: Any = PROTOCOL.starts.space(Size(MEMBERS, 1))
_locals, _channels = _space.fields
SUPERVISORS, SUBSCRIBERS = _locals.fields[0], _locals.fields[1]
supervisors, subscribers = strategy(SUPERVISORS), strategy(SUBSCRIBERS)
messages = strategy(_channels.elements.fields[1])
members = st.sampled_from(names(MEMBERS))
claims = st.builds(state.Claim, st.sampled_from([label_of(index) for index in range(2 * MEMBERS + 2)]), members)
inputs = st.one_of(st.just(Timeout()), st.builds(Received, messages))


def messages_in(nodes: int) -> Any:
    """The domain of a message that `space` may put in flight among that many members."""
    space: Any = PROTOCOL.starts.space(Size(nodes, 1))
    return space.fields[1].elements.fields[1]


def database_of(nodes: int) -> tuple[Any, ...]:
    """The database of SR(nodes) in which v1 has the label l(0), v2 the label l(1), and so on."""
    return tuple(sorted(state.Entry(label_of(index), name) for index, name in enumerate(names(nodes))))


def right_states(nodes: int, outsiders: tuple[Any, ...] = ()) -> dict[str, Any]:
    """Every node's local state in SR(nodes), with some nodes that neither belong to it nor want to."""
    members = dict(PROTOCOL.starts.start(nodes).locals)
    return {**members, **dict.fromkeys(outsiders, OUTSIDE)}


@st.composite
def harmless(draw: Any, nodes: int, outsiders: tuple[Any, ...] = ()) -> tuple[Any, ...]:
    """A pair of target and message that is true in SR(nodes): the vocabulary, with only true claims."""
    ring = ring_of(database_of(nodes))
    inside = sorted(ring.labels)
    everybody = [state.SUPERVISOR, *inside, *outsiders]
    target = draw(st.sampled_from(everybody))
    claim = st.sampled_from([state.Claim(ring.labels[node], node) for node in inside])
    flag, node = st.sampled_from([state.LIST, state.CYCLE]), st.sampled_from(inside + list(outsiders))
    kinds = [
        st.builds(state.Subscribe, st.sampled_from(inside)),
        st.builds(state.GetConfiguration, node),
        st.just(ring.configurations.get(target, state.SetData(None, None, None))),
        st.builds(state.Introduce, claim, flag),
        st.builds(state.Present, claim, flag),
        st.builds(state.Probe, node, flag),
        st.builds(state.Linearize, claim),
        st.builds(state.IntroduceShortcut, claim),
    ]
    if target in ring.labels:
        kinds.append(st.builds(state.Check, claim, st.just(ring.labels[target]), flag))
    if outsiders:
        outside = st.sampled_from(outsiders)
        kinds += [st.builds(state.RemoveConnections, outside), st.builds(state.Unsubscribe, outside)]
    return target, draw(st.one_of(kinds))
