"""One simulated run on its way into a pack: each step becomes numbers at once, and is watched in numbers."""

from collections.abc import Mapping

import msgspec

from checker.replay.pack.dictionary import Dictionary
from checker.replay.pack.format import COMMAND, DELIVERY, NONE, TIMEOUT, Located
from checker.replay.pack.record import Recorder
from checker.simulate.watch import Faults, Watch
from impl.trace import InFlight, Step

encode = msgspec.json.Encoder().encode
"""As the recorder encodes a line: the same text, in pieces."""


class PackedRun:
    """What takes the steps of one run, in order: `recorder` writes them down, and `watch` sees when it is enough."""

    def __init__(
        self,
        dictionary: Dictionary,
        recorder: Recorder,
        roles: Mapping[str, str],
        faults: Faults,
    ) -> None:
        self._roles = roles
        self._faults = faults
        self._states, self._messages, self._steps = dictionary.states, dictionary.messages, dictionary.steps
        self._now, self._sent = recorder.now, recorder.sent
        self._event, self._took = recorder.events.append, recorder.took.append
        self._in_flight: dict[int, Located] = dict(recorder.start)
        self._written: dict[str, msgspec.Raw] = {}
        self.watch = Watch(faults, recorder.now, self._in_flight)

    def take(self, step: Step) -> bool:
        """Take a step; whether it completes a round, makes the system legitimate, or is a command."""
        node, took, written = step.node, step.took, step.state
        before = after = self._now[node]
        # A core gives the same object again while nothing has changed.
        if self._written.get(node) is not written:
            self._written[node] = written
            after = self._now[node] = self._states[self._roles[node], bytes(written)]
        taken: int | str = node
        if isinstance(took, int):
            taken = took
            way, content = DELIVERY, self._in_flight.pop(took)[1]
            self._took(took)
        else:
            way, content = (TIMEOUT, NONE) if took == "timeout" else (COMMAND, self._messages[encode(took)])
            self._took(NONE)
        sends = self._send(step.sent) if step.sent else ()
        delivered = encode(step.delivered) if step.delivered else None
        self._event(self._steps[node, before, way, content, after, sends, step.coin, delivered, None])
        if way == COMMAND:
            if self._faults.is_quiet(content):
                self.watch.quiet_command(node, before != after)
            else:
                self.watch.command()
            return True
        return self.watch.observe(taken, node, before != after)

    def _send(self, sent: list[InFlight]) -> tuple[Located, ...]:
        sends = []
        for each in sent:
            sending = each.to, self._messages[encode(each.message)]
            self._in_flight[each.id] = sending
            self._sent.append(each.id)
            sends.append(sending)
        return tuple(sends)
