"""One simulated run, written into a pack: each step is encoded as numbers at once, and watched in numbers."""

from collections.abc import Mapping

import msgspec

from gomboc.checker.replay.pack.dictionary import NOTHING, Dictionary
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, NONE, TIMEOUT, Located
from gomboc.checker.replay.pack.record import Recorder
from gomboc.checker.simulate.watch import Faults, Watch
from gomboc.impl.core.trace import InFlight, Step

encode = msgspec.json.Encoder().encode
"""The encoder of the recorder: the same text, in pieces."""


class Links:
    """FIFO links, which are cut if one of their ends is asleep: `lost` messages, by id, are not `in_flight`."""

    def __init__(self, faults: Faults, now: Mapping[str, int], in_flight: dict[int, Located]) -> None:
        self._sleeping, self._in_flight = faults.sleeping, in_flight
        self._asleep = {node for node, state in now.items() if self._sleeping[state]}
        self._now = now
        self._sender: dict[int, str] = {}
        self.lost: dict[int, Located] = {}
        self._lose(tuple(in_flight))

    def observe(self, taken: int | str, node: str, sent: list[InFlight]) -> bool:
        """Record a step. Returns whether the node was awake and took a message that was lost."""
        self._sender |= dict.fromkeys((message.id for message in sent), node)
        if self._sleeping[self._now[node]] != (node in self._asleep):
            self._asleep ^= {node}
            self._lose(tuple(self._in_flight))
        else:
            self._lose(tuple(message.id for message in sent))
        return isinstance(taken, int) and self.lost.pop(taken, None) is not None and node not in self._asleep

    def _lose(self, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            if self._in_flight[number][0] in self._asleep or self._sender.get(number) in self._asleep:
                self.lost[number] = self._in_flight.pop(number)


class IdleSteps(dict[Located, dict[int, int]]):
    """The steps of a pack that change no state, send and deliver nothing: their numbers, by the content that is taken.

    By node and state; the content is NONE for a timeout. Most steps are idle, and are looked up here by one number.
    """

    def __missing__(self, at: Located) -> dict[int, int]:
        numbers = self[at] = {}
        return numbers


class PackedRun:
    """Consumer of the steps of one run, in order: `recorder` writes them, and `watch` decides when to stop.

    `idle` are the idle steps of all runs of the pack so far.
    """

    def __init__(
        self,
        dictionary: Dictionary,
        recorder: Recorder,
        roles: Mapping[str, str],
        faults: Faults,
        idle: IdleSteps,
    ) -> None:
        self._roles = roles
        self._idle = idle
        self._idle_now = {node: idle[node, state] for node, state in recorder.now.items()}
        self._faults = faults
        self._gives = dictionary.given
        self._states, self._messages, self._steps = dictionary.states, dictionary.messages, dictionary.steps
        self._now = recorder.now
        self._event, self._took, self._given = recorder.events.append, recorder.took.append, recorder.sent.append
        self._in_flight: dict[int, Located] = dict(recorder.start)
        self._links = Links(faults, recorder.now, self._in_flight) if faults.cuts else None
        self._written: dict[str, msgspec.Raw] = {}
        self.watch = Watch(faults, recorder.now, self._in_flight)

    def take(self, step: Step) -> bool:
        """Record a step. Returns whether it completes a round, makes the system legitimate, or is a command."""
        node, took, written = step.node, step.took, step.state
        before = after = self._now[node]
        # A core returns the same object for as long as its state has not changed, so no lookup is needed.
        if self._written.get(node) is not written:
            self._written[node] = written
            after = self._states[self._roles[node], bytes(written)]
            if after != before:
                self._now[node] = after
                self._idle_now[node] = self._idle[node, after]
        taken: int | str = node
        if isinstance(took, int):
            taken = took
            way, content = DELIVERY, self._in_flight.pop(took)[1] if self._links is None else self._taken(took)
            self._took(took)
        else:
            way, content = (TIMEOUT, NONE) if took == "timeout" else (COMMAND, self._messages[encode(took)])
            self._took(NONE)
        sends: tuple[Located, ...] = ()
        if step.sent or before != after or step.coin is not None or step.delivered or way == COMMAND:
            sends = self._send(step.sent)
            delivered = encode(step.delivered) if step.delivered else None
            gives = self._gives[sends, step.coin, delivered, None]
            self._event(self._steps[node, before, way, content, after, gives])
        else:
            idle = self._idle_now[node]
            number = idle.get(content)
            if number is None:
                number = idle[content] = self._steps[node, before, way, content, after, NOTHING]
            self._event(number)
        returned = self._links is not None and self._links.observe(taken, node, step.sent)
        if way == COMMAND:
            if self._faults.is_quiet(content, before == after and not sends):
                self.watch.quiet_command(node, before != after)
            else:
                self.watch.command()
            return True
        if returned:
            self.watch.returned()
            return True
        return self.watch.observe(taken, node, before != after)

    def _taken(self, number: int) -> int:
        """The content of a message that is taken; a lost message may arrive, too."""
        if number in self._in_flight:
            return self._in_flight.pop(number)[1]
        assert self._links is not None, "only links lose messages"
        return self._links.lost[number][1]

    def _send(self, sent: list[InFlight]) -> tuple[Located, ...]:
        sends = []
        messages, in_flight = self._messages, self._in_flight
        for message in sent:
            number = message.id
            sending = in_flight[number] = message.to, messages[encode(message.message)]
            self._given(number)
            sends.append(sending)
        return tuple(sends)
