"""Crashes and restarts of a subscriber."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.spec.core.model import CERTAIN, Commanded, Outcome, Received, Timeout
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import Crash, PublishRequest, Restart, Subscriber, WantIn, WantOut
from tests.spec.protocols.skip_ring.reconciling import EVERY, PUBLISHING
from tests.spec.protocols.skip_ring.starts import EXAMPLES, inputs, subscribers

commands = st.sampled_from([WantIn(), WantOut(), WantOut(True), PublishRequest(7, ""), Crash()])
protocols = st.sampled_from([PROTOCOL, PUBLISHING])


@given(protocols, subscribers)
@EXAMPLES
def test_a_crash_changes_nothing_but_that_it_has_crashed(protocol, u):
    assert protocol.actor.react("v1", u, Commanded(Crash()), CERTAIN[0]) == Outcome(replace(u, crashed=True))


@given(protocols, subscribers, st.one_of(inputs, st.builds(Commanded, commands)))
@EXAMPLES
def test_nothing_but_a_restart_has_any_effect_on_a_crashed_node(protocol, u, taken):
    crashed = replace(u, crashed=True, publications=EVERY)
    assert protocol.actor.choices("v1", crashed, taken) == CERTAIN
    assert protocol.actor.react("v1", crashed, taken, CERTAIN[0]) == Outcome(crashed)


@given(protocols, subscribers, st.booleans())
@EXAMPLES
def test_a_node_that_restarts_has_the_variables_that_it_had(protocol, u, wants):
    u = replace(u, wants=wants, forgets=not wants, publications=EVERY)
    restarted = protocol.actor.react("v1", replace(u, crashed=True), Commanded(Restart(True)), CERTAIN[0])
    assert restarted == Outcome(u)


@given(protocols, subscribers, st.booleans())
@EXAMPLES
def test_or_it_has_none_and_its_application_wants_what_it_wanted(protocol, u, wants):
    u = replace(u, wants=wants, forgets=not wants, publications=EVERY, crashed=True)
    restarted = protocol.actor.react("v1", u, Commanded(Restart(False)), CERTAIN[0])
    assert restarted == Outcome(Subscriber(wants=wants))


@given(protocols, subscribers, st.booleans())
@EXAMPLES
def test_a_node_that_has_not_crashed_does_not_restart(protocol, u, keep):
    assert protocol.actor.react("v1", u, Commanded(Restart(keep)), CERTAIN[0]) == Outcome(u)


def test_a_node_that_has_crashed_tosses_no_coin():
    assert PUBLISHING.actor.choices("v1", Subscriber("1", crashed=True), Timeout()) == CERTAIN
    assert PUBLISHING.actor.react("v1", Subscriber("1", crashed=True), Received("anything"), CERTAIN[0]).sends == ()
