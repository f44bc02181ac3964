"""The equivalence of two ways to judge that z3 has proved holds for the judges: the naive one, and the one on packs."""

from collections import Counter
from random import Random

import pytest

from gomboc.checker.prove.encoding.replayed import protocol_of, verdict
from gomboc.checker.prove.lemmas.factored import LIES, random_trace
from tests.checker.replay.kernel.packed import factored, known
from tests.toys.words import spec as toy


def as_trace(values):
    """A trace of plain values as JSON Lines."""
    head = {
        "format": "gomboc-trace",
        "version": 1,
        "protocol": "actors",
        "parameters": {},
        "roles": dict.fromkeys(values["initial"], "actor"),
        "states": {node: word(state) for node, state in values["initial"].items()},
        "messages": in_flight(values["in_flight"]),
        "origin": {"implementation": "by hand"},
    }
    return toy.written(head, *map(as_line, values["steps"]))


def in_flight(sends):
    return [{"id": number, "to": to, "message": word(content)} for number, to, content in sends]


def word(text):
    return {"text": text}


def as_line(step):
    """A step as a line of a trace."""
    line = {"node": step["node"], "took": "timeout", "before": word(step["before"]), "state": word(step["after"])}
    taken = {} if step["took"] is None else {"took": step["took"], "received": word(step["received"])}
    return {**line, **taken, "sent": in_flight(step["sent"])}


def conforms(values):
    """The verdicts of the naive judge and the factored one."""
    protocol = protocol_of(values)
    with known(protocol):
        (row,) = factored(protocol, [as_trace(values)])
    return verdict(values) == "conforms", row["conformance"] == "holds"


def test_both_judges_say_the_same_of_every_sample():
    counts = Counter(conforms(random_trace(Random(seed))) for seed in range(150))
    assert counts.keys() == {(True, True), (False, False)}
    assert min(counts.values()) > 30


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: lie.__name__)
def test_both_judges_find_each_lie(lie):
    counts = Counter(conforms(random_trace(Random(seed), lie)) for seed in range(40))
    assert counts.keys() <= {(True, True), (False, False)}
    assert counts[False, False] > 10
