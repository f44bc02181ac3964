"""The automaton of a node of the directory.

A topic is at a key, and its contact is stored by the node responsible for that key: once the contact itself has said
that it takes part, and only as long as it does not deny it. The node is asked in each period; so a false entry is
dropped.
"""

from bisect import bisect_right
from collections import Counter
from functools import lru_cache
from hashlib import sha256

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import Commanded, Delivered, Input, Output, Received, Refused, Send, SetTimer, Timeout
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.name_order import route
from gomboc.impl.core.neighbourhood import Moved, Stayed
from gomboc.impl.core.reasons import Reason
from gomboc.impl.core.vocabulary import Crash, encode
from gomboc.impl.protocols.topic_directory.commands import Announce, Enter, Retract
from gomboc.impl.protocols.topic_directory.messages import Affirm, Ask, Deny, Meet, Say
from gomboc.impl.protocols.topic_directory.parameters import Parameters
from gomboc.impl.protocols.topic_directory.states import State
from gomboc.impl.publishing.port import Met


@lru_cache(maxsize=4096)
def key_of(topic: str) -> str:
    """The key of a topic, 16 hexadecimal digits: nodes with such ids, too, share the topics evenly."""
    return sha256(topic.encode()).hexdigest()[:16]


class Directory:
    """The automaton of a node."""

    __slots__ = (
        "_after",
        "_ages",
        "_entries",
        "_live",
        "_me",
        "_neighbours",
        "_numbers",
        "_outputs",
        "_parameters",
        "_topics",
    )

    def __init__(self, me: str, state: State, parameters: Parameters) -> None:
        self._me = me
        self._live = state.live
        self._neighbours = state.neighbours
        self._topics = set(state.topics)
        self._entries = {entry.topic: entry.contact for entry in state.entries}
        self._ages = {entry.topic: entry.age for entry in state.entries if entry.age}
        self._numbers = Counter(self._entries.values())
        self._after = state.after
        self._parameters = parameters
        self._outputs: list[Output] = []

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step; `UsageError` if the layer below names the node as its own neighbour."""
        match event:
            case Timeout():
                if self._live:
                    self._look_after(self._next_topics())
                self._outputs.append(SetTimer(now + 1.0))
            case Received(message):
                self._receive(message)
            case Commanded(command):
                self._obey(command)
        outputs, self._outputs = self._outputs, []
        return outputs

    def snapshot(self) -> Raw:
        """The variables, as JSON."""
        ages = ((self._ages[topic],) if topic in self._ages else () for topic in sorted(self._entries))
        entries = [(*entry, *age) for entry, age in zip(sorted(self._entries.items()), ages, strict=True)]
        variables = {
            "live": self._live,
            "neighbours": self._neighbours,
            "topics": sorted(self._topics),
            "entries": entries,
        }
        if self._after is not None:
            variables["after"] = self._after
        return Raw(encode(variables))

    def _receive(self, message: Struct) -> None:
        match message:
            case Say(topic, contact) if self._live:
                self._say(topic, contact)
            case Meet(topic, contact):
                self._meet(topic, contact)
            case Ask(topic, asker):
                self._tell(asker, (Affirm if self._takes_part(topic) else Deny)(topic, self._me))
            case Deny(topic, node) if self._entries.get(topic) == node:
                self._forget(topic)
            case Affirm(topic, node) if self._live and self._next(topic) is None:
                self._take_word(topic, node)

    def _obey(self, command: Struct) -> None:
        match command:
            case Moved(neighbours) | Stayed(neighbours):
                if self._me in neighbours:
                    raise UsageError(
                        f"{self._me} cannot be its own neighbour: the layer below must not report it as one."
                    )
                self._neighbours = neighbours
            case Enter():
                self._live = True
            case Announce(topic):
                self._topics.add(topic)
            case Retract(topic):
                self._topics.discard(topic)
            case Crash():
                self._live, self._neighbours, self._after = False, (), None
                self._topics.clear()
                self._entries.clear()
                self._numbers.clear()
                self._ages.clear()

    def _takes_part(self, topic: str) -> bool:
        return self._live and topic in self._topics

    def _next_topics(self) -> list[str]:
        """The topics of this period: those that follow the last one of the period before, as many as there may be."""
        every, most = sorted(self._topics | self._entries.keys()), self._parameters.topics_in_period
        begin = 0 if self._after is None or most is None else bisect_right(every, self._after)
        end = len(every) if most is None else begin + most
        self._after = every[end - 1] if end < len(every) else None
        return every[begin:end]

    def _look_after(self, topics: list[str]) -> None:
        """Hand over the entries that belong to another node, ask the contacts of the others, and announce."""
        for topic in topics:
            contact = self._entries.get(topic)
            if contact is None:
                continue
            if self._next(topic) is not None:
                self._forget(topic)
                self._say(topic, contact)
            elif contact != self._me:
                self._doubt(topic, contact)
            elif not self._takes_part(topic):
                self._forget(topic)
        for topic in topics:
            if topic in self._topics:
                self._say(topic, self._me)

    def _doubt(self, topic: str, contact: str) -> None:
        """Ask a contact, or drop it if it was silent for too long: perhaps no node is there to answer."""
        if self._parameters.expires is not None:
            self._ages[topic] = self._ages.get(topic, 0) + 1
            if self._ages[topic] >= self._parameters.expires:
                self._forget(topic)
                return
        self._tell(contact, Ask(topic, self._me))

    def _forget(self, topic: str) -> None:
        self._count_less(self._entries.pop(topic))
        self._ages.pop(topic, None)

    def _say(self, topic: str, contact: str) -> None:
        """Route an announcement; the node in charge asks a contact that it would store, and names its own to others.

        An announcement is hearsay, unless it is this node's own.
        """
        following = self._next(topic)
        if following is not None:
            self._tell(following, Say(topic, contact))
            return
        stored = self._entries.get(topic)
        if contact == self._me:
            if self._takes_part(topic):
                self._store(topic, contact)
                self._meet(topic, self._entries[topic])
        elif stored is None or contact < stored:
            self._tell(contact, Ask(topic, self._me))
        elif contact != stored:
            self._tell(contact, Meet(topic, stored))

    def _take_word(self, topic: str, contact: str) -> None:
        """Store a contact that says that it takes part, unless it is that of as many topics as it may be."""
        most = self._parameters.topics_of_contact
        is_full = most is not None and self._numbers[contact] >= most
        if is_full and self._entries.get(topic) != contact:
            self._outputs.append(Refused(Reason.TOO_MANY_TOPICS))
        else:
            self._store(topic, contact)

    def _store(self, topic: str, contact: str) -> None:
        """Store a contact that takes part, unless a lesser one is known."""
        if contact <= self._entries.get(topic, contact):
            if topic in self._entries:
                self._forget(topic)
            self._entries[topic] = contact
            self._numbers[contact] += 1

    def _count_less(self, contact: str) -> None:
        self._numbers[contact] -= 1
        if not self._numbers[contact]:
            del self._numbers[contact]

    def _meet(self, topic: str, contact: str) -> None:
        if self._takes_part(topic) and contact != self._me:
            self._outputs.append(Delivered(Met(topic, contact)))

    def _next(self, topic: str) -> str | None:
        return route(self._me, self._neighbours, key_of(topic))

    def _tell(self, node: str, message: Struct) -> None:
        self._outputs.append(Send(node, message))
