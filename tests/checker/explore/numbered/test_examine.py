"""By numbers and by values, where channels keep an order: the same counts, verdicts, words and runs."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gomboc.checker.core.bad_models import BadModelError
from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.graph import examine as plain
from gomboc.checker.explore.numbered.examine import examine
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.judge.verdict import Unknown, Violated
from gomboc.spec.core.instance import bounded_model
from gomboc.spec.core.model import Offer, Outcome, Received
from gomboc.spec.core.protocol import Discipline, never_asleep
from gomboc.spec.protocols.delta_fault_tolerance.models import FAR, FOUR, LINE, NEAR, TWO, brokers
from tests.checker.explore.alike import QUESTIONS
from tests.checker.explore.table.protocols import fault, instance_of, stated_instances, tabled
from tests.plugins.promises import finding_on
from tests.sampling import share

DRAWN_AS_THEY_ARE = (Phase.explicit, Phase.reuse, Phase.generate)

COINS = "knows no coins by which a node falls asleep"


def fifo(made, **parts):
    return replace(made, protocol=made.protocol.changed(discipline=Discipline.FIFO, **parts))


def assert_alike(made, question=Question()):  # noqa: B008
    one = plain.examine(bounded_model(made), question)
    other = examine(made, question, silent)
    assert replace(other, engine="plain", seconds=one.seconds) == one
    return other


@settings(max_examples=share(120), deadline=None, phases=DRAWN_AS_THEY_ARE)
@given(made=stated_instances(), question=QUESTIONS, awake=st.booleans())
def test_numbers_say_of_whatever_is_stated_what_values_say(made, question, awake):
    try:
        assert_alike(fifo(made, asleep=never_asleep) if awake else fifo(made), question)
    except BadModelError as error:
        assert not awake
        assert COINS in str(error)  # noqa: PT017


@pytest.mark.parametrize(
    "made",
    [
        brokers(1, TWO, NEAR, publication=1, crash=1),
        brokers(0, LINE, {}, publication=1, subscription=1),
        brokers(1, LINE, FAR, "never_closed", crash=1),
        brokers(1, TWO, NEAR, "status_of_the_other", crash=1),
        brokers(1, FOUR, {}, "printed_index", subscription=1),
    ],
)
def test_numbers_say_of_brokers_what_values_say(made):
    assert_alike(made)


def talk(*sends):
    """A protocol in which node "a" sends those messages to "b" by a timeout, and "b" takes each for its state."""
    heard = {("b", state, message): ((message - 10, ()),) for state in (0, 1) for message in (10, 11)}
    return tabled({("a", 0, None): ((1, tuple(("b", message) for message in sends)),)} | heard)


def test_what_was_sent_first_arrives_first():
    states = assert_alike(fifo(instance_of(talk(11, 10), copies=2))).extent.states
    assert states == 4, "0 and 0 in the end: before, 1 was heard, and before that, nothing"
    assert assert_alike(fifo(instance_of(talk(11, 11), copies=2))).extent.states == 4
    assert assert_alike(fifo(instance_of(talk(11, 11)))).extent.states == 3, "the second one coalesces with the first"


@pytest.mark.parametrize("domain", [(10, 11), (11, 10)])
def test_messages_in_flight_at_first_arrive_in_any_order(domain):
    # "b" ends with what arrives last, and 1 is wrong.
    sent = tuple(("b", message) for message in domain)
    last = fifo(
        instance_of(talk(), messages=sent, in_flight=2), node_faults=lambda anchor, me, local: fault(me) * local
    )
    last = replace(last, admits=lambda start: len(start.in_flight) == 2, protocol=last.protocol.changed(react=_idle_a))
    exploration = assert_alike(last)
    assert exploration.extent.starts == 2
    assert isinstance(finding_on(exploration, "convergence", "from every state").verdict, Violated)


def _idle_a(me, local, taken, choice):
    return Outcome(taken.message - 10 if isinstance(taken, Received) else local)


def test_the_order_between_links_is_no_part_of_a_state():
    both = {(node, 0, None): ((1, (("b" if node == "a" else "a", 10),)),) for node in ("a", "b")}
    made = fifo(instance_of(tabled(both)))
    assert assert_alike(made).extent.states == 9, "each has sent or not, and what it has sent has arrived or not"


def test_what_cannot_be_trusted_is_told_by_values():
    answers = iter(range(1_000_000))
    flickering = talk(11).changed(node_faults=lambda anchor, me, local: next(answers))
    with pytest.raises(BadModelError):
        explore(fifo(instance_of(flickering)), "auto", Question(), silent)


@pytest.mark.parametrize("demand", ["environment", "assumption"])
def test_a_projection_that_leaves_out_what_is_looked_at_is_left_to_values(demand):
    """The oracle asks no projection, and so makes no mistake."""
    offers = {"offers": lambda states, in_flight: (Offer("b", "x", "once"),) if states["a"] else ()}
    offered = {"offers": lambda states, in_flight: (Offer("b", "x", "once"),)}
    refused = {"assumption": lambda states, in_flight: fault(1) if states["a"] else ()}
    parts = offers if demand == "environment" else offered | refused
    made = fifo(instance_of(talk(11), budget=(("once", 1),)), projection=lambda value: None, **parts)
    with pytest.raises(BadModelError, match="refuses projections that leave out"):
        examine(made, Question(), silent)
    assert explore(made, "auto", Question(), silent).engine == "plain"


def test_a_way_out_of_a_bound_is_one_run_for_all_that_it_leaves_unknown():
    findings = assert_alike(fifo(instance_of(talk(11, 10), most=1))).findings
    unknown = [finding for finding in findings if isinstance(finding.verdict, Unknown)]
    assert len(unknown) > 1
    assert len({id(finding.run) for finding in unknown}) == 1


def test_a_run_that_is_told_is_one_of_worlds_and_acts():
    made = brokers(1, TWO, NEAR, "status_of_the_other", crash=1)
    exploration = finding_on(assert_alike(made), "convergence", "from every state")
    assert isinstance(exploration.verdict, Violated)
    model = bounded_model(made)
    for world, act, then in zip(
        exploration.run.states, exploration.run.actions, exploration.run.states[1:], strict=False
    ):
        assert model.step(world, act) == then
