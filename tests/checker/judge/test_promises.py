"""Optional declarations of a protocol, judged step by step: premise, assumption, quiet commands, named promises."""

from msgspec.structs import replace

from gomboc.checker.judge.naive import Options
from gomboc.checker.judge.promises import Histories
from gomboc.checker.judge.verdict import Difference, Holds, Promised, Unknown, Violated
from gomboc.spec.core.model import Fault
from gomboc.spec.core.promises import Always, Observer
from tests.checker.judge.both import judged
from tests.checker.refusing import sentence
from tests.toys.words.spec import UNORDERED, Say, header, hears, in_flight, obeys, rests, tells

ROUND = rests("a"), rests("b")
BAD_ROUND = rests("a"), rests("b", "bad")


def fault_if(wrong, rule, node="b", source="Section 9"):
    return (Fault(rule, node, "right", "wrong", source),) if wrong else ()


def _premise(states, in_flight):
    return fault_if(states["b"].text in ("bad", "worse"), "is_not_bad")


NEEDY = UNORDERED.changed(premise=_premise)
"""Promises to converge only from where `b` is not bad."""


def test_a_run_from_a_start_that_lacks_the_premise_is_unknown_however_long_it_is():
    judgement = judged(header(b="bad", bound=2), *BAD_ROUND * 5, protocol=NEEDY)
    why = "premise: is_not_bad at b is false at the start, so convergence is not promised"
    assert judgement.convergence == Unknown(why)
    assert judgement.exit_code() == 3
    assert judged(header(b="bad", bound=0), *BAD_ROUND, protocol=NEEDY).convergence == Unknown(why)
    assert judged(header(b="bad", bound=2), *BAD_ROUND * 5).exit_code() == 1, "without a premise it is violated"


def test_a_run_from_any_other_start_has_to_converge():
    judgement = judged(header(b="other", bound=2), *(rests("a"), rests("b", "other")) * 5, protocol=NEEDY)
    assert isinstance(judgement.convergence, Violated)


def test_a_run_that_converges_without_the_premise_has_converged():
    start = header(b="bad", messages=[(0, "b", "good")], bound=2)
    judgement = judged(start, *BAD_ROUND, hears("b", 0), *ROUND, protocol=NEEDY)
    assert judgement.convergence == Holds("legitimate after 1 round, at step 3")
    late = judged(start, *BAD_ROUND * 3, hears("b", 0), *ROUND, protocol=NEEDY.changed(bound=lambda nodes: 0))
    assert late.convergence == Holds("legitimate after 1 round, at step 7")


def test_a_command_after_which_the_premise_lacks_makes_convergence_unknown_and_one_after_which_it_does_not_known():
    spoiled = header(bound=1), *ROUND, obeys("b", "bad"), *BAD_ROUND * 3
    why = "premise: is_not_bad at b is false at step 3, so convergence is not promised"
    assert judged(*spoiled, protocol=NEEDY).convergence == Unknown(why)
    assert judged(*spoiled, obeys("b", "good"), *ROUND, protocol=NEEDY).exit_code() == 0
    other = *spoiled, obeys("b", "other"), *(rests("a"), rests("b", "other")) * 3
    assert isinstance(judged(*other, protocol=NEEDY).convergence, Violated)


def test_closure_is_judged_where_the_premise_lacks():
    lost = rests("b", "bad")
    judgement = judged(header(), *ROUND, {**lost, "sent": in_flight()}, *BAD_ROUND, protocol=NEEDY)
    assert isinstance(judgement.closure, Violated)


def _assumption(states, in_flight):
    return fault_if(states["b"].text == "bad", "is_not_bad")


ASSUMING = UNORDERED.changed(assumption=_assumption)


