"""Under all actions of applications and the failure detector, each topic's trace holds and its subscribers agree."""

from contextlib import suppress
from random import Random

import pytest

from gomboc.checker.judge.naive import judge_file
from gomboc.impl.api.overlays import overlay
from gomboc.impl.core.reasons import RefusedError
from tests.impl.system import System, assert_holds

NAMES = ["ann", "ben", "cai", "dan", "eve"]
TOPICS = ["a", "b", "c"]


def disturb(there, random, incarnation):
    """One thing that an application or the failure detector may do."""
    name, topic = random.choice(NAMES), random.choice(TOPICS)
    match random.choice("ssspppuucdt"):
        case "s":
            there[name].subscribe(topic)
        case "p":
            there[name].publish(topic, f"{random.random()}")
        case "u":
            there[name].unsubscribe(topic, forget=random.random() < 0.5)
        case "c":
            there.start(name, incarnation)
        case "d":
            there.supervisor.suspect(name)
        case "t":
            there.supervisor.trust(name)


def disturbed(seed, parameters):
    random, there = Random(seed), System(overlay("skip_ring", parameters), NAMES, seed=seed)
    for incarnation in range(2, 42):
        with suppress(RefusedError):
            disturb(there, random, incarnation)
        there.run(random.expovariate(0.7))
    for name in NAMES:
        there.supervisor.trust(name)
    there.run(25)
    return there


@pytest.mark.parametrize("parameters", [{"key_bits": 24}, {"key_bits": 16, "keep": 2}], ids=["all kept", "some kept"])
@pytest.mark.parametrize("seed", range(6))
def test_every_trace_holds_and_the_subscribers_of_a_topic_hold_the_same(seed, parameters, tmp_path):
    there = disturbed(seed, parameters)
    judged = {path.stem: judge_file(path) for path in there.recording.write(tmp_path)}
    for judgement in judged.values():
        assert_holds(judgement)
    for topic in judged:
        held = {there[name].history(topic) for name in NAMES if topic in there[name].topics}
        assert len(held) <= 1
