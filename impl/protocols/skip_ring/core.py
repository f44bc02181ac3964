"""A subscriber: the automaton, but for the placing of claims; and how nodes fail.

Source: Section 1.1, "a failure detector that is eventually correct"
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Raw, Struct

from gomboc.impl.core.automaton import (
    Commanded,
    Core,
    Failing,
    Input,
    Output,
    RandomSource,
    Received,
    SetTimer,
    Timeout,
    Traced,
)
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import Crash, Suspect, Trust
from gomboc.impl.protocols.skip_ring import labels, messages
from gomboc.impl.protocols.skip_ring.claims import Claim, claim, heard
from gomboc.impl.protocols.skip_ring.commands import Issue, Join, Leave, Restart
from gomboc.impl.protocols.skip_ring.configuring import take_over, withdraw
from gomboc.impl.protocols.skip_ring.labels import WrittenClaim
from gomboc.impl.protocols.skip_ring.outbox import Outbox
from gomboc.impl.protocols.skip_ring.placing import Placing
from gomboc.impl.protocols.skip_ring.publishing import Publishing
from gomboc.impl.protocols.skip_ring.states import SubscriberState
from gomboc.impl.protocols.skip_ring.variables import Variables
from gomboc.impl.publishing.comparison import Publish
from gomboc.impl.publishing.store import Store

_ABOUT_PUBLICATIONS = (messages.CheckTrie, messages.CheckAndPublish, Publish, messages.PublishNew)


class Subscriber:
    """The automaton of a subscriber; `u` are its variables, called as in the paper.

    `placing` verifies and places claims, `store` has the publications, if they are kept.
    """

    __slots__ = (
        "_ask_about",
        "_introduce",
        "_is_loaded",
        "_linearize",
        "_me",
        "_outbox",
        "_publishing",
        "_random",
        "_tell",
        "u",
    )

    def __init__(
        self,
        me: str,
        state: SubscriberState,
        random: RandomSource,
        placing: type[Placing] = Placing,
        store: Store | None = None,
        supervisor: str = messages.SUPERVISOR,
    ) -> None:
        self._me = me
        self._random = random
        self._is_loaded = True
        self.u = Variables(me, state, store, supervisor)
        self._outbox = Outbox(supervisor)
        self._publishing = None if store is None else Publishing(self.u, store, self._outbox)
        self._tell, self._ask_about = self._outbox.tell, self._outbox.ask_about
        rules = placing(self.u, self._outbox)
        self._linearize, self._introduce = rules.linearize, rules.introduce

    @property
    def store(self) -> Store | None:
        """The publications, for reading; None if none are kept."""
        return self.u.store

    def handle(self, now: float, event: Input) -> list[Output]:
        """Take one step; `UsageError` for a command that is not for a subscriber."""
        if self.u.crashed:
            return self._stay_down(now, event)
        # No match here, which takes twice as long: most of a run is spent between here and the rules.
        if type(event) is Received:
            self._receive(event.message)
        elif type(event) is Timeout:
            self._timeout(now)
        elif type(event) is Commanded:
            self._obey(event.command)
        return self._outbox.drain()

    def snapshot(self) -> Raw:
        """The variables, as JSON."""
        return self.u.snapshot()

    # Inputs from outside.

    def _obey(self, command: Struct) -> None:
        u = self.u
        match command:
            case Join():
                u.wants, u.forgets = True, False
            case Leave(forget):
                u.wants, u.forgets = False, forget
            case Issue(number, payload):
                if self._publishing is not None:
                    self._publishing.issue(number, payload)
            case Suspect(node):
                # Once: a live node will present itself, and a crashed one is forgotten again if it comes up again.
                u.forget(node)
            case Crash():
                u.crashed = True
            case Restart():
                pass
            case _:
                raise UsageError(f"A subscriber of the skip ring takes no command {command.__struct_config__.tag!r}.")

    def _stay_down(self, now: float, event: Input) -> list[Output]:
        """Do nothing, until the node is started again; its clock goes on."""
        match event:
            case Timeout():
                return [SetTimer(now + 1.0)]
            case Commanded(Restart(keep)):
                self.u.crashed = False
                if not keep:
                    self.u.empty()
        return []

    def _receive(self, message: Struct) -> None:
        rule = _RULES.get(type(message))
        if rule is not None:
            self._tidy()
            rule(self, message)
        elif self._publishing is not None and isinstance(message, _ABOUT_PUBLICATIONS):
            self._tidy()
            self._publishing.receive(message, self._random)

    def _tidy(self) -> None:
        """Forget this node and the supervisor as neighbours; only a loaded state can refer to them.

        No rule stores them.
        """
        if self._is_loaded:
            self.u.forget(self._me)
            self.u.forget(self.u.supervisor)
            self._is_loaded = False

    # Messages of other subscribers.

    def _check(self, sender: Claim, text: str, flag: messages.Flag) -> None:
        """Believe a sender that knows this node's label; tell any other one the label.

        Source: Algorithm 1, lines 8-12
        """
        own = self.u.own
        if sender.node in (self._me, self.u.supervisor) or own is None or own.written[0] == text:
            self._introduce(sender, flag, first_hand=True)
        else:
            self._tell(sender.node, messages.Present(own.written, flag))

    def _probe(self, node: str, flag: messages.Flag) -> None:
        """Answer with one's own label.

        Source: Section 2.2, "w sends v its correct value"
        """
        if node in (self._me, self.u.supervisor):
            return
        if self.u.own is None:
            self._tell(node, messages.RemoveConnections(self._me))
        else:
            self._tell(node, messages.Present(self.u.own.written, flag))

    def _introduce_shortcut(self, offered: Claim) -> None:
        """Take a node for the shortcut of its label; a displaced or unfit node goes into the list.

        Source: Algorithm 4, lines 22-30
        """
        u = self.u
        if offered.node in (self._me, self.u.supervisor):
            return
        if u.own is None or offered.label not in u.shortcuts:
            self._linearize(offered)
            return
        former = u.shortcuts[offered.label]
        if former != offered.node:
            u.shortcuts = {**u.shortcuts, offered.label: offered.node}
            if former is not None:
                self._linearize(claim(offered.label, former))

    # Messages of the supervisor.

    def _set_data(self, pred: WrittenClaim | None, text: str | None, succ: WrittenClaim | None) -> None:
        """Take over the configuration that the supervisor sends. Source: Algorithm 4, lines 16-20."""
        if text is None:
            withdraw(self.u, self._outbox)
            self.u.own = None
            self._forget_if_asked()
        else:
            own = heard((text, self._me))
            take_over(self.u, self._outbox, self._linearize, own, self._other(pred, own), self._other(succ, own))

    def _other(self, written: WrittenClaim | None, own: Claim) -> Claim | None:
        """The neighbour, unless it is oneself, the supervisor, or a node with one's own label."""
        neighbour = None if written is None else heard(written)
        if neighbour is None or neighbour.node in (self._me, self.u.supervisor) or neighbour.label == own.label:
            return None
        return neighbour

    def _forget_if_asked(self) -> None:
        """Drop the publications of a node that has left and was to do so."""
        if self.u.forgets and not self.u.wants:
            self.u.forget_publications()

    # Actions of the timeout.

    def _timeout(self, now: float) -> None:
        """Take the actions that are due once in a period. Source: Algorithm 4, lines 1-14."""
        u = self.u
        self._outbox.outputs.append(SetTimer(now + 1.0))
        self._tidy()
        if self._publishing is not None:
            self._publishing.audit()
        if u.own is None:
            withdraw(self.u, self._outbox)
            self._forget_if_asked()
            if u.wants:
                self._tell(self.u.supervisor, messages.Subscribe(self._me))
            return
        # The coins depend on what is stored before this step moves any of it.
        asks = self._random.random() < self._chance_to_ask(u.own)
        compares = None if self._publishing is None else self._publishing.begin_session(self._random)
        self._close_ring(u.own)
        self._order_list(u.own)
        predecessor, successor = self._neighbours(u.own)
        before = _chain(u.own, predecessor)
        after = _chain(u.own, successor)
        for pruned in u.set_shortcuts(before + after):
            self._linearize(pruned)
        self._report(asks, compares)
        self._introduce_partners(self._partner(before, predecessor), self._partner(after, successor))

    def _chance_to_ask(self, own: Claim) -> float:
        """The probability that this timeout asks the supervisor.

        A node without a predecessor or successor asks as often as one that seems to be minimal.

        Source: Section 3.2.1, actions (ii) and (iv)
        """
        if self.u.is_minimal(own.label) or None in self._neighbours(own):
            return 0.5
        bits = labels.length(own.label)
        return 1.0 / (2.0**bits * bits**2)

    def _close_ring(self, own: Claim) -> None:
        """Maintain the cyclic edge. Source: Algorithm 2, lines 1-13."""
        u = self.u
        left, right, ring = u.left, u.right, u.ring
        if ring is None:
            if left is None and right is not None:
                self._tell(right.node, messages.Present(own.written, "CYC"))
            elif right is None and left is not None:
                self._tell(left.node, messages.Present(own.written, "CYC"))
        elif ring.label == own.label:
            u.ring = None
            self._tell(ring.node, messages.Probe(self._me, "CYC"))
        else:
            inner = left if ring.label > own.label else right
            if inner is None:
                self._tell(ring.node, messages.Check(own.written, ring.written[0], "CYC"))
            else:
                u.ring = None
                self._tell(inner.node, messages.Introduce(ring.written, "CYC"))

    def _order_list(self, own: Claim) -> None:
        """Introduce oneself to both neighbours; one that is on the wrong side is placed anew.

        Source: Algorithm 1, lines 1-6
        """
        u = self.u
        left = u.left
        if left is not None and left.label <= own.label:
            self._tell(left.node, messages.Check(own.written, left.written[0], "LIN"))
        elif left is not None:
            u.left = None
            self._linearize(left)
        # Read only now: a node from the wrong side may just have been placed here.
        right = u.right
        if right is not None and right.label >= own.label:
            self._tell(right.node, messages.Check(own.written, right.written[0], "LIN"))
        elif right is not None:
            u.right = None
            self._linearize(right)

    def _neighbours(self, own: Claim) -> tuple[Claim | None, Claim | None]:
        """Predecessor and successor around the ring.

        Source: Section 3.2, "v.left and v.right ... even if stored in v.ring"
        """
        left, right, ring = self.u.left, self.u.right, self.u.ring
        if left is None and ring is not None and ring.label > own.label:
            left = ring
        if right is None and ring is not None and ring.label < own.label:
            right = ring
        return left, right

    def _report(self, asks: bool, compares: str | None) -> None:
        """Report the random choices. Ask the supervisor for permission to leave, or now and then for the configuration.

        Source: Algorithm 4, lines 6-11; Section 4.1, unsubscribe
        """
        coin = "ask" if asks else "silent"
        self._outbox.outputs.append(Traced(coin if compares is None else f"{coin} {compares}"))
        if not self.u.wants:
            self._tell(self.u.supervisor, messages.Unsubscribe(self._me))
        elif asks:
            self._ask_about(self._me)

    def _partner(self, chain: tuple[int, ...], neighbour: Claim | None) -> Claim | None:
        """The next node on one side among those with labels that are not longer.

        Source: Section 3.2.2, "shortcuts on level k = |v.label|"
        """
        if not chain:
            return neighbour
        node = self.u.shortcuts[chain[-1]]
        return None if node is None else claim(chain[-1], node)

    def _introduce_partners(self, before: Claim | None, after: Claim | None) -> None:
        """Introduce both neighbours of one's own level to each other. Source: Algorithm 4, lines 12-14."""
        if before is not None and after is not None and before.node != after.node:
            self._tell(before.node, messages.IntroduceShortcut(after.written))
            self._tell(after.node, messages.IntroduceShortcut(before.written))


