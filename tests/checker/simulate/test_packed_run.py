"""On its way into a pack, a run loses under FIFO the messages that it loses for the judge."""

from random import Random
from types import SimpleNamespace

from gomboc.checker.simulate.packed_run import Links
from tests.checker.replay.kernel.stating import SLEEPING, sleepy
from tests.checker.replay.kernel.telling import honest_trace
from tests.toys.words.spec import FIFO, system_and_steps


class Asleep:
    def __getitem__(self, state):
        return state.text == SLEEPING


def test_links_lose_and_return_what_the_judge_says():
    protocol, lost, returned = sleepy(FIFO), 0, 0
    for seed in range(40):
        system, steps = system_and_steps(*honest_trace(protocol, Random(seed), 25, 0.1), protocol=protocol)
        now = dict(system.states)
        in_flight = {sent.id: (sent.to, 0) for sent in system.in_flight.values()}
        links = Links(SimpleNamespace(sleeping=Asleep()), now, in_flight)
        for step in steps:
            system.apply(step)
            now[step.node] = step.state
            in_flight.pop(step.took if isinstance(step.took, int) else None, None)
            in_flight |= {sent.id: (sent.to, 0) for sent in step.sent}
            assert links.observe(step.took, step.node, step.sent) == system.returned
            assert set(in_flight) == set(system.in_flight) - system.lost
            lost, returned = lost + len(links.lost), returned + system.returned
    assert lost > 10 < returned
