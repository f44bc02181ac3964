"""Lines of traces in the recorder's own spelling: each distinct text in them is read once.

Most lines are cut at the names of their keys: if each part is a text that has been accepted, the line is what these
texts say, wherever it was cut. The others are read whole, with states and messages as text. Lines in another spelling
are left to the trace reader, which knows the sentence for each fault.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated

import msgspec

from gomboc.checker.replay.pack.accepted import (
    FIRST_SEND,
    NEXT_SEND,
    AcceptedTexts,
    ForeignSpellingError,
    Tails,
)
from gomboc.checker.replay.pack.format import COMMAND, DELIVERY, LARGEST_ID, NONE, TIMEOUT, Line
from gomboc.checker.replay.pack.record import Recorder
from gomboc.checker.traces.keys import ENCODE

LINE = msgspec.json.Decoder(Line)

NO_ID = b"%d" % NONE
"""Stands among the ids that steps take for that of a step without a message."""

_IDS = msgspec.json.Decoder(list[Annotated[int, msgspec.Meta(ge=NONE, le=LARGEST_ID)]])

NOT_OURS = ValueError, KeyError, RecursionError
"""The exceptions for a line that is not in the recorder's spelling."""

Number = Callable[[bytes], int]
"""The number of a text."""


class LineReader:
    """Reads the lines of one trace. `roles` are those of its nodes.

    Ids are kept as texts until `flush`, and messages are known by them, so they are digits.
    """

    def __init__(self, recorder: Recorder, texts: AcceptedTexts, roles: Mapping[str, str]) -> None:
        self._recorder, self._texts = recorder, texts
        self._states = {node: texts.states[role] for node, role in roles.items()}
        self._ends = {node: texts.ends[role] for node, role in roles.items()}
        # The beginnings of the lines of each node, up to an id or to its state.
        self._takes = {b'{"node":%b,"took"' % ENCODE(node): node for node in roles}
        self._timeouts = {begin + b':"timeout"': node for begin, node in self._takes.items()}
        self._contents = {b"%d" % number: content for number, (_, content) in recorder.start.items()}
        self._events: list[int] = []
        self._taken: list[bytes] = []
        self._sent: list[bytes] = []

    def record(self, lines: Sequence[bytes]) -> int:
        """Record lines up to the first that is not in the recorder's spelling. Returns how many these are.

        It is 0, too, if digits in them are no id: then one of these lines cannot be read.
        """
        self._cut(lines)
        recorded = len(self._events)
        try:
            self.flush()
        except ValueError:
            return 0
        return recorded

    def read(self, line: Line, took: object) -> None:
        """Record a line in any spelling that a trace reader has read, with the value of its input."""
        recorder = self._recorder
        self._append(line, took, partial(recorder.state, line.node), recorder.message, recorder.message)

    def flush(self) -> None:
        """Write what was recorded into the columns of the recorder. Raises ValueError unless each id is one."""
        recorder = self._recorder
        recorder.took.extend(_ids(self._taken))
        recorder.sent.extend(_ids(self._sent))
        recorder.events.extend(self._events)
        self._taken.clear()
        self._sent.clear()
        self._events.clear()

    def _cut(self, lines: Sequence[bytes]) -> None:
        """Take lines apart, up to one in another spelling; read those whole that have a part which is not known."""
        ends, states, timeouts, takes, tails_of_one = (
            self._ends,
            self._states,
            self._timeouts,
            self._takes,
            self._texts.tails,
        )
        recorder, contents, took, sent_id = self._recorder, self._contents, self._taken.append, self._sent.append
        known, now, event = recorder.steps, recorder.now, self._events.append
        for line in lines:
            try:
                begin, _, rest = line.partition(b',"state":')
                node = timeouts.get(begin)
                if node is not None:
                    way, number, content = TIMEOUT, NO_ID, NONE
                else:
                    begin, _, number = begin.rpartition(b":")
                    way, node, content = DELIVERY, takes[begin], contents.get(number, NONE)
                    if content == NONE:
                        _check_digits(number)
                state, _, sent = rest.partition(FIRST_SEND)
                if sent:
                    after, (*others, last) = states[node][state], sent.split(NEXT_SEND)
                    last, _, tail = last.partition(b",")
                    _check_digits(last)
                    if others:
                        ids, tails = self._earlier(others)
                        (*sends, send), gives, at = tails[tail]
                        self._send(ids, sends)
                    else:
                        (send,), gives, at = tails_of_one[tail]
                    contents[last] = send
                    sent_id(last)
                else:
                    after, gives, at = ends[node][rest]
            except NOT_OURS:
                if not self._whole(line):
                    return
                continue
            if at is not None:
                recorder.happened(self._index(), at)
            event(known[node, now[node], way, content, after, gives])
            took(number)
            now[node] = after

    def _earlier(self, parts: Sequence[bytes]) -> tuple[list[bytes], Tails]:
        """The ids of the sends before the last one, and what lines say that have them."""
        ids, tails = [], self._texts.tails
        for part in parts:
            number, _, send = part.partition(b",")
            ids.append(number)
            tails = tails.then[send]
        return ids, tails

    def _send(self, ids: Sequence[bytes], contents: Iterable[int]) -> None:
        """Record the messages that the next step sends. Raises ForeignSpellingError unless their ids are digits."""
        if ids:
            _check_digits(b"".join(ids))
        self._sent += ids
        self._contents.update(zip(ids, contents, strict=True))

    def _index(self) -> int:
        """The index of the next step."""
        return len(self._recorder.events) + len(self._events)

    def _whole(self, text: bytes) -> bool:
        """Record a line if it is in the recorder's spelling. Returns whether it is."""
        texts = self._texts
        try:
            line = LINE.decode(text)
            took = msgspec.json.decode(line.took)
            if ENCODE(line) != text or (bytes(line.received) and type(took) is not int):
                return False
            if delivered := bytes(line.delivered):
                texts.deliveries[delivered]
            state, message, command = self._states[line.node], texts.messages, texts.commands
            self._append(line, took, state.__getitem__, message.__getitem__, command.__getitem__)
        except NOT_OURS:
            return False
        return True

    def _append(self, line: Line, took: object, state: Number, message: Number, command: Number) -> None:
        """Record a line, its texts numbered by those functions."""
        recorder, node = self._recorder, line.node
        before, received = bytes(line.before), bytes(line.received)
        way, number, content = TIMEOUT, NO_ID, NONE
        if type(took) is int:
            way, number = DELIVERY, b"%d" % took
            content = self._contents.get(number, NONE)
            _check_digits(number)
        elif took != "timeout":
            way, content = COMMAND, command(bytes(line.took))
        sends = tuple([(sent.to, message(bytes(sent.message))) for sent in line.sent])
        heard = message(received) if received else None
        claimed, after = state(before) if before else NONE, state(bytes(line.state))
        gives = recorder.gives((sends, line.coin, bytes(line.delivered) or None, heard))
        now = recorder.now.get(node, NONE)
        if line.at is not None:
            recorder.happened(self._index(), line.at)
        if claimed != NONE:
            recorder.claimed(self._index(), claimed)
        self._send([b"%d" % sent.id for sent in line.sent], [content for _, content in sends])
        self._events.append(recorder.steps[node, now, way, content, after, gives])
        self._taken.append(number)
        if now != NONE:
            recorder.now[node] = after


def _check_digits(number: bytes) -> None:
    if not number.isdigit():
        raise ForeignSpellingError("no id in the recorder's spelling")


def _ids(texts: Sequence[bytes]) -> list[int]:
    """The ids of messages in these texts. Raises ValueError unless each is one."""
    return _IDS.decode(b"[%b]" % b",".join(texts))
