"""Lines of traces in the recorder's own spelling: each distinct text in them is read once.

Most lines are cut at the names of their keys: if each part is a text that has been accepted, the line is what these
texts say, wherever it was cut. The others are read whole, with states and messages as text. Lines in another spelling
are left to the trace reader, which knows the sentence for each fault.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw

from gomboc.checker.replay.pack.accepted import (
    FIRST_SEND,
    NEXT_SEND,
    AcceptedTexts,
    ForeignSpellingError,
    all_given,
)
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, NONE, TIMEOUT, Located
from gomboc.checker.replay.pack.record import NumberedStep, Recorder
from gomboc.checker.traces.keys import ENCODE
from gomboc.checker.traces.trace import Id

ABSENT = Raw()
"""Stands for an optional key that is not there."""


class SentText(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    """A message given to the network, its content as text."""

    id: Id
    to: str
    message: Raw


class Line(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """A step, its states and messages as text; a command is made of JSON's own values."""

    node: str
    took: Any
    state: Raw
    sent: list[SentText]
    delivered: Raw = ABSENT
    coin: str | None = None
    before: Raw = ABSENT
    received: Raw = ABSENT
    at: float | None = None


NO_OTHERS: tuple[Sequence[bytes], tuple[Located, ...]] = (), ()
"""The ids and sends before the only one."""

_LINE = msgspec.json.Decoder(Line)
_IDS = msgspec.json.Decoder(list[Id])


class LineReader:
    """Reads the lines of one trace. `roles` are those of its nodes."""

    def __init__(self, recorder: Recorder, texts: AcceptedTexts, roles: Mapping[str, str]) -> None:
        self._recorder, self._texts = recorder, texts
        self._states = {node: texts.states[role] for node, role in roles.items()}
        self._ends = {node: texts.ends[role] for node, role in roles.items()}
        # The beginnings of the lines of each node, up to an id or to its state.
        self._takes = {b'{"node":%b,"took"' % ENCODE(node): node for node in roles}
        self._timeouts = {begin + b':"timeout"': node for begin, node in self._takes.items()}
        self._forget()

    def _forget(self) -> None:
        """Begin a portion: its steps, the ids that they take and send as text, and what few of them have, by index."""
        self._steps: list[NumberedStep] = []
        self._taken: list[bytes] = []
        self._sent_ids: list[bytes] = []
        self._times: dict[int, float] = {}
        self._claims: dict[int, int] = {}

    def record(self, lines: Sequence[bytes]) -> bool:
        """Record these lines if each is in the recorder's spelling, and none otherwise. Returns whether it was so."""
        self._forget()
        try:
            self._cut(lines)
            taken, sent_ids = _ids(self._taken), _ids(self._sent_ids)
        except (ValueError, KeyError, RecursionError):
            return False
        first = len(self._recorder.events)
        self._recorder.take(self._steps, taken, sent_ids)
        for index, at in self._times.items():
            self._recorder.happened(first + index, at)
        for index, before in self._claims.items():
            self._recorder.claimed(first + index, before)
        return True

    def _cut(self, lines: Sequence[bytes]) -> None:
        """Take the lines apart; read those whole that have a part which is not known."""
        ends, states, tails, earlier = self._ends, self._states, self._texts.tails, self._earlier
        timeouts, takes, gives_all = self._timeouts, self._takes, self._recorder.gives
        steps, taken, sent_ids = self._steps, self._taken, self._sent_ids
        for line in lines:
            try:
                begin, _, rest = line.partition(b',"state":')
                way, node, number = TIMEOUT, timeouts.get(begin), b""
                if node is None:
                    begin, _, number = begin.rpartition(b":")
                    way, node = DELIVERY, takes[begin]
                state, _, sent = rest.partition(FIRST_SEND)
                if sent:
                    after, (*others, last) = states[node][state], sent.split(NEXT_SEND)
                    # Texts are numbered in the order in which they stand.
                    ids, sends = earlier(others) if others else NO_OTHERS
                    last, _, tail = last.partition(b",")
                    send, gives, fields, at = tails[tail]
                    if others:
                        gives = gives_all(all_given((*sends, send), fields))
                    sent_ids += ids
                    sent_ids.append(last)
                else:
                    after, gives, at = ends[node][rest]
            except (ValueError, KeyError, RecursionError):
                self._whole(line)
                continue
            if way == DELIVERY:
                taken.append(number)
            if at is not None:
                self._times[len(steps)] = at
            steps.append((node, way, NONE, after, gives))

    def _earlier(self, parts: Sequence[bytes]) -> tuple[Sequence[bytes], tuple[Located, ...]]:
        """The ids of the sends before the last one, and the targets with their contents."""
        cut = [part.partition(b",") for part in parts]
        return [number for number, _, _ in cut], tuple([self._texts.sends[content] for _, _, content in cut])

    def _whole(self, text: bytes) -> None:
        """Read a line that is in the recorder's spelling. Raises ValueError, KeyError or RecursionError."""
        line, texts = _LINE.decode(text), self._texts
        if ENCODE(line) != text:
            raise ForeignSpellingError("not in the recorder's spelling")
        states, delivered, received = self._states[line.node], bytes(line.delivered), bytes(line.received)
        if delivered:
            texts.deliveries[delivered]
        if received and type(line.took) is not int:
            raise ForeignSpellingError("a message is named, and none was delivered")
        way, content = TIMEOUT, NONE
        if type(line.took) is int:
            way = DELIVERY
            self._taken.append(b"%d" % line.took)
        elif line.took != "timeout":
            way, content = COMMAND, texts.commands[ENCODE(line.took)]
        sends = tuple([(sent.to, texts.messages[bytes(sent.message)]) for sent in line.sent])
        self._sent_ids += [b"%d" % sent.id for sent in line.sent]
        if line.at is not None:
            self._times[len(self._steps)] = line.at
        if bytes(line.before):
            self._claims[len(self._steps)] = states[bytes(line.before)]
        heard = texts.messages[received] if received else None
        after = states[bytes(line.state)]
        gives = self._recorder.gives((sends, line.coin, delivered or None, heard))
        self._steps.append((line.node, way, content, after, gives))


def _ids(texts: Sequence[bytes]) -> list[int]:
    """The ids of messages in these texts. Raises ValueError unless each is one id."""
    ids: list[int] = _IDS.decode(b"[%b]" % b",".join(texts))
    if len(ids) != len(texts):
        raise ForeignSpellingError("not in the recorder's spelling")
    return ids
