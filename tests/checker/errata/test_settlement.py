"""Claims: settled anew, with texts that quote their figures, and a result that can differ."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.errata import settlement
from gomboc.checker.errata.claim import Claim, Evidence, Reading, Result, by_readings, settled
from gomboc.checker.errata.scene import Scene
from gomboc.checker.errata.settlement import finding_of, written

CLAIM = Claim("toy", "a toy", "Lemma 0", "It is {count}.", Result.REFUTED, "It was {count}.", "toys.toy", "Ours.")


def found(evidence, **changes):
    return finding_of("toy", replace(CLAIM, **changes), evidence)


def test_a_result_that_differs_from_the_recorded_one_is_noticed():
    finding = found(Evidence(Result.REPRODUCED, {"count": 3}))
    assert (finding.recorded, finding.found) == (Result.REFUTED, Result.REPRODUCED)
    assert not finding.as_recorded()


def test_a_statement_that_is_not_so_is_noticed_though_the_result_is_as_recorded():
    finding = found(Evidence(Result.REFUTED, {"count": 3}, {"water is dry": False, "it rains": True}))
    assert finding.false == ("water is dry",)
    assert not finding.as_recorded()


def test_the_texts_quote_the_figures():
    finding = found(Evidence(Result.REFUTED, {"count": 12345}))
    assert (finding.says, finding.why) == ("It is 12,345.", "It was 12,345.")
    assert finding.as_recorded()


def test_a_text_that_quotes_what_was_not_found_is_an_error():
    sentence = r"^The claim 'toy' on toy quotes the figure 'count', which its experiment does not return\.$"
    with pytest.raises(UsageError, match=sentence):
        found(Evidence(Result.REFUTED, {}))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{count", "expected '}' before end of string"),
        ("{}", "Format string contains positional fields"),
        ("{0}", "Format string contains positional fields"),
        ("{count.size}", "'str' object has no attribute 'size'"),
    ],
)
def test_a_text_that_is_no_template_is_blamed_on_its_claim(text, problem):
    with pytest.raises(UsageError) as refusal:
        found(Evidence(Result.REFUTED, {"count": 1}), why=text)
    sentence = f"The claim 'toy' on toy has a text that is no template of its figures ({problem}): fix it."
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("returned", "problem"),
    [
        (5, "5, and evidence is a gomboc.checker.Evidence"),
        (Evidence(True, {}), "evidence with the result True, which is to be a Result"),
        (Evidence(Result.REFUTED, [3]), "evidence with the figures [3], which is to be a Mapping"),
        (Evidence(Result.REFUTED, {}, outcomes=(True,)), "evidence with the outcome True, which is to be a Result"),
    ],
)
def test_what_is_no_evidence_is_blamed_on_its_claim(returned, problem):
    with pytest.raises(UsageError) as refusal:
        found(returned)
    assert str(refusal.value) == f"The claim 'toy' on toy has an experiment that returns {problem}: fix it."


@pytest.mark.parametrize("error", [ZeroDivisionError("division by zero"), SystemExit(3)])
def test_an_experiment_that_raises_is_blamed_on_its_claim(monkeypatch, error):
    def examine():
        raise error

    monkeypatch.setattr(settlement, "experiment", lambda protocol, claim: examine)
    with pytest.raises(UsageError) as refusal:
        settlement.settle("toy", CLAIM)
    raised = f"{type(error).__name__}: {error}"
    assert str(refusal.value) == f"The claim 'toy' on toy has an experiment that raises {raised}: fix it."


def test_a_lemma_that_there_is_not_is_blamed_on_its_claim():
    with pytest.raises(UsageError) as refusal:
        settlement.settle("chord", replace(CLAIM, lemmas=("no_lemma",)))
    sentence = "The claim 'toy' on chord names the lemma 'no_lemma', and there is none of that name: fix it."
    assert str(refusal.value) == sentence


def test_a_trace_is_named_with_the_command_that_judges_it():
    scene = Scene("stuck", "it is stuck", lambda: None, "printed_linearize", 1)
    (shown,) = found(Evidence(Result.REFUTED, {"count": 1}), scenes=(scene,)).traces
    assert shown.command == "gomboc check --variant printed_linearize traces/toy/errata/stuck.jsonl"
    assert shown.exit_code == 1


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (64770, "64,770"),
        (Fraction(17, 16), "17/16"),
        ([1, 2000], "1, 2,000"),
        ([], "none"),
        ({"0": "a", "1": None}, "(0, a), (1, nobody)"),
        ("as it is", "as it is"),
    ],
)
def test_figures_are_written_as_one_reads_them(figure, text):
    assert written(figure) == text


def test_a_claim_that_was_looked_into_is_reproduced_or_refuted():
    assert (settled(True), settled(False)) == (Result.REPRODUCED, Result.REFUTED)


@pytest.mark.parametrize("unsaid", [Result.SILENT, Result.OURS])
def test_what_the_paper_does_not_say_is_never_refuted_or_reproduced(unsaid):
    finding = found(Evidence(Result.REFUTED, {"count": 1}), result=unsaid, examined=Result.REFUTED)
    assert (finding.found, finding.examined, finding.as_recorded()) == (unsaid, Result.REFUTED, True)


@pytest.mark.parametrize("unsaid", [Result.SILENT, Result.OURS])
def test_a_statement_of_ours_that_comes_out_otherwise_is_noticed(unsaid):
    finding = found(Evidence(Result.REPRODUCED, {"count": 1}), result=unsaid, examined=Result.REFUTED)
    assert (finding.found, finding.as_recorded()) == (Result.REPRODUCED, False)


TRIED = Reading("Moved: {count}.", Result.REPRODUCED), Reading("Copied.", Result.REFUTED)


def test_readings_that_come_out_differently_make_a_result_that_depends_on_them():
    evidence = by_readings((Result.REPRODUCED, Result.REFUTED), {"count": 1})
    finding = found(evidence, result=Result.DEPENDS, readings=TRIED)
    assert (finding.found, finding.as_recorded()) == (Result.DEPENDS, True)
    assert finding.readings[0].says == "Moved: 1."


def test_readings_that_agree_leave_nothing_to_depend_on_them():
    assert by_readings((Result.REFUTED, Result.REFUTED), {}).result is Result.REFUTED


def test_a_reading_that_comes_out_otherwise_is_noticed_though_the_result_depends_on_it_still():
    evidence = by_readings((Result.REFUTED, Result.REPRODUCED), {"count": 1})
    finding = found(evidence, result=Result.DEPENDS, readings=TRIED)
    assert finding.found is Result.DEPENDS
    assert finding.false == ("reproduced: Moved: {count}.", "refuted: Copied.")


def test_a_reading_that_was_not_tried_is_noticed():
    evidence = by_readings((Result.REPRODUCED,), {"count": 1})
    finding = found(evidence, result=Result.REPRODUCED, readings=TRIED)
    assert finding.false == ("2 readings are recorded, and 1 were tried",)
