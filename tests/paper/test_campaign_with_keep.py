"""Runs that publish while each publisher's old publications expire, and members join, leave, crash and are suspected.

As `gomboc simulate skip_ring --nodes 1..8 --publications 30 --key-bits 16 --keep 2 --chunk 2 --disturb` has them.

Source: Theorems 8, 13, 17 and 23; `keep` is not in the paper
"""

from collections import Counter

import pytest
from msgspec.structs import replace

from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.replay import How, replay_corpus
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan
from gomboc.spec.publishing.publications import parameters_of, right_set
from tests.paper.test_campaign import may_forget, quiet, steps_of

KEEPING = {"key_bits": 16, "keep": 2, "chunk": 2}
PARAMETERS = parameters_of(KEEPING)
SIZES = tuple(range(1, 9))
PLAN = Plan(
    "skip_ring", "skip_ring", SIZES, len(SIZES), seed=3, settle=3, publications=30, disturb=True, parameters=KEEPING
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keeping") / "corpus"
    simulate_packs(PLAN, folder, len(SIZES), local(1), quiet)
    return folder


def test_every_run_conforms_is_closed_and_converges(corpus):
    summary = replay_corpus(corpus, Options(), How(corpus.with_name("verdicts")), LocalPool(1))
    assert summary.verdicts == {"holds": len(SIZES)}


def gone(before, after):
    """Why each right publication that a subscriber held is there no more: newer ones, newer false ones, or nothing."""
    stored = (*before.publications, *after.publications)
    newest = {*right_set(stored, PARAMETERS)}
    held = {*right_set(before.publications, PARAMETERS)} - {*right_set(after.publications, PARAMETERS)}
    return [
        "newer" if publication not in newest else "false" if is_outnumbered(publication, stored) else "none"
        for publication in held
    ]


def is_outnumbered(publication, stored):
    """Whether so many later ones of its publisher are stored as are kept, with any signer: by number, then by key.

    Before an audit it may be stored under a wrong key, which counts.
    """
    of_publisher = {other for other in stored if other.publisher == publication.publisher}
    own = min((other.number, other.key) for other in of_publisher if replace(other, key=publication.key) == publication)
    return len({other.key for other in of_publisher if (other.number, other.key) > own}) >= PARAMETERS.keep


def test_publications_expire_and_nothing_else_is_lost(corpus):
    """Until its first timeout a subscriber holds false publications, too, and these can make right ones expire."""
    reasons = Counter()
    for pack in open_corpus(corpus).packs():
        for before, after, command in steps_of(pack, KEEPING):
            if before.publications and not may_forget(before, after, command):
                audited = right_set(before.publications, PARAMETERS) == before.publications
                reasons.update((why, audited) for why in gone(before, after))
    assert reasons["newer", True] > 0
    assert {why for why, _ in reasons} <= {"newer", "false"}
    assert ("false", True) not in reasons
