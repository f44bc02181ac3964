"""Rounds, closure, convergence and bounds on runs that are counted by hand; faults against their definition.

Source: traces/README.md, Conformance
"""

from functools import cache
from random import Random

import pytest

from gomboc.checker.judge.fault_count import FaultCount, current_faults
from gomboc.checker.judge.stabilisation import Stabilisation
from gomboc.checker.judge.system import System
from gomboc.checker.judge.verdict import Difference, Holds, Unknown, Violated
from gomboc.checker.simulate.plan import PlannedCommand
from gomboc.checker.traces.trace import open_trace
from gomboc.spec.core.faults import legitimacy_faults
from gomboc.spec.core.model import Fault
from gomboc.spec.core.registry import find_protocol
from tests.checker import ring
from tests.checker.judge.both import judged, rounds_after_each_step
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words import spec as toy
from tests.toys.words.spec import UNORDERED, header, hears, in_flight, obeys, rests, system_and_steps, tells

ROUND = rests("a"), rests("b")
BAD_ROUND = rests("a"), rests("b", "bad")
NEVER = "the system has not been legitimate since the start or the last command"


def test_a_round_is_over_when_every_node_has_had_a_timeout():
    steps = rests("a"), rests("a"), rests("b"), rests("b"), rests("b"), rests("a")
    assert rounds_after_each_step(header(), *steps) == [0, 0, 1, 1, 1, 2]


def test_a_round_waits_for_every_message_that_was_in_flight_when_it_began():
    start = header(messages=[(0, "a", "good"), (1, "b", "good")])
    steps = *ROUND, *ROUND, hears("a", 0), *ROUND, hears("b", 1), *ROUND
    assert rounds_after_each_step(start, *steps) == [0] * 7 + [1, 1, 2]


def test_a_round_does_not_wait_for_its_own_sends_and_the_next_one_does():
    steps = tells("a", 0), rests("b"), *ROUND, hears("b", 0), *ROUND
    assert rounds_after_each_step(header(), *steps) == [0, 1, 1, 1, 2, 2, 3]


def test_the_next_round_waits_for_sends_of_the_delivery_that_ends_one():
    answers = hears("b", 0, sent=in_flight((1, "a", "good")))
    steps = *ROUND, answers, *ROUND, hears("a", 1)
    assert rounds_after_each_step(header(messages=[(0, "b", "good")]), *steps) == [0, 0, 1, 1, 1, 2]


def test_a_round_ends_where_an_id_is_given_and_taken_twice():
    lines = header(messages=[(0, "a", "good")]), *ROUND, tells("b", 0), hears("a", 0), hears("a", 0), *ROUND
    assert rounds_after_each_step(*lines) == [0, 0, 0, 1, 1, 1, 2]


def test_the_timeout_of_an_unknown_node_does_not_count():
    assert rounds_after_each_step(header(), rests("x"), rests("a"), rests("b")) == [0, 0, 1]


def stabilised(*lines, **options):
    """Closure, convergence, rounds until legitimate, and rounds for which it stayed so."""
    judgement = judged(*lines, **options)
    return judgement.closure, judgement.convergence, judgement.rounds, judgement.rounds_after


