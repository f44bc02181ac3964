"""Mutants of rules and conjuncts break closure of small systems, and the lemmas on closure for every n notice it."""

from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from tests.mutants import closure
from tests.mutants.closure import KEPT, explored_by_steps, main, tried
from tests.mutants.rows import Row
from tests.mutants.small import SYSTEMS
from tests.mutants.trial import changed, project

pytestmark = pytest.mark.long


@pytest.mark.parametrize("protocol", ["skip_ring", "skip_plus"])
def test_no_step_of_ours_leads_out_of_the_legitimate_states_of_small_systems(protocol):
    assert explored_by_steps(protocol) == KEPT


def test_a_conjunct_that_is_left_out_lets_a_node_have_more_states(monkeypatch):
    """Nothing is faulty of an answer in flight: then a step leads out of legitimacy."""
    (ring, *_) = SYSTEMS["chord"]
    credulous = ring().protocol.changed(message_faults=lambda members, target, message: ())
    monkeypatch.setitem(SYSTEMS, "chord", (lambda: replace(ring(), protocol=credulous),))
    assert explored_by_steps("chord").startswith("broken: ")


def test_a_mutant_that_breaks_closure_is_noticed_by_a_lemma():
    old, new = (f"return isinstance(local, Subscriber) {word} local.crashed" for word in ("and", "or"))
    row = Row("spec/protocols/skip_ring/legitimacy.py", "all_are_crashed", old, new)
    with project() as copy, changed(copy, row):
        judged = tried(copy.folder, row)
    assert judged.startswith("broken: ")
    assert "; noticed: closure_of_subscribers_for_every_n: " in judged


@pytest.mark.parametrize(("judged", "code"), [("broken: a; proved", 1), ("broken: a; noticed: b", 0), (KEPT, 0)])
def test_only_a_mutant_that_no_lemma_notices_fails(monkeypatch, judged, code):
    monkeypatch.setattr(closure, "tried", lambda folder, row, every: judged)
    monkeypatch.setattr(closure, "project", lambda: nullcontext(SimpleNamespace(folder=None)))
    monkeypatch.setattr(closure, "changed", lambda copy, row: nullcontext())
    assert main(29, 1, False) == code
