"""The statements of a protocol besides its steps, by tables and plainly: the same counts, verdicts and words."""

import pytest
from hypothesis import Phase, given, settings
from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.questions.question import Fairness, Question
from gomboc.checker.explore.table.examine import examine
from gomboc.checker.judge.verdict import Holds, Violated
from gomboc.spec.core.domain import enumerate_values
from gomboc.spec.core.model import Offer
from gomboc.spec.core.protocol import Discipline, Size
from tests.checker.explore.alike import QUESTIONS, explored_alike
from tests.checker.explore.table.protocols import fault, instance_of, stated_instances, tabled
from tests.checker.explore.table.test_rounds import ORDER_IS_FIXED
from tests.sampling import share
from tests.toys.crowd.spec import PROTOCOL as CROWD
from tests.toys.distances.spec import PROTOCOL as DISTANCES
from tests.toys.test_toys import instance

DRAWN_AS_THEY_ARE = (Phase.explicit, Phase.reuse, Phase.generate)
"""Cases are small as they are drawn, and to make a smaller one takes minutes."""


@pytest.mark.parametrize("discipline", [Discipline.UNORDERED, Discipline.ROUNDS])
@settings(max_examples=share(40), deadline=None, phases=DRAWN_AS_THEY_ARE)
@given(made=stated_instances(), question=QUESTIONS)
def test_tables_say_of_whatever_is_stated_what_the_plain_explorer_says(discipline, made, question):
    with ORDER_IS_FIXED:
        explored_alike(replace(made, protocol=replace(made.protocol, discipline=discipline)), question)


def commanded(**parts):
    """Two nodes, to the first of which a quiet and a loud command are offered once, which lead from 0 to 1 and 2."""
    steps = {("a", 0, 77): ((1, ()),), ("a", 0, "loud"): ((2, ()),)}
    offers = (Offer("a", 77, "once"), Offer("a", "loud", "once"))
    offering = {"offers": lambda states, in_flight: offers if states["a"] == 0 else (), "quiet": (int,)}
    return instance_of(tabled(steps, parts.pop("wrong", ())).changed(**offering, **parts), budget=(("once", 1),))


@pytest.mark.parametrize(("demand", "states"), [("premise", 2), ("assumption", 1)])
def test_a_quiet_command_may_end_the_premise_and_no_command_may_break_the_assumption(demand, states):
    lacking = {demand: lambda states, in_flight: fault(states["a"]) if states["a"] else ()}
    assert explored_alike(commanded(**lacking)).extent.states == states


def test_a_command_is_refused_if_any_result_of_its_coins_breaks_the_assumption():
    made = commanded(assumption=lambda states, in_flight: fault(states["a"]) if states["a"] == 2 else ())
    tossed = {("a", 0, "loud"): ((1, ()), (2, ()))}
    coins = {"react": tabled(tossed).actor.react, "choices": tabled(tossed).actor.choices}
    assert explored_alike(replace(made, protocol=made.protocol.changed(**coins))).extent.states == 2, (
        "77 changes nothing"
    )


def test_a_loud_command_may_end_what_was_legitimate_and_a_quiet_one_may_not():
    for wrong, verdict in ((1, Violated), (2, Holds)):
        faulty = {(anchor, "a", wrong) for anchor in range(3)}
        closure = next(
            finding for finding in explored_alike(commanded(wrong=faulty)).findings if finding.promise == "closure"
        )
        assert isinstance(closure.verdict, verdict)


def test_a_command_that_no_node_is_owed_may_never_come():
    faulty = {(0, "a", 0)}
    for owed, verdict in ((False, Violated), (True, Holds)):
        offers = (Offer("a", "loud", "", owed),)
        made = commanded(wrong=faulty)
        alone = {"offers": lambda states, in_flight, offers=offers: offers if states["a"] == 0 else ()}
        exploration = explored_alike(replace(made, protocol=made.protocol.changed(**alone)))
        must = next(finding for finding in exploration.findings if finding.of.startswith("every weakly fair run"))
        assert isinstance(must.verdict, verdict)


@pytest.mark.parametrize("fairness", Fairness)
def test_a_command_that_is_owed_and_offered_for_ever_comes_for_ever(fairness):
    turning = {("a", 0, "loud"): ((1, ()),), ("a", 1, "loud"): ((0, ()),)}
    never = {(anchor, "a", anchor) for anchor in (0, 1)}
    for owed in (True, False):
        offers = (Offer("a", "loud", "", owed),)
        protocol = tabled(turning, never).changed(offers=lambda states, in_flight, offers=offers: offers)
        exploration = explored_alike(instance_of(protocol), Question(fairness=fairness))
        must = next(finding for finding in exploration.findings if finding.of.startswith("every "))
        assert isinstance(must.verdict, Violated)
        assert (must.run.back is None) != owed, "without it a run stops"


def test_a_crowd_of_two_is_explored_with_any_node_that_joins_and_crashes():
    (apart,) = (item for item in enumerate_values(CROWD.starts.space(Size(2, 0, outside=1))) if knows_all(item))
    exploration = explored_alike(instance(CROWD, apart, 2, join=1, crash=1))
    assert exploration.extent.states == 100
    assert exploration.extent.bounds.endswith(
        "at most 1 join, at most 1 crash, as long as the operating assumption holds, "
        "without commands that end the premise"
    )


def knows_all(start):
    return all(len(local.known) == 1 for _, local in start.locals if local.live)


def test_a_line_is_explored_by_rounds_with_a_node_that_crashes_between_them():
    exploration = explored_alike(instance(DISTANCES, DISTANCES.starts.start(3), None, crash=2, restart=1))
    assert exploration.extent.states == 43
    assert exploration.extent.bounds.endswith("and states are looked at between them, where all commands come")


def test_what_is_asked_of_whole_states_is_asked_once_for_each_projection():
    asked = []

    def environment(states, in_flight):
        asked.append(tuple(sorted(states.items())))
        return ()

    crowd = tabled(COUNTING).changed(offers=environment, projection=lambda value: value % 2)
    exploration = examine(instance_of(crowd))
    assert (exploration.extent.states, len(set(asked))) == (49, 24), "as long as it is not believed, it is asked again"


def test_a_projection_that_leaves_out_what_is_looked_at_is_a_mistake_of_the_protocol():
    crowd = tabled(COUNTING).changed(
        offers=lambda states, in_flight: (Offer("a", "loud", ""),) if states["a"] == 4 else (),
        projection=lambda value: value % 2,
    )
    with pytest.raises(BadModelError, match="has a projection that leaves out what environment looks at, in the state"):
        examine(instance_of(crowd))


COUNTING = {(me, state, None): ((state + 1, ()),) for me in "ab" for state in range(6)}
