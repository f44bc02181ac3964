"""Runs that publish while members join, leave, crash and are suspected: a small version of a campaign of 1,000 runs.

Each starts in an arbitrary state, with publications placed arbitrarily, and is disturbed as its seed says.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems, Theorems 8, 13,
17 and 23; Section 3.3
"""

from collections import Counter

import numpy as np
import pytest

from gomboc.checker.distinct.distinct import COMMAND, NONE, Distinct
from gomboc.checker.distinct.spelling import Decoders, PackValues
from gomboc.checker.judge.naive import Options
from gomboc.checker.replay.pack.read import open_corpus
from gomboc.checker.replay.run.local import LocalPool
from gomboc.checker.replay.run.replay import How, replay_corpus
from gomboc.checker.simulate.packs import local, simulate_packs
from gomboc.checker.simulate.plan import Plan
from gomboc.spec.core.protocol import configured
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.rules import CITED, SUBSCRIBER_TIMEOUT, SUPERVISOR_TIMEOUT
from gomboc.spec.protocols.skip_ring.state import Restart, Subscriber
from gomboc.spec.publishing.publications import parameters_of, right_set
from tests.sampling import THOROUGH

pytestmark = pytest.mark.long

KEYS = {"key_bits": 32}
PARAMETERS = parameters_of(KEYS)
SIZES = (*range(1, 9),) * 3 + (9, 10, 11, 12, 16, 24) if THOROUGH else (*range(1, 13),)
PLAN = Plan(
    "skip_ring", "skip_ring", SIZES, len(SIZES), seed=2, settle=3, publications=40, disturb=True, parameters=KEYS
)


def quiet(done, total):
    """Progress that is not shown."""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("campaign") / "corpus"
    simulate_packs(PLAN, folder, len(SIZES), local(1), quiet)
    return folder


@pytest.fixture(scope="module")
def summary(corpus):
    return replay_corpus(corpus, Options(), How(corpus.with_name("verdicts")), LocalPool(1))


def test_every_run_conforms_is_closed_and_converges(summary):
    assert summary.verdicts == {"holds": len(SIZES)}
    assert summary.exit_code() == 0


def test_every_rule_and_every_kind_of_message_and_command_occurs(summary):
    rules = {cited.name for cited in (*CITED.values(), SUPERVISOR_TIMEOUT, SUBSCRIBER_TIMEOUT)}
    assert {rule.rule for rule in summary.coverage.rules} == rules
    assert summary.coverage.missing == ()
    assert 0 not in summary.coverage.messages.values()
    assert 0 not in summary.coverage.commands.values()


def steps_of(pack, parameters=KEYS):
    """Every distinct step of a subscriber: its state before and after, and the command that it takes, if it does."""
    words = Distinct(pack.states, pack.messages, pack.steps)
    values = PackValues(Decoders(configured(PROTOCOL, parameters)), words)
    for row in np.flatnonzero(words.before != NONE).tolist():
        before, after = values.state(int(words.before[row])), values.state(int(words.after[row]))
        if isinstance(before, Subscriber):
            yield before, after, values.command(int(words.input[row])) if words.took[row] == COMMAND else None


def lost(before, after):
    """The right publications that a subscriber holds no more after a step."""
    return {*right_set(before.publications, PARAMETERS)} - {*right_set(after.publications, PARAMETERS)}


def may_forget(before, after, command):
    """Whether the step is the restart of a node that kept nothing, or the end of a leaver that was to forget."""
    left = before.forgets and not before.wants and after.label is None
    return left or (isinstance(command, Restart) and not command.keep)


def test_no_publication_is_lost_but_by_whom_forgets_or_restarts_with_nothing(corpus):
    reasons = Counter(
        may_forget(before, after, command)
        for pack in open_corpus(corpus).packs()
        for before, after, command in steps_of(pack)
        if before.publications and lost(before, after)
    )
    assert reasons[False] == 0
    assert reasons[True] > 0