def times(number, what):
    """So many of them, in words."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def legitimate(rounds, step, after):
    """The verdicts on a run that becomes legitimate and stays so."""
    vacuous = Unknown("legitimate only at the end: no further round was completed")
    return (
        Holds(f"legitimate for {times(after, 'further round')}, to the end of the trace") if after else vacuous,
        Holds(f"legitimate after {times(rounds, 'round')}, at step {step}"),
        rounds,
        after,
    )


def test_a_run_that_starts_legitimate_needs_no_round():
    assert stabilised(header(), *ROUND, *ROUND, rests("a")) == legitimate(0, 0, 2)


def test_a_run_that_becomes_legitimate_within_its_first_round_needs_one():
    start = header("good", "bad", [(0, "b", "good")])
    assert stabilised(start, rests("a"), hears("b", 0), rests("b")) == legitimate(1, 2, 0)


def test_a_run_that_becomes_legitimate_with_the_last_step_of_its_first_round_needs_one():
    start = header("good", "bad", [(0, "b", "good")])
    assert stabilised(start, *BAD_ROUND, hears("b", 0), *ROUND) == legitimate(1, 3, 1)


def test_a_run_that_becomes_legitimate_within_its_second_round_needs_two():
    steps = tells("a", 0), rests("b", "bad"), rests("a"), hears("b", 0), rests("b"), *ROUND
    assert stabilised(header("good", "bad"), *steps) == legitimate(2, 4, 1)


def test_closure_over_no_further_round_is_unknown():
    vacuous = Unknown("legitimate only at the end: no further round was completed")
    start = header("good", "bad", [(0, "b", "good")])
    for steps in ([hears("b", 0)], [hears("b", 0), *ROUND], [*BAD_ROUND, hears("b", 0), rests("a")]):
        judgement = judged(start, *steps)
        assert (judgement.closure, judgement.rounds, judgement.rounds_after, judgement.exit_code()) == (
            vacuous,
            1,
            0,
            3,
        )
    assert judged(start, hears("b", 0), *ROUND, *ROUND).exit_code() == 0
    assert judged(start, hears("b", 0), tells("a", 1, "bad")).exit_code() == 1, "what is left is violated all the same"


def test_messages_in_flight_are_part_of_legitimacy():
    start = header("good", "good", [(0, "b", "bad")])
    steps = *ROUND, hears("b", 0, "bad"), tells("a", 1), hears("b", 1)
    assert stabilised(start, *steps) == legitimate(2, 5, 0)


BAD_AT_B = (Difference("agrees at b", "good", "bad"),)


def late(bound, step, faults=BAD_AT_B, source="Section 6"):
    says = f"the system is not legitimate after {times(bound, 'round')}"
    return Violated(step, "convergence", says, "", source, faults)


def test_a_run_that_is_not_legitimate_when_its_bound_has_passed_is_violated_there():
    result = stabilised(header("good", "bad", bound=2), *BAD_ROUND, *BAD_ROUND, *BAD_ROUND)
    assert result == (Unknown(NEVER), late(2, 4), None, 0)


def test_a_run_that_ends_before_its_bound_has_passed_is_unknown():
    why = "the trace ends after 1 round, and the bound is 2: not legitimate yet"
    result = stabilised(header("good", "bad", bound=2), *BAD_ROUND, rests("a"))
    assert result == (Unknown(NEVER), Unknown(why), None, 0)


def test_a_run_that_becomes_legitimate_with_the_last_step_of_its_bound_is_in_time():
    start = header("good", "bad", [(0, "b", "good")], bound=1)
    assert stabilised(start, *BAD_ROUND, hears("b", 0)) == legitimate(1, 3, 0)


def test_a_run_that_becomes_legitimate_after_its_bound_is_late_all_the_same():
    steps = tells("a", 0), rests("b", "bad"), hears("b", 0), *ROUND
    _, convergence, rounds, _ = stabilised(header("good", "bad", bound=1), *steps)
    assert isinstance(convergence, Violated)
    assert (convergence.step, convergence.rule, rounds) == (2, "convergence", 2)


def test_with_a_bound_of_no_rounds_a_run_has_to_start_legitimate():
    assert stabilised(header(bound=0), rests("a")) == legitimate(0, 0, 0)
    _, convergence, *_ = stabilised(header("good", "bad", [(0, "b", "good")], bound=0), hears("b", 0), *ROUND)
    assert isinstance(convergence, Violated)


def test_lasting_legitimacy_is_never_late():
    assert stabilised(header(bound=1), *ROUND, *ROUND, *ROUND) == legitimate(0, 0, 3)


LEFT = "the system was legitimate and is no more"


def test_closure_is_violated_at_the_first_step_after_which_the_system_is_not_legitimate():
    evil = rests("b", "bad")
    closure, convergence, *_ = stabilised(header(), rests("a"), evil, rests("b", "bad"), rests("a"))
    assert closure == Violated(2, "closure", LEFT, "b", "Section 6", BAD_AT_B)
    assert convergence == Holds("legitimate after 0 rounds, at step 0")


def test_closure_may_be_violated_by_a_step_that_conforms():
    twice = rests("a", "bad", sent=in_flight((0, "b", "bad"), (1, "b", "good")), coin="twice")
    judgement = judged(header("bad", "bad"), twice)
    assert isinstance(judgement.conformance, Holds)
    in_the_way = (Difference("will_agree at b", "bad", "good"),)
    assert judgement.closure == Violated(1, "closure", LEFT, "a", "Section 7", in_the_way)


def test_a_system_that_heals_has_left_all_the_same():
    steps = rests("b", "bad"), tells("a", 0), hears("b", 0), *ROUND
    closure, *_ = stabilised(header(), *steps)
    assert closure == Violated(1, "closure", LEFT, "b", "Section 6", BAD_AT_B)


def test_a_run_that_was_never_legitimate_says_nothing_of_closure():
    closure, *_ = stabilised(header("good", "bad"), *BAD_ROUND)
    assert closure == Unknown(NEVER)


def test_a_verdict_names_five_faults_and_counts_the_others():
    messages = [(number, "b", "bad") for number in range(7)]
    start = header("good", "bad", messages, bound=0)
    _, convergence, *_ = stabilised(start, rests("a"))
    named = (*BAD_AT_B, *[Difference("will_agree at b", "good", "bad")] * 4)
    says = "the system is not legitimate after 0 rounds; 3 further conjuncts are false"
    assert convergence == Violated(0, "convergence", says, "", "Section 6", named)


COMMANDED = obeys("a", "new")
FOLLOWS = tells("a", 0, "new"), rests("b"), hears("b", 0, "new")
NEW_ROUND = rests("a", "new"), rests("b", "new")


def test_rounds_are_counted_from_the_last_command():
    before = *ROUND, *ROUND, rests("a")
    assert stabilised(header(), *before, COMMANDED, *FOLLOWS, *NEW_ROUND, *NEW_ROUND) == legitimate(2, 9, 1)


def test_legitimacy_that_a_command_ends_is_no_violation_of_closure():
    closure, convergence, *_ = stabilised(header(), *ROUND, COMMANDED, rests("a", "new"))
    assert not isinstance(closure, Violated)
    assert convergence == Unknown("the trace ends after 0 rounds, and the bound is 3: not legitimate yet")


def test_closure_is_judged_before_the_command_too():
    steps = rests("b", "bad"), tells("a", 7), hears("b", 7), COMMANDED, *FOLLOWS, *NEW_ROUND
    closure, convergence, *_ = stabilised(header(), *steps)
    assert closure == Violated(1, "closure", LEFT, "b", "Section 6", BAD_AT_B)
    assert convergence == Holds("legitimate after 2 rounds, at step 7")


def test_closure_is_judged_after_the_command_too():
    steps = COMMANDED, *FOLLOWS, *NEW_ROUND, rests("b", "bad")
    closure, *_ = stabilised(header(), *steps)
    assert closure == Violated(7, "closure", LEFT, "b", "Section 6", (Difference("agrees at b", "new", "bad"),))


def test_the_bound_counts_from_the_last_command():
    steps = *ROUND, *ROUND, COMMANDED, *(rests("a", "new"), rests("b")) * 2
    start = header(bound=2)
    result = stabilised(start, *steps)[1]
    assert result == late(2, 9, (Difference("agrees at b", "new", "good"),))
    assert isinstance(stabilised(start, *steps[:-1])[1], Unknown)


def test_a_run_that_was_late_stays_violated_after_a_command():
    steps = *BAD_ROUND, *BAD_ROUND, obeys("b", "good"), *ROUND
    closure, convergence, *rounds = stabilised(header("good", "bad", bound=1), *steps)
    assert (closure, rounds) == (Holds("legitimate for 1 further round, to the end of the trace"), [0, 1])
    assert convergence == late(1, 2)
    again = stabilised(header("good", "bad", bound=1), *steps, obeys("b", "bad"), *BAD_ROUND, *BAD_ROUND)
    assert again[1] == late(1, 2)


@cache
def honest_runs():
    """Runs of the toy, each with one of its lengths."""
    runs = [honest_trace(UNORDERED, Random(seed), 30) for seed in range(120)]
    return [(lines, Random(seed).randint(1, 30)) for seed, lines in enumerate(runs)]


def convergence_after_each_step(head, *steps):
    """The convergence of every prefix that has a step; the class that judges it is asked after each."""
    system, taken = system_and_steps(head, *steps)
    stabilisation = Stabilisation(UNORDERED, system, head["bound"])
    for number, step in enumerate(taken, 1):
        stabilisation.observe(number, step, system.apply(step))
        yield stabilisation.closure_and_convergence()[1]


@pytest.mark.parametrize("bound", [0, 1, 2, 3])
def test_a_violation_of_a_prefix_is_one_of_the_whole_run(bound):
    seen = 0
    for (head, *steps), some in honest_runs():
        head, wanted = {**head, "bound": bound}, Unknown("")
        verdicts = list(convergence_after_each_step(head, *steps))
        for upto in (some, len(steps)):
            assert verdicts[upto - 1] == toy.judged(head, *steps[:upto]).convergence
        for result in verdicts:
            if isinstance(wanted, Violated):
                assert result == wanted
            wanted = result
        seen += isinstance(wanted, Violated)
    assert seen > 5


HANGS = "no round was completed in the last {} steps, where none before took more than 2: waiting for {}"


@pytest.mark.parametrize("idle", range(16))
def test_a_node_that_hangs_leaves_closure_unknown_and_is_named(idle):
    closure, *_ = stabilised(header(), *ROUND, *ROUND, *[rests("a")] * idle)
    held = Holds("legitimate for 2 further rounds, to the end of the trace")
    assert closure == (held if idle < 5 * 2 else Unknown(HANGS.format(idle, "a timeout of b")))


def test_a_message_that_never_arrives_leaves_closure_unknown_and_is_named():
    steps = *ROUND, tells("a", 7), rests("b")
    closure, *_ = stabilised(header(), *steps, *ROUND * 5)
    assert closure == Unknown(HANGS.format(10, "message 7 to b"))
    assert isinstance(stabilised(header(), *steps, *ROUND * 5, hears("b", 7))[0], Holds)
    both = stabilised(header(), *ROUND, tells("b", 3), *ROUND[:1], *[tells("a", 4)], *[rests("a")] * 9)[0]
    assert both == Unknown(HANGS.format(10, "a timeout of b and 1 other thing"))


def test_a_stall_after_a_command_is_measured_by_rounds_since_then():
    closure, *_ = stabilised(header(), *[rests("a")] * 40, rests("b"), obeys("b", "good"), *ROUND, *[rests("a")] * 10)
    assert closure == Unknown(HANGS.format(10, "a timeout of b"))


def test_a_stalled_run_that_is_not_legitimate_names_the_pending_event():
    _, convergence, *_ = stabilised(header("good", "bad", bound=9), *BAD_ROUND, *[rests("a")] * 12)
    assert convergence == Unknown(HANGS.format(12, "a timeout of b"))


def test_a_command_that_changes_nothing_of_legitimacy_needs_no_round():
    assert stabilised(header(), *ROUND, obeys("b", "good"), *ROUND) == legitimate(0, 3, 1)


def test_a_command_begins_a_round():
    steps = rests("a"), obeys("a", "good"), rests("b"), rests("a")
    assert stabilised(header(), *steps) == legitimate(0, 2, 1)


def test_a_command_does_not_end_messages_in_flight():
    start = header(messages=[(0, "b", "good")])
    steps = obeys("a", "good"), *ROUND, hears("b", 0)
    assert stabilised(start, *steps[:-1]) == legitimate(0, 1, 0)
    assert stabilised(start, *steps) == legitimate(0, 1, 1)


def test_without_steps_nothing_is_known_of_a_legitimate_start_or_any_other():
    for start in (header(), header("good", "bad"), header(bound=0)):
        nothing = Unknown("the trace has no steps")
        assert stabilised(start)[:2] == (nothing, nothing)


def faults_agree(protocol, system, steps):
    """Follow the steps, with the count against its definition after each; the totals and the anchors on the way."""
    count = FaultCount(protocol, system)
    totals, anchors = [count.total], [protocol.legitimacy.anchor(system.states)]
    for number, step in enumerate(steps, 1):
        count.observe(step, system.apply(step))
        in_flight = tuple((sent.to, sent.message) for sent in system.in_flight.values())
        defined = legitimacy_faults(protocol, system.states, in_flight)
        assert count.total == len(defined), f"after step {number}"
        assert current_faults(protocol, system) == defined
        totals.append(count.total)
        anchors.append(protocol.legitimacy.anchor(system.states))
    return totals, anchors


LEAVES_AND_RETURNS = (
    PlannedCommand(2, "v1", "Unsubscribe"),
    PlannedCommand(15, "v2", "Unsubscribe"),
    PlannedCommand(18, "v1", "Subscribe"),
)


@pytest.mark.parametrize("seed", range(6))
def test_the_count_of_faults_is_that_of_the_definition_after_every_step(seed, tmp_path):
    path = ring.simulated(tmp_path, nodes=(2 + seed % 4,), seed=seed, commands=LEAVES_AND_RETURNS)
    with open_trace(path) as reader:
        protocol = find_protocol("skip_ring")
        totals, anchors = faults_agree(protocol, System(reader.header, protocol), reader.steps())
    assert len(set(anchors)) > 2, "the anchor has to change for this to mean anything"
    assert max(totals) > 0 == totals[-1]


def test_the_count_of_faults_follows_a_trace_that_does_not_conform():
    lines = (
        header(messages=[(1, "b", "bad")]),
        rests("b", "bad"),
        tells("x", 2, "bad"),
        tells("a", 1),
        rests("a", sent=in_flight((4, "b", "bad"), (4, "b", "bad"), (4, "b", "good"))),
        hears("a", 4, "mad"),
        hears("b", 99, "mad"),
        hears("b", 1, "mad", sent=in_flight((1, "b", "bad"))),
        rests("a", "good"),
    )
    totals, anchors = faults_agree(UNORDERED, *system_and_steps(*lines))
    assert totals == [1, 2, 3, 2, 2, 4, 3, 3, 3]
    assert anchors == ["good"] * 5 + ["mad"] * 3 + ["good"]


def test_a_state_and_a_message_that_are_equal_are_counted_apart():
    other = Fault("is_polite", "", "words", "words", "Section 8")
    stricter = UNORDERED.changed(message_faults=lambda *of: (*UNORDERED.legitimacy.message_faults(*of), other))
    lines = header(messages=[(0, "b", "good")]), tells("a", 1), hears("b", 0), hears("b", 1)
    totals, _ = faults_agree(stricter, *system_and_steps(*lines, protocol=stricter))
    assert totals == [1, 2, 1, 0]
