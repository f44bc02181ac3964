"""Killers that others have made: the paper's tests, the explorer, the lemmas, and the implementation in lockstep.

Each is imported where it is used: most mutants die before.
"""

import io
from contextlib import redirect_stdout
from pathlib import Path
from random import Random

from gomboc.spec.core.domain import OneOf, Record, Table, optional, sample
from gomboc.spec.core.instance import Instance, bounded_model
from gomboc.spec.core.protocol import Size
from gomboc.spec.protocols.skip_ring import PROTOCOL
from gomboc.spec.protocols.skip_ring.state import (
    CYCLE,
    SUPERVISOR,
    Claim,
    Entry,
    Introduce,
    Linearize,
    RemoveConnections,
    SetData,
    Subscribe,
    Subscriber,
    Supervisor,
    Unsubscribe,
)
from tests.mutants import reference_model

ROOT = Path(__file__).resolve().parent.parent.parent


OF_THE_GRAPH = (
    "test_the_legitimate_state_is_the_graph_of_definition_2",
    "test_shortcuts_stay_on_ones_own_semicircle",
)
"""Long tests of the paper, which check for large rings the claim of `the_ring_is_definition_2` for small ones."""


class _Failures:
    """Collects the names of tests that fail."""

    def __init__(self):
        self.names = []

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.names.append(report.nodeid.split("::")[-1])


def the_papers_sentences():
    """Every sentence of the paper is as true, or as false, as `tests/paper` has it."""
    import pytest

    failures = _Failures()
    options = ["-q", "-x", "--noconftest", "-p", "no:cacheprovider", "-p", "no:hypothesispytest"]
    left_out = " and ".join(f"not {name}" for name in OF_THE_GRAPH)
    with redirect_stdout(io.StringIO()):
        code = pytest.main([*options, "-k", left_out, str(ROOT / "tests/paper/test_skip_ring.py")], [failures])
    yield from (f"{name} fails" for name in failures.names)
    if code and not failures.names:
        yield f"the tests of the paper cannot be run (exit code {int(code)})"


def _slots(*claims):
    """A left, a right and a closing edge, each one of these claims or none."""
    return (OneOf((None, *claims)),) * 3


def instances():
    """Small systems from many corrupted starts, with two or three messages in flight at once.

    One subscriber and any database; two subscribers, one of which is in any state; two that know each other anyhow.
    """
    one, two = Claim("0", "v1"), Claim("1", "v2")
    database = reference_model.database_of(["v1", "v2"])
    supervisor = SUPERVISOR, "supervisor", OneOf((Supervisor(database),))
    entries = Table(Entry, ("0", "01", "1"), optional(OneOf(("v1",))), 2)
    anything = Record(Supervisor, (entries, OneOf((0, 5))))
    alone = Record(Subscriber, (OneOf((None, "0", "1")), *_slots(), OneOf(((),)), OneOf((True, False))))
    yield _instance((SUPERVISOR, "supervisor", anything), ("v1", "subscriber", alone), messages=ALONE, most=3)
    any_one = "v1", "subscriber", Record(Subscriber, (OneOf((None, "0", "1")), *_slots(two)))
    right = "v2", "subscriber", OneOf((reference_model.right_states(database)["v2"],))
    yield _instance(supervisor, any_one, right, messages=FALSE, most=2)
    lower = "v1", "subscriber", Record(Subscriber, (OneOf(("0",)), *_slots(two)))
    upper = "v2", "subscriber", Record(Subscriber, (OneOf(("1",)), *_slots(one)))
    yield _instance(supervisor, lower, upper, messages=FALSE[:1], most=2)


ALONE = (
    (SUPERVISOR, Subscribe("v1")),
    (SUPERVISOR, Unsubscribe("v1")),
    ("v1", SetData(None, "1", None)),
    ("v1", Linearize(Claim("1", "v1"))),
)
FALSE = (
    ("v2", Linearize(Claim("11", "v1"))),
    ("v1", Introduce(Claim("01", "v2"), CYCLE)),
    ("v1", RemoveConnections("v2")),
    ("v2", SetData(None, None, None)),
)


def _instance(*nodes, messages, most):
    return Instance(PROTOCOL, nodes, OneOf(messages), in_flight=1, copies=1, most=most)


def every_schedule_of_a_small_ring():
    """The explorer finds no promise broken in small systems, over every schedule and all coins."""
    from gomboc.checker.explore.graph.examine import examine
    from gomboc.checker.explore.questions.bounds import Bounds
    from gomboc.checker.explore.questions.question import Question
    from gomboc.checker.judge.verdict import Violated

    for instance in instances():
        exploration = examine(bounded_model(instance), Question(bounds=Bounds(most_states=30_000, seconds=60)))
        for finding in exploration.findings:
            if isinstance(finding.verdict, Violated):
                yield f"{finding.promise} is violated among {exploration.states} states: {finding.verdict.says}"


def the_lemmas_encodings():
    """The specification's functions agree with the encodings about which z3 has proved the lemmas."""
    from gomboc.checker.prove.registry import find_lemmas

    for lemma in find_lemmas():
        if lemma.agrees_with_spec is not None:
            for seed in range(4):
                drawn = lemma.agrees_with_spec(Random(seed))
                if drawn.encoded != drawn.specified:
                    yield f"{lemma.name} is proved of {drawn.encoded}, and the specification does {drawn.specified}"


def the_implementation_in_lockstep():
    """The implementation, which reads the paper independently, takes the same steps."""
    from tests.lockstep.test_skip_ring import RING, step_that_differs

    for nodes in (1, 2, 3, 4):
        domain = PROTOCOL.space(Size(nodes, 4))
        for seed in range(200):
            random = Random(seed)
            start = sample(domain, random)
            schedule = [(random.randrange(256), random.random() < 0.3) for _ in range(40)]
            differs = step_that_differs(RING, start, schedule)
            if differs is not None:
                yield f"in step {differs[0]} of start {seed} of {nodes}, {differs[1]} does otherwise by {differs[2]}"
