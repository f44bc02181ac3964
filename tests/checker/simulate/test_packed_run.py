"""A run on its way into a pack: its steps, and the messages that it loses under FIFO, as for the judge."""

from random import Random
from types import SimpleNamespace

from msgspec import Raw

from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.record import Recorder
from gomboc.checker.simulate.packed_run import IdleSteps, Links, PackedRun
from gomboc.checker.simulate.watch import Faults
from gomboc.impl.core.trace import InFlight, Step
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


def test_only_steps_alike_in_every_respect_share_a_number():
    words, text = Dictionary(), Raw(b'{"text":"a"}')
    recorder = Recorder(words, b"{}", {"a": "teller", "b": "teller"}, {"a": bytes(text), "b": bytes(text)}, [])
    run = PackedRun(words, recorder, {"a": "teller", "b": "teller"}, Faults(FIFO, words), IdleSteps())
    for step in (
        Step("a", "timeout", text, []),
        Step("a", "timeout", text, [], ("news",)),
        Step("a", "timeout", text, [], (), "heads"),
        Step("a", "timeout", text, [InFlight(1, "b", {"text": "x"}), InFlight(2, "b", {"text": "x"})]),
        Step("a", "timeout", Raw(b'{"text":"b"}'), []),
        Step("a", "timeout", Raw(b'{"text":"b"}'), []),
        Step("a", "timeout", Raw(b'{"text":"a"}'), []),
        Step("a", "timeout", Raw(b'{"text":"a"}'), []),
        Step("b", 1, text, []),
        Step("b", 2, text, []),
        Step("b", "timeout", text, []),
    ):
        run.take(step)
    assert list(recorder.events) == [0, 1, 2, 3, 4, 5, 6, 0, 7, 7, 8]