def _chain(own: Claim, neighbour: Claim | None) -> tuple[int, ...]:
    return () if neighbour is None else labels.chain(own.label, neighbour.label)


# By name, so that a test or subclass that replaces a method of the class replaces it here as well.
_RULES: Mapping[type, Callable[[Subscriber, Any], None]] = {
    messages.Check: lambda self, message: self._check(heard(message.sender), message.label, message.flag),
    messages.IntroduceShortcut: lambda self, message: self._introduce_shortcut(heard(message.claim)),
    messages.Linearize: lambda self, message: self._linearize(heard(message.claim)),
    messages.Introduce: lambda self, message: self._introduce(heard(message.claim), message.flag, first_hand=False),
    messages.Present: lambda self, message: self._introduce(heard(message.claim), message.flag, first_hand=True),
    messages.Probe: lambda self, message: self._probe(message.sender, message.flag),
    messages.SetData: lambda self, message: self._set_data(message.pred, message.label, message.succ),
    messages.RemoveConnections: lambda self, message: self.u.forget(message.node),
}


def _asleep(core: Core) -> bool:
    return isinstance(core, Subscriber) and core.u.crashed


def _hears(roles: Mapping[str, str], sender: str | None, _node: str) -> tuple[str, ...]:
    supervisors = (name for name, role in roles.items() if role == "supervisor")
    return tuple(dict.fromkeys((*supervisors, *(() if sender is None else (sender,)))))


FAILING = Failing(("subscriber",), Crash(), Restart, _asleep, _hears, Suspect, Trust, forgets=("subscriber",))
