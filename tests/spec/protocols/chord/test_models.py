"""The pinned models of Chord: each has the recorded results; those that are meant to fail do, and a trace shows it.

Source: Zave 2017; Section 2.2.3
"""

from functools import cache

import pytest

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.report import results_of
from gomboc.checker.explore.results.saving import save
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.protocols.chord.models import MODELS

BY_NAME = {pinned.name: pinned for pinned in MODELS}
QUICK = (
    "join_and_crash",
    "adopts_unasked",
    "never_pings",
    "waits_for_answers",
    "principals_fail_freely",
    "backwards",
    "two_rings",
    "false_suspicions",
    "two_rings_meet",
)
"""Those that take a second; `make explore` and `make exhaustive` hold the others against their records too."""


@cache
def explored(name):
    return explore(BY_NAME[name].model, "auto", Question(), silent)


@pytest.mark.parametrize("name", QUICK)
def test_the_results_are_those_recorded(name):
    assert results_of(explored(name)) == BY_NAME[name].results


@pytest.mark.parametrize(
    ("name", "promise", "variant"),
    [
        ("adopts_unasked", "invariant", "adopts_unasked"),
        ("adopts_unasked", "at_least_one_ring", "adopts_unasked"),
        ("never_pings", "convergence", "never_pings"),
        ("principals_fail_freely", "invariant", "principals_fail_freely"),
        ("backwards", "convergence", ""),
        ("two_rings", "convergence", ""),
    ],
)
def test_what_fails_is_saved_as_a_trace_that_the_judge_confirms(tmp_path, name, promise, variant):
    pinned = BY_NAME[name]
    (finding,) = [
        finding
        for finding in explored(name).findings
        if finding.promise == promise and isinstance(finding.verdict, Violated)
    ]
    saved = save(Target(pinned.name, pinned.about, pinned.model, "by a test"), finding, tmp_path / name)
    assert saved.confirm.endswith(f"--variant {variant}" if variant else ".jsonl"), saved.why


def test_every_variant_has_a_model_that_breaks():
    variants = {variant.name for variant in BY_NAME["join"].model.protocol.variants.errata}
    assert {pinned.variant for pinned in MODELS if pinned.variant} == variants
    assert all("violated" in pinned.results.verdicts for pinned in MODELS if pinned.variant)