def test_from_where_the_assumption_is_broken_everything_but_conformance_is_unknown():
    steps = *ROUND, *ROUND, obeys("b", "bad"), *BAD_ROUND * 5
    judgement = judged(header(bound=2), *steps, protocol=ASSUMING)
    broken = Unknown('assumption broken at step 5: is_not_bad at b, found "wrong"')
    assert (judgement.closure, judgement.convergence, judgement.exit_code()) == (broken, broken, 3)
    assert isinstance(judgement.conformance, Holds)
    lied = judged(header(bound=2), *steps, rests("b", "worse"), protocol=ASSUMING)
    assert (lied.conformance.step, lied.exit_code()) == (16, 1)


def test_an_assumption_that_is_broken_at_the_start_leaves_nothing_to_judge_but_conformance():
    broken = Unknown('assumption broken at the start: is_not_bad at b, found "wrong"')
    for bound in (0, 2):
        judgement = judged(header(b="bad", bound=bound), *BAD_ROUND * 5, protocol=ASSUMING)
        assert (judgement.closure, judgement.convergence, judgement.rounds) == (broken, broken, None)


def test_violations_before_a_broken_assumption_stay():
    left = judged(header(), *ROUND, tells("a", 0, "bad"), obeys("b", "bad"), protocol=ASSUMING)
    assert isinstance(left.closure, Violated)
    late = judged(header(b="other", bound=1), rests("a"), rests("b", "other"), obeys("b", "bad"), protocol=ASSUMING)
    assert late.convergence.step == 2


def test_the_assumption_is_asked_after_commands_only():
    judgement = judged(
        header(messages=[(0, "b", "bad")], bound=2), hears("b", 0, "bad"), *BAD_ROUND * 3, protocol=ASSUMING
    )
    assert isinstance(judgement.convergence, Violated)


def test_a_quiet_command_neither_ends_legitimacy_nor_restarts_the_count():
    quiet = UNORDERED.changed(quiet=(Say,))
    steps = *ROUND, obeys("b", "bad"), *BAD_ROUND
    assert judged(header(), *steps, protocol=quiet).closure.step == 3
    assert not isinstance(judged(header(), *steps).closure, Violated)
    judgement = judged(header(b="bad", bound=2), *BAD_ROUND, obeys("b", "bad"), *BAD_ROUND, protocol=quiet)
    assert judgement.convergence.step == 5
    assert isinstance(judged(header(b="bad", bound=2), *BAD_ROUND, obeys("b", "bad"), *BAD_ROUND).convergence, Unknown)


def test_a_quiet_command_that_ends_the_premise_makes_convergence_unknown():
    quiet = NEEDY.changed(quiet=(Say,))
    other = rests("a"), rests("b", "other")
    judgement = judged(header(b="other", bound=3), *other, obeys("b", "bad"), *BAD_ROUND * 4, protocol=quiet)
    why = "premise: is_not_bad at b is false at step 3, so convergence is not promised"
    assert judgement.convergence == Unknown(why)
    late = judged(header(b="other", bound=1), *other, obeys("b", "bad"), *BAD_ROUND, protocol=quiet)
    assert isinstance(late.convergence, Violated), "what was late before stays so"
    right = judged(header(), *ROUND, obeys("b", "bad"), *BAD_ROUND, protocol=quiet)
    assert isinstance(right.convergence, Holds), "what was right before stays so"


def test_a_command_that_is_quiet_where_it_is_idle_counts_anew_only_where_it_has_an_effect():
    idling = UNORDERED.changed(quiet_if_idle=(Say,))
    begun = header(b="bad", bound=2), *BAD_ROUND, obeys("b", "bad"), *BAD_ROUND
    assert judged(*begun, protocol=idling).convergence.step == 5
    assert isinstance(judged(*begun).convergence, Unknown)
    changed = judged(header(b="bad", bound=2), *BAD_ROUND, obeys("b", "worse"), *BAD_ROUND, protocol=idling)
    assert isinstance(changed.convergence, Unknown)
    spoken = {**obeys("b", "bad"), "sent": in_flight((9, "a", "bad"))}
    sending = judged(header(b="bad", bound=2), *BAD_ROUND, spoken, *BAD_ROUND, protocol=idling)
    assert isinstance(sending.convergence, Unknown)


