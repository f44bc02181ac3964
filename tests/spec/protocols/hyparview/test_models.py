"""The pinned models of HyParView: each has the recorded results; those that are meant to fail do."""

import pytest

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.report import results_of
from gomboc.checker.explore.results.saving import save
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.protocols.hyparview import PROTOCOL
from gomboc.spec.protocols.hyparview.models import MODELS, SMALL, closed

BY_NAME = {pinned.name: pinned for pinned in MODELS}


@pytest.mark.parametrize("name", ["joined", "one_sided", "held", "kept", "spread"])
def test_the_results_are_those_recorded(name):
    """`make explore` holds the others against their records, too."""
    assert results_of(explore(BY_NAME[name].model, "auto", Question(), silent)) == BY_NAME[name].results


def test_a_right_link_that_is_displaced_is_saved_as_a_trace_that_the_judge_confirms(tmp_path):
    """Three nodes are too few: two places are enough for all."""
    pinned = BY_NAME["accepts_all"]
    found = explore(pinned.model, "auto", Question(), silent)
    (finding,) = [finding for finding in found.findings if isinstance(finding.verdict, Violated)]
    saved = save(Target(pinned.name, pinned.about, pinned.model, "by a test"), finding, tmp_path / "accepts_all")
    assert saved.confirm.endswith("--variant accepts_all"), saved.why
    three = explore(closed(SMALL, 3, 4, "accepts_all"), "auto", Question(), silent)
    assert not [finding for finding in three.findings if isinstance(finding.verdict, Violated)]


def test_every_variant_has_a_model_that_breaks():
    assert {pinned.variant for pinned in MODELS if pinned.variant} == {one.name for one in PROTOCOL.variants.errata}
    assert all("violated" in pinned.results.verdicts for pinned in MODELS if pinned.variant)
