"""Watch a run to know when to stop: its rounds, and whether anything in it is still faulty.

The results are those of the judge's `Stabilisation`, as a test checks, at a fraction of the cost. The watch works on
the numbers of a pack's dictionary instead of values, and caches its result for each. It does not count faults, but
watches one of them, and looks for another only when that one is gone.
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from gomboc.checker.core.dependency_tracker import Looked
from gomboc.checker.replay.pack.dictionary import Dictionary
from gomboc.checker.replay.pack.format import Located
from gomboc.checker.traces.interning_decoder import Reader
from gomboc.spec.core.protocol import Discipline, Protocol, never_asleep, whole

NOTHING = -1
"""Stands for a step that no round waits for, instead of a message's id."""

ANCHOR = ""
"""Stands for the anchor, instead of a node's name; no node has this name."""

MOST_KNOWN = 20_000
"""About the most cached pairs of an anchor and the shares that it was read from."""


class Faulty(dict[Located, bool]):
    """Whether a state or a message is faulty; computed on first use."""

    def __init__(self, is_faulty: Callable[[str, int], bool]) -> None:
        super().__init__()
        self._is_faulty = is_faulty

    def __missing__(self, at: Located) -> bool:
        faulty = self[at] = self._is_faulty(*at)
        return faulty


class Sleeping(dict[int, bool]):
    """Whether a node with a state is asleep; computed on first use."""

    def __init__(self, is_asleep: Callable[[int], bool]) -> None:
        super().__init__()
        self._is_asleep = is_asleep

    def __missing__(self, state: int) -> bool:
        asleep = self[state] = self._is_asleep(state)
        return asleep


class Anchored(msgspec.Struct):
    """The faults under one anchor: of the anchor itself, and of each state and message."""

    faulty: bool
    nodes: Faulty
    messages: Faulty


