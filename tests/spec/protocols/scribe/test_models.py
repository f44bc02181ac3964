"""The pinned models of Scribe: each has the recorded results; those that are meant to fail do, and a trace shows it."""

from functools import cache

import pytest

from gomboc.checker.explore.engines import explore
from gomboc.checker.explore.questions.bounds import silent
from gomboc.checker.explore.questions.question import Question
from gomboc.checker.explore.questions.target import Target
from gomboc.checker.explore.results.report import results_of
from gomboc.checker.explore.results.saving import save
from gomboc.checker.judge.verdict import Violated
from gomboc.spec.protocols.scribe.models import MODELS, any_edge_message
from gomboc.spec.protocols.scribe.space import names
from gomboc.spec.protocols.scribe.state import Subscribe

BY_NAME = {pinned.name: pinned for pinned in MODELS}
QUICK = tuple(name for name, pinned in BY_NAME.items() if pinned.results.states < 26_000)
"""Those that take a second or two; `make explore` and `make exhaustive` hold the others against their records too."""


@cache
def explored(name):
    return explore(BY_NAME[name].model, "auto", Question(), silent)


@pytest.mark.parametrize("name", QUICK)
def test_the_results_are_those_recorded(name):
    assert results_of(explored(name)) == BY_NAME[name].results


def test_messages_along_edges_are_counted_and_each_stands_once():
    """Between two of three nodes, either way: a Subscribe of no, one or two subscribers, a Leave and a Heartbeat."""
    messages = any_edge_message(names(3)).values
    assert len(messages) == len(set(messages)) == 3 * 2 * (3 + 1 + 1)
    assert {message.count for _, message in messages if isinstance(message, Subscribe)} == {0, 1, 2}


@pytest.mark.parametrize(
    ("name", "promise"),
    [
        ("sends_once", "convergence"),
        ("parent_from_sender", "convergence"),
        ("no_heartbeats", "convergence"),
        ("no_refresh", "convergence"),
        ("heartbeat_timer", "closure"),
    ],
)
def test_a_failure_is_saved_as_a_trace_that_the_judge_confirms(tmp_path, name, promise):
    pinned = BY_NAME[name]
    found = [
        finding
        for finding in explored(name).findings
        if finding.promise == promise and isinstance(finding.verdict, Violated)
    ]
    saved = save(Target(pinned.name, pinned.about, pinned.model, "by a test"), found[0], tmp_path / name)
    assert saved.confirm.endswith(f"--variant {name}"), saved.why


def test_without_a_handover_the_last_copy_is_lost():
    violated = {item.promise for item in explored("no_handover").findings if isinstance(item.verdict, Violated)}
    assert violated == {"nothing_is_lost"}


def test_every_variant_has_a_model_that_breaks():
    variants = {variant.name for variant in BY_NAME["pair"].model.protocol.variants.errata}
    assert {pinned.variant for pinned in MODELS if pinned.variant} == variants
    assert all("violated" in pinned.results.verdicts for pinned in MODELS if pinned.variant)
