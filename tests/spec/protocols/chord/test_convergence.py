"""Systems of Chord become right and stay so, under all events within the assumption; and where they do not, it shows.

Source: Zave 2017; Stoica et al. 2003, Section IV
"""

from itertools import islice
from random import Random

import pytest

from gomboc.checker.simulate.from_spec import SpecificationRun
from gomboc.checker.simulate.plan import header_of
from gomboc.impl.runtime.simulator import TimedCommand
from gomboc.spec.core.domain import sampler
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Outcome, nothing_comes
from gomboc.spec.core.protocol import Size, Start, configured
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.chord.parameters import Parameters
from gomboc.spec.protocols.chord.premise import projection
from gomboc.spec.protocols.chord.space import names_of, space, start
from gomboc.spec.protocols.chord.state import CRASHED, Dead, Node, Notify, StabilizeReply, StabilizeRequest
from gomboc.spec.types.kinds import Suspect
from tests.spec.protocols.chord.rings import member

LATE = 400
"""Late messages, of which some arrive after the first suspicion."""
WATCHED = 25
"""Every so many steps a run is looked at."""


def run(parameters, start, steps, seed=1, commands=()):
    """The states and messages in flight of a run of the specification, now and then."""
    chord = configured(find_protocol("chord"), parameters)
    running = SpecificationRun(header_of(chord, start, parameters), chord, seed, commands)
    for number, _ in enumerate(islice(running.steps(), steps)):
        if number % WATCHED == 0:
            yield chord, dict(running._locals), tuple(running._in_flight.values())


def becomes_right(parameters, start, steps, **others):
    """Whether a run is right in the end; no promise over states may be broken on its way."""
    for chord, states, in_flight in run(parameters, start, steps, **others):
        assert not [fault for promise in chord.promises.always for fault in promise.faults(states, in_flight)]
        faults = legitimacy_faults(chord, states, in_flight)
    return not faults


def arbitrary(parameters, size, seed):
    return sampler(space(Parameters(**parameters), size))(Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_any_state_with_the_invariant_becomes_ideal(seed):
    assert becomes_right({}, arbitrary({}, Size(8, 12), seed), 1500)


@pytest.mark.parametrize("seed", range(4))
def test_with_meet_any_state_becomes_ideal(seed):
    parameters = {"meet": True, "r": 2}
    assert becomes_right(parameters, arbitrary(parameters, Size(6, 12), seed), 2500)


def test_an_ideal_ring_takes_joins_crashes_and_leavers():
    names = names_of(Parameters().circle, 9)
    ring = start(Parameters(), 7)
    outside = tuple((name, Node()) for name in names[7:])
    roles = tuple((name, "node") for name in names)
    commands = (
        TimedCommand(1.0, names[7], {"kind": "Join", "contact": names[0]}),
        TimedCommand(1.0, names[8], {"kind": "Join", "contact": names[0]}),
        TimedCommand(6.0, names[3], {"kind": "Crash"}),
        TimedCommand(16.0, names[5], {"kind": "Leave"}),
    )
    assert becomes_right({}, Start(roles, (*ring.locals, *outside)), 1800, commands=commands)


def test_a_ring_grows_from_one_member():
    names = names_of(Parameters().circle, 6)
    roles = tuple((name, "node") for name in names)
    alone = ((names[0], member()), *((name, Node()) for name in names[1:]))
    commands = tuple(TimedCommand(1.0, name, {"kind": "Join", "contact": names[0]}) for name in names[1:])
    assert becomes_right({}, Start(roles, alone), 1200, commands=commands)


@pytest.mark.parametrize(
    "states",
    [
        {"n0": member(1, 2), "n1": member(2, 0), "n2": member(0, 1)},
        {"n0": member(2, 2), "n1": member(3, 3), "n2": member(0, 0), "n3": member(1, 1)},
    ],
)
def test_a_ring_that_winds_twice_and_two_rings_stay_as_they_are_without_meet(states):
    parameters = {"bits": 2, "ids": "number", "r": 1, "fingers": False}
    stuck = Start(tuple((name, "node") for name in states), tuple(states.items()))
    last = list(run(parameters, stuck, 300))[-1]
    assert last[1] == states


def with_silent_mailboxes(chord):
    """The protocol, but a crashed node answers nothing: only the detector says that it has crashed."""
    react = chord.actor.react

    def quiet(me, local, taken, choice):
        outcome = react(me, local, taken, choice)
        return Outcome(outcome.local) if local.status == "crashed" else outcome

    return chord.changed(react=quiet)


@pytest.mark.parametrize("detects", [True, False])
def test_the_detector_speaks_again_of_a_node_that_is_listed_again(detects):
    chord = with_silent_mailboxes(configured(find_protocol("chord"), {}))
    if not detects:
        chord = chord.changed(offers=nothing_comes)
    names = names_of(Parameters().circle, 6)
    ring = {**dict(start(Parameters(), 6).locals), names[5]: CRASHED}
    behind = next(name for name, local in ring.items() if local.predecessor == names[5])
    # Some of so many arrive when the detector has spoken already, and make the crashed node the predecessor again.
    late = ((behind, Notify(names[5])),) * LATE
    begun = Start(tuple((name, "node") for name in names), tuple(sorted(ring.items())), late)
    running = SpecificationRun(header_of(chord, begun, {}), chord, 2, ())
    steps = list(islice(running.steps(), 1_500))
    spoken = [step for step in steps if (step.node, step.took) == (behind, Suspect(names[5]))]
    assert (len(spoken) > 1) == detects
    assert (legitimacy_faults(chord, running._locals, tuple(running._in_flight.values())) == ()) == detects


@pytest.mark.parametrize(("meet", "looked_at"), [(False, ("StabilizeReply", "n1", "n0", ("n2",))), (True, None)])
def test_of_messages_promises_look_at_the_lists_that_they_bring(meet, looked_at):
    parameters = Parameters(bits=4, ids="number", meet=meet)
    assert projection(parameters, StabilizeReply("n1", "n0", ("n2",))) == looked_at
    assert projection(parameters, StabilizeRequest("n1")) is None
    assert (projection(parameters, Notify("n1")) is None) == meet
    assert (projection(parameters, Dead("n1")) is None) == meet


def test_of_a_state_promises_look_at_all_but_the_next_finger_and_peers_without_meet():
    parameters = Parameters(bits=4, ids="number")
    state = member(3, 1, 2, fingers=((3, "n9"),), next=2, peers=("n4",))
    assert projection(parameters, state) == projection(parameters, member(3, 1, 2, fingers=((3, "n9"),)))
    assert projection(parameters, state) != projection(parameters, member(3, 1, 2, fingers=((3, "n8"),)))
    assert projection(parameters, state) != projection(parameters, member(3, 1, fingers=((3, "n9"),)))
    assert projection(parameters, state) != projection(parameters, member(2, 1, 2, fingers=((3, "n9"),)))
    assert projection(Parameters(meet=True), state) != projection(
        Parameters(meet=True), member(3, 1, 2, fingers=((3, "n9"),))
    )
