"""The findings of a bounded exploration, with convergence that is settled for any number of messages, or open."""

from msgspec.structs import replace

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.product.findings import with_any_channels
from gomboc.checker.explore.product.settle import Open, Settled
from gomboc.checker.explore.questions.bounds import Bounds, silent
from gomboc.checker.explore.questions.question import Coins, Fairness, Question
from gomboc.checker.explore.results.finding import Exploration, Extent, Finding
from gomboc.checker.explore.verdicts import POSSIBLE
from gomboc.checker.judge.verdict import Holds, Unknown, Violated
from gomboc.spec.core.network import promises_of
from tests.checker.explore.table.protocols import instance_of, tabled

CALLED = {("a", 0, None): ((0, (("b", 10),)),), ("b", 0, 10): ((1, ()),)}
"""The timeouts of "a" call "b", which is right once it has heard."""
INSTANCE = instance_of(tabled(CALLED, {(0, "b", 0)}), most=1)
PROMISES = promises_of(INSTANCE.protocol)
ANY = Holds("any number of messages in flight; 2 combinations of local states, 1 message")
SETTLED = Settled(2, 1, 3, 1, 1, False, 0.0)
FAIR = "every weakly fair run reaches a state where it holds (central scheduler)"


def convergence(exploration):
    return {finding.of: finding.verdict for finding in exploration.findings if finding.promise == "convergence"}


def found(*findings):
    return Exploration("tabled", "central", "table", Extent(1, 1, 1, 1), 0, 0.0, findings)


def test_convergence_is_settled_for_any_number_of_messages_and_all_else_is_explored():
    exploration = explore(INSTANCE, "auto", Question(), silent)
    assert convergence(exploration) == {f"{POSSIBLE} (central scheduler)": ANY, FAIR: ANY}
    settled = "convergence", "closure", "canonical"
    assert [one for one in exploration.findings if one.promise not in settled] == [
        one for one in explore(INSTANCE, "table", Question(), silent).findings if one.promise not in settled
    ]


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
    tossing = replace(SETTLED, tosses=True)
    exploration = found(Finding("convergence", FAIR, Unknown("the bound")))
    settled = with_any_channels(exploration, PROMISES, Question(), tossing)
    assert list(convergence(settled)) == [FAIR.replace("run reaches", "run, with probability 1 reaches")]
    question = Question(fairness=Fairness.STRONG, coins=Coins.ADVERSARY)
    exploration = found(Finding("convergence", FAIR.replace("weakly", "strongly"), Unknown("the bound")))
    settled = with_any_channels(exploration, PROMISES, question, tossing)
    assert list(convergence(settled)) == [
        "every strongly fair run, however the coins fall reaches a state where it holds (central scheduler)"
    ]


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
    remains = Open("a run may come back", {"a": 0})
    explained = with_any_channels(found(unknown, holds), PROMISES, Question(), remains)
    why = Unknown("the bound; for any number of messages: a run may come back")
    assert explained.findings == (replace(unknown, verdict=why), holds)
    assert with_any_channels(found(unknown), PROMISES, Question(), Open("no run is unfair")) == found(unknown)