def test_assumptions_on_commands_are_not_evaluated_at_a_start():
    obeying = UNORDERED.changed(commands_assumption=_assumption)
    start = header(b="bad", bound=2)
    assert isinstance(judged(start, *BAD_ROUND * 4, protocol=obeying).convergence, Violated)
    why = 'assumption broken at step 1: is_not_bad at b, found "wrong"'
    assert judged(start, obeys("b", "bad"), *BAD_ROUND * 4, protocol=obeying).convergence == Unknown(why)


def test_what_a_command_tells_is_judged_by_the_states_before_it_and_breaks_the_assumption():
    wrong = fault_if(True, "wrong")
    telling = UNORDERED.changed(misreports=lambda states, node, _: wrong if states[node].text == "bad" else ())
    started = header(b="good", bound=2), obeys("b", "bad"), *BAD_ROUND
    assert judged(*started, protocol=telling).convergence == judged(*started).convergence
    broken = judged(*started, obeys("b", "good"), *ROUND, protocol=telling)
    step = 2 + len(BAD_ROUND)
    assert broken.convergence.why.startswith(f"assumption broken at step {step}: ")
    assert broken.closure == broken.convergence


POLITE = Always("polite", "Section 8", lambda states, in_flight: fault_if("rude" in _words(states, in_flight), "words"))
PROMISING = UNORDERED.changed(always=(POLITE,))


def _words(states, in_flight):
    return {word.text for word in states.values()} | {word.text for _, word in in_flight}


def test_a_promise_over_whole_states_is_judged_at_every_step():
    kept = (Promised("polite", Holds("in every state of the trace")),)
    assert judged(header(), *ROUND, protocol=PROMISING).promises == kept
    for step, lines in (
        (0, (header(b="rude"), *ROUND)),
        (0, (header(messages=[(0, "b", "rude")]), *ROUND)),
        (1, (header(), obeys("b", "rude"), obeys("b", "good"), obeys("b", "rude"))),
    ):
        judgement = judged(*lines, protocol=PROMISING)
        (promised,) = judgement.promises
        assert promised.verdict == Violated(
            step,
            "polite",
            "polite is promised of every state",
            "b" if step else "",
            "Section 9",
            (Difference("words at b", "right", "wrong"),),
        )
        assert judgement.exit_code() == 1
        assert ("polite", promised.verdict) in judgement.verdicts()
        assert promised.verdict in judgement.violations()


def _once(node, seen, delivered):
    return (*seen, delivered), fault_if(delivered in seen, "new")


OBSERVED = UNORDERED.changed(observers=(Observer("once", "Section 8", (), _once),))


def test_a_promise_over_histories_is_judged_over_each_nodes_deliveries():
    twice = header(messages=[(0, "b", "good"), (1, "a", "good"), (2, "b", "good")])
    once = judged(twice, hears("b", 0), hears("a", 1), protocol=OBSERVED)
    assert once.promises == (Promised("once", Holds("of everything that was delivered")),)
    judgement = judged(twice, hears("b", 0), hears("a", 1), hears("b", 2), protocol=OBSERVED)
    (promised,) = judgement.promises
    assert (promised.verdict.step, promised.verdict.rule, promised.verdict.node) == (3, "once", "b")
    assert promised.verdict.says == "once: what was delivered breaks it"


def test_a_promise_over_the_systems_history_sees_all_deliveries():
    whole = UNORDERED.changed(observers=(replace(OBSERVED.promises.observers[0], whole=True),))
    two = header(messages=[(0, "b", "good"), (1, "a", "good")])
    entry, together = (judged(two, hears("b", 0), hears("a", 1), protocol=protocol) for protocol in (OBSERVED, whole))
    assert entry.promises == (Promised("once", Holds("of everything that was delivered")),)
    assert isinstance(together.promises[0].verdict, Violated)
    assert together.promises[0].verdict.step == 2


