from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.automaton import Timeout
from gomboc.impl.protocols.skip_ring import messages
from tests.impl.protocols.skip_ring.cores import hear, make, sends, state_of

LABELS = st.sampled_from(["0", "1", "01", "11", "001", "011", "101", "111", "0011"])
NODES = st.sampled_from(["u", "v", "w", "x", "y"])
CLAIMS = st.tuples(LABELS, NODES)
FLAGS = st.sampled_from(["LIN", "CYC"])
STATES = st.fixed_dictionaries(
    {
        "label": st.none() | LABELS,
        **{slot: st.none() | CLAIMS.map(list) for slot in ("left", "right", "ring")},
        "shortcuts": st.dictionaries(LABELS, st.none() | NODES, max_size=4).map(
            lambda shortcuts: sorted(map(list, shortcuts.items()))
        ),
        "wants": st.booleans(),
    }
)
SAID = st.one_of(
    st.builds(messages.Check, CLAIMS, LABELS, FLAGS),
    st.builds(messages.Introduce, CLAIMS, FLAGS),
    st.builds(messages.Present, CLAIMS, FLAGS),
    st.builds(messages.Probe, NODES, FLAGS),
    st.builds(messages.Linearize, CLAIMS),
    st.builds(messages.IntroduceShortcut, CLAIMS),
)
CONFIGURED = st.builds(messages.SetData, st.none() | CLAIMS, st.none() | LABELS, st.none() | CLAIMS)
COINS = st.sampled_from([0.0, 0.999])
VARIANTS = st.sampled_from(["skip_ring", "skip_ring.printed_linearize"])


def stored(state):
    slots = {state[slot][1] for slot in ("left", "right", "ring") if state[slot]}
    return slots | {node for _, node in state["shortcuts"] if node}


def named(message):
    """Every node that a message of SAID names."""
    claims = [getattr(message, name, None) for name in ("claim", "sender")]
    return {claim if isinstance(claim, str) else claim[1] for claim in claims if claim}


def touched(sent):
    """All nodes that get a message or are named in one."""
    values = [value for message in sent for value in message]
    return {value[1] if isinstance(value, tuple) else value for value in values}


def step(core, message):
    return sends(core.handle(0.0, Timeout())) if message is None else hear(core, message)


@given(STATES, st.none() | SAID, COINS)
def test_no_reference_is_lost_between_a_node_and_its_messages(state, message, coin):
    core = make("subscriber", "u", state, coin)
    before = stored(state) | (named(message) if message else set())
    sent = step(core, message)
    assert before - {"u"} <= stored(state_of(core)) | touched(sent)


@given(STATES, CONFIGURED)
def test_a_configuration_loses_no_reference_that_was_stored(state, message):
    core = make("subscriber", "u", state)
    sent = step(core, message)
    assert stored(state) - {"u"} <= stored(state_of(core)) | touched(sent)


@given(STATES, st.one_of(st.none(), SAID, CONFIGURED, st.builds(messages.RemoveConnections, NODES)), COINS, VARIANTS)
def test_every_step_leads_to_a_state_that_can_be_loaded_and_does_not_name_oneself(state, message, coin, variant):
    core = make("subscriber", "u", state, coin, variant)
    sent = step(core, message)
    after = state_of(core)
    assert state_of(make("subscriber", "u", after)) == after
    assert "u" not in stored(after)
    if variant == "skip_ring":
        assert "u" not in {to for to, *_ in sent}
