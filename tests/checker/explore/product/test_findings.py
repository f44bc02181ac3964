"""The findings of a bounded exploration, with convergence that is settled for any number of messages, or open."""

from msgspec.structs import replace

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.product.findings import with_any_channels
from gomboc.checker.explore.product.settle import Answers, Figures, Open, Settled, answers
from gomboc.checker.explore.questions.bounds import Bounds, BoundWatch, silent
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding, Run
from gomboc.checker.explore.verdicts import ALWAYS, POSSIBLE, STABLE
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.network import promises_of
from gomboc.spec.core.promises import Always
from tests.checker.explore.table.protocols import fault, instance_of, tabled

CALLED = {("a", 0, None): ((0, (("b", 10),)),), ("b", 0, 10): ((1, ()),)}
"""The timeouts of "a" call "b", which is right once it has heard."""
INSTANCE = instance_of(tabled(CALLED, {(0, "b", 0)}), most=1)
PROMISES = promises_of(INSTANCE.protocol)
ANY = Holds("any number of messages in flight; 2 combinations of local states, 1 message")
FIGURES = Figures(2, 1, 3)
SETTLED = Answers(Settled(FIGURES, 1, 1, tosses=False))
FAIR = "every weakly fair run reaches a state where it holds (central scheduler)"


def convergence(exploration):
    return {finding.of: finding.verdict for finding in exploration.findings if finding.promise == "convergence"}


def found(*findings):
    return Exploration("tabled", "central", "table", Extent(1, 1, 1, 1), 0, 0.0, findings)


def test_what_is_settled_holds_for_any_number_of_messages_and_all_else_is_explored():
    exploration = explore(INSTANCE, "auto", Question(), silent)
    assert convergence(exploration) == {f"{POSSIBLE} (central scheduler)": ANY, FAIR: ANY}
    others = {finding.promise: finding.verdict for finding in exploration.findings if finding.promise != "convergence"}
    assert others == {"closure": ANY, "canonical": ANY, "not_vacuous": Holds("it holds in 2 states")}


def test_an_engine_that_is_asked_for_by_name_answers_alone():
    for engine in ("plain", "table"):
        assert ANY not in convergence(explore(INSTANCE, engine, Question(), silent)).values()


def test_what_was_not_judged_is_settled_too():
    exploration = explore(INSTANCE, "auto", Question(bounds=Bounds(most_states=0)), silent)
    assert convergence(exploration) == {f"{POSSIBLE} (central scheduler)": ANY, FAIR: ANY}
    unjudged = found(Finding("convergence", "eventually (central scheduler)", Unknown("too wide")))
    settled = with_any_channels(unjudged, PROMISES, Question(), SETTLED)
    assert convergence(settled) == {f"{POSSIBLE} (central scheduler)": ANY, FAIR: ANY}


def test_a_claim_names_coins_that_some_step_tosses():
    tossing = Answers(Settled(FIGURES, 1, 1, tosses=True))
    exploration = found(Finding("convergence", FAIR, Unknown("the bound")))
    settled = with_any_channels(exploration, PROMISES, Question(), tossing)
    assert list(convergence(settled)) == [FAIR.replace("run reaches", "run, with probability 1 reaches")]
    question = Question(fairness=Fairness.STRONG, coins=Coins.ADVERSARY)
    exploration = found(Finding("convergence", FAIR.replace("weakly", "strongly"), Unknown("the bound")))
    settled = with_any_channels(exploration, PROMISES, question, tossing)
    assert list(convergence(settled)) == [
        "every strongly fair run, however the coins fall reaches a state where it holds (central scheduler)"
    ]


def test_what_is_safe_holds_with_its_claim_and_without_a_run():
    safe = Answers(Open("no run is unfair"), frozenset({"closure", "canonical"}), FIGURES)
    run = Run((0,), ())
    exploration = found(
        Finding("closure", "stable (central scheduler)", Unknown("the bound"), run),
        Finding("canonical", f"{ALWAYS} (central scheduler)", Unknown("the bound"), run),
    )
    assert with_any_channels(exploration, PROMISES, Question(), safe).findings == (
        Finding("closure", f"{STABLE} (central scheduler)", ANY),
        Finding("canonical", f"{ALWAYS} (central scheduler)", ANY),
    )
    violated = Finding("closure", STABLE, Violated(1, "closure", "a step"), run)
    assert with_any_channels(found(violated), PROMISES, Question(), safe) == found(violated)


def test_a_promise_of_a_protocol_of_the_same_name_is_not_taken_for_ours():
    false = Always("canonical", "nowhere", lambda states, in_flight: fault("a"))
    instance = replace(INSTANCE, protocol=INSTANCE.protocol.changed(always=(false,)))
    assert answers(instance, Question(), BoundWatch(Bounds())).safe == {"closure"}


def test_a_violation_stays():
    violated = Finding("convergence", FAIR, Violated(1, "convergence", "a cycle"))
    assert with_any_channels(found(violated), PROMISES, Question(), SETTLED) == found(violated)


def test_the_worst_case_and_other_promises_stay():
    others = found(
        Finding("convergence", "the number of steps until it holds is bounded (central scheduler)", Holds("7")),
        Finding("canonical", "it holds in every reachable state (central scheduler)", Unknown("the bound")),
    )
    assert with_any_channels(others, PROMISES, Question(), SETTLED) == others


def test_what_is_open_and_unknown_shows_what_remains():
    unknown, holds = Finding("convergence", FAIR, Unknown("the bound")), Finding("convergence", POSSIBLE, Holds("all"))
    remains = Answers(Open("a run may come back", {"a": 0}))
    explained = with_any_channels(found(unknown, holds), PROMISES, Question(), remains)
    why = Unknown("the bound; for any number of messages: a run may come back")
    assert explained.findings == (replace(unknown, verdict=why), holds)
    assert with_any_channels(found(unknown), PROMISES, Question(), Answers(Open("no run is unfair"))) == found(unknown)