class Faults:
    """The faulty states and messages of a dictionary, each computed on first use."""

    def __init__(self, protocol: Protocol, dictionary: Dictionary) -> None:
        self._protocol = protocol
        self._roles = {role: Reader(kind) for role, kind in protocol.vocabulary.roles.items()}
        self._content = msgspec.json.Decoder(self._protocol.vocabulary.message)
        self._dictionary = dictionary
        self._states: dict[int, Any] = {}
        self._anchors: dict[Any, Anchored] = {}
        self._known: dict[tuple[tuple[str, ...], tuple[tuple[str, Any], ...]], Anchored] = {}
        self._shares: dict[int, Any] = {}
        self.sleeping = Sleeping(lambda number: protocol.environment.asleep(self._state(number)))
        self.all_awake = protocol.environment.asleep is never_asleep
        self.cuts = protocol.discipline is Discipline.FIFO and not self.all_awake
        self._command = msgspec.json.Decoder(protocol.vocabulary.command)

    def is_quiet(self, content: int, idle: bool) -> bool:
        """Whether a command neither ends legitimacy nor restarts the count of rounds.

        It is `idle` if it changes no state and sends nothing.
        """
        if not self._protocol.environment.quiet and not self._protocol.environment.quiet_if_idle:
            return False
        command = self._command.decode(self._dictionary.messages.in_order[content])
        return self._protocol.environment.is_quiet(command, idle)

    def trim(self) -> None:
        """Clear the caches if they are large. To be called between two runs, when nothing depends on them."""
        # Cleared whole: what is needed again is soon computed again, and a least-recently-used order would be kept at
        # every look.
        if len(self._known) > MOST_KNOWN:
            self._anchors.clear()
            self._known.clear()
            self._states.clear()
            self._shares.clear()
            self.sleeping.clear()

    def _state(self, number: int) -> Any:
        if number not in self._states:
            role, text = self._dictionary.states.in_order[number]
            assert role is not None, "only nodes that are there are watched"
            self._states[number] = self._roles[role].read(text)
        return self._states[number]

    def share(self, number: int) -> Any:
        """The share of a state that the anchor may read; its number if that is the whole state."""
        if self._protocol.legitimacy.share is whole:
            return number
        if number not in self._shares:
            self._shares[number] = self._protocol.legitimacy.share(self._state(number))
        return self._shares[number]

    def anchored(self, shares: Mapping[str, Any], names: tuple[str, ...]) -> tuple[Anchored, tuple[str, ...]]:
        """The anchor of a system, and the names of the nodes from which it was read.

        `names` are the nodes of the last time. If their shares are in the cache, the anchor depended on these shares
        only, so it is still the same.
        """
        among = tuple(shares)
        # Most steps change no state that the anchor was read from: then neither the anchor nor the verdicts under it
        # change.
        known = self._known.get((among, tuple((name, shares[name]) for name in names)))
        if known is not None:
            return known, names
        looked = Looked(self._seen(shares), among)
        anchor = self._protocol.legitimacy.anchor(looked)
        if anchor not in self._anchors:
            self._anchors[anchor] = self._under(anchor)
        names = looked.at
        self._known[among, tuple((name, shares[name]) for name in names)] = self._anchors[anchor]
        return self._anchors[anchor], names

    def _seen(self, shares: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._protocol.legitimacy.share is not whole:
            return shares
        return {name: self._state(number) for name, number in shares.items()}

    def _under(self, anchor: Any) -> Anchored:
        protocol, words = self._protocol, self._dictionary

        def in_node(name: str, number: int) -> bool:
            return bool(protocol.legitimacy.node_faults(anchor, name, self._state(number)))

        def in_message(target: str, number: int) -> bool:
            message = self._content.decode(words.messages.in_order[number])
            return bool(protocol.legitimacy.message_faults(anchor, target, message))

        return Anchored(bool(protocol.legitimacy.anchor_faults(anchor)), Faulty(in_node), Faulty(in_message))


class Watch:
    """One run.

    `rounds` is the number until it became legitimate since the start or the last command; None if it did not. The
    recorder of the run updates `now` and `in_flight` before anything is observed; lost messages are not in flight.
    """

    def __init__(self, faults: Faults, now: Mapping[str, int], in_flight: Mapping[int, Located]) -> None:
        self._faults = faults
        self._now, self._in_flight = now, in_flight
        self.commands = 0
        self._earlier = 0
        self.completed = 0
        self._begin()

    def _begin(self) -> None:
        self._earlier += self.completed
        self.completed = 0
        sleeping = self._faults.sleeping
        all_awake = self._faults.all_awake
        self._asleep = set() if all_awake else {node for node, state in self._now.items() if sleeping[state]}
        self._begin_round()
        self._shares = {node: self._faults.share(state) for node, state in self._now.items()}
        self._under, self._names = self._faults.anchored(self._shares, ())
        self._faulty = self._find()
        self.rounds = 0 if self._faulty is None else None

    def _begin_round(self) -> None:
        """Wait for every node and every message in flight, except sleeping nodes and messages to them."""
        asleep, in_flight = self._asleep, self._in_flight
        self._waiting: set[str | int] = {*self._now, *in_flight}
        if asleep:
            self._waiting -= {*asleep, *(number for number, (target, _) in in_flight.items() if target in asleep)}

    @property
    def rounds_after(self) -> int:
        """Rounds completed since the system became legitimate; 0 if it did not."""
        return 0 if self.rounds is None else max(0, self.completed - self.rounds)

    @property
    def rounds_in_all(self) -> int:
        """Rounds completed since the start, across all commands."""
        return self._earlier + self.completed

    def command(self) -> None:
        """Record a command: legitimacy and rounds count anew from here."""
        self.commands += 1
        self._begin()

    def returned(self) -> None:
        """Record the arrival of a message that was lost: it counts as a command does."""
        self._begin()

    def quiet_command(self, node: str, changed: bool) -> bool:
        """Record a quiet command: a step like any other, but no round waits for it."""
        self.commands += 1
        return self.observe(NOTHING, node, changed)

    def observe(self, taken: str | int, node: str, changed: bool) -> bool:
        """Record a step. Returns whether it completes a round, or makes the system legitimate.

        `taken` is the id of a message, or the name of `node` for a timeout; `changed` is whether its state did.
        """
        waiting, running = self._waiting, self.completed + 1
        waiting.discard(taken)
        if changed and not self._faults.all_awake:
            self._wake(node)
        if not waiting:
            self.completed += 1
            self._begin_round()
        # Only until the run is legitimate: from then on a fault is a violation of closure, which the judge finds.
        if self.rounds is None and self._is_legitimate(taken, node, changed):
            self.rounds = running
            return True
        return not waiting

    def _wake(self, node: str) -> None:
        """Record whether a node is asleep now; messages in flight to a sleeping node are not faulty."""
        asleep = self._faults.sleeping[self._now[node]]
        if asleep == (node in self._asleep):
            return
        self._asleep ^= {node}
        if asleep:
            self._waiting -= {node, *(number for number, (target, _) in self._in_flight.items() if target == node)}
            if self._faults.cuts:
                self._waiting &= {*self._now, *self._in_flight}
        if self.rounds is None:
            self._faulty = self._find()

    def _is_legitimate(self, taken: str | int, node: str, changed: bool) -> bool:
        """Whether no fault is left; checked only if the watched fault has changed."""
        moved = changed and self._shows_otherwise(node) and node in self._names and self._move_anchor()
        # One known fault is watched, and another is looked for when it is gone: looking for all after each step would
        # cost as much as judging the run.
        if moved or self._faulty == taken or (changed and self._faulty == node):
            self._faulty = self._find()
        return self._faulty is None

    def _shows_otherwise(self, node: str) -> bool:
        """Whether the share of a node that the anchor may read has changed."""
        share = self._faults.share(self._now[node])
        before, self._shares[node] = self._shares[node], share
        return bool(share != before)

    def _move_anchor(self) -> bool:
        before = self._under
        self._under, self._names = self._faults.anchored(self._shares, self._names)
        return self._under is not before

    def _find(self) -> str | int | None:
        """One fault: the anchor, a node by its name, or a message by its id. None if there is none."""
        under = self._under
        if under.faulty:
            return ANCHOR
        for at in self._now.items():
            if under.nodes[at]:
                return at[0]
        for number, at in self._in_flight.items():
            if at[0] not in self._asleep and under.messages[at]:
                return number
        return None