def test_deliveries_of_a_false_step_are_no_history():
    lie = hears("b", 0, delivered=["good", "good"])
    judgement = judged(header(messages=[(0, "b", "good")]), lie, protocol=OBSERVED)
    why = "step 1 does not conform, so deliveries from there on are not judged"
    assert judgement.promises == (Promised("once", Unknown(why)),)
    assert judgement.exit_code() == 1


LINKED = UNORDERED.changed(edges=lambda node, value: ((node, value.text),))
"""A word is the name of a known node."""


def test_connected_nodes_stay_connected_unless_a_command_ends_that():
    start = header(a="b", b="x", messages=[(0, "a", "x")])
    hearing = hears("a", 0, "x")
    assert judged(start, hearing, protocol=LINKED).promises[0].verdict.rule == "stays_connected"
    assert judged(start, hearing, protocol=LINKED).promises[0].verdict.step == 1
    kept = (Promised("stays_connected", Holds("in every state of the trace")),)
    assert judged(start, rests("a", "b"), obeys("a", "x"), protocol=LINKED).promises == kept
    apart = judged(header(a="x", b="x"), rests("a", "x"), protocol=LINKED)
    assert apart.promises == kept, "what was never connected cannot come apart"
    wrong = judged(header(a="x", b="y"), rests("a", "x"), protocol=LINKED)
    assert wrong.convergence.why == (
        "premise: weakly_connected at b is false at the start, so convergence is not promised"
    )


ALL = ASSUMING.changed(always=(POLITE,), observers=OBSERVED.promises.observers)


def test_promises_of_a_run_that_is_not_judged_to_its_end_are_unknown():
    assert {promise.verdict for promise in judged(header(), protocol=ALL).promises} == {
        Unknown("the trace has no steps")
    }
    cut = judged(header(), *ROUND, protocol=ALL, options=Options(most_steps=1))
    assert {promise.verdict for promise in cut.promises} == {Unknown("only the first step was judged")}
    broken = judged(header(), obeys("b", "bad"), obeys("b", "rude"), protocol=ALL)
    why = 'assumption broken at step 1: is_not_bad at b, found "wrong"'
    assert {promise.verdict for promise in broken.promises} == {Unknown(why)}
    empty = judged(header(b=""), *ROUND, protocol=ALL)
    assert {promise.verdict for promise in empty.promises} == {
        Unknown("a value before the first step is not canonical")
    }


def test_nodes_that_cannot_form_a_system_are_refused_with_file_and_line():
    choosy = UNORDERED.changed(misnamed=lambda roles: f"node {max(roles)!r} has no twin" if len(roles) == 3 else None)
    assert judged(header(), *ROUND, protocol=choosy).exit_code() == 0
    assert sentence(judged, header(c="good"), *ROUND, protocol=choosy) == "toy.jsonl:1: node 'c' has no twin."


def twice(node, seen, delivered):
    """A promise that nothing is delivered twice."""
    faults = (Fault("once", node, "nothing twice", str(delivered), "a toy"),) if delivered in seen else ()
    return (*seen, delivered), faults


ALONE = Observer("alone", "a toy", (), twice)
TOGETHER = Observer("together", "a toy", (), twice, whole=True)


def test_an_automaton_of_a_node_sees_that_nodes_deliveries():
    histories = Histories((ALONE,))
    assert [histories.deliver(*output) for output in (("a", 1), ("b", 1), ("a", 2))] == [{}, {}, {}]
    (result,) = histories.deliver("b", 1).values()
    assert [(fault.rule, fault.node, fault.found) for fault in result] == [("once", "b", "1")]


def test_an_automaton_of_the_whole_system_sees_all_deliveries():
    histories = Histories((ALONE, TOGETHER))
    assert histories.deliver("a", 1) == {}
    assert list(histories.deliver("b", 1)) == ["together"]
    assert list(histories.deliver("b", 1)) == ["alone", "together"]
