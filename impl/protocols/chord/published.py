"""Chord as it was published: a joiner begins with a head alone, and a nearer head is adopted unasked.

Zave lists the rules (join, stabilize, notified, reconcile, update, flush) and shows that no invariant that was claimed
of them is one. Here they are put on the same messages: reconcile and stabilize use one answer, and a failed head or
predecessor is dropped as in ours (update, flush).

Source: Stoica et al. 2001, Section 4.4; Zave, "Using Lightweight Modeling to Understand Chord", Section 3
"""

from msgspec.structs import replace

from gomboc.impl.core.automaton import Send
from gomboc.impl.protocols.chord.core import Node
from gomboc.impl.protocols.chord.messages import JoinReply, Notify, StabilizeReply, StabilizeRequest
from gomboc.impl.protocols.chord.stabilising import Turn


class HeadOnly(Node):
    """A joiner begins with its head, and with nothing else.

    Source: Stoica et al., Figure 6: join, "predecessor = nil; successor = n'.find_successor(n)"
    """

    __slots__ = ()

    def placed(self, reply: JoinReply) -> tuple[str | None, tuple[str, ...]]:
        """No predecessor, and one successor."""
        return None, super().placed(reply)[1][:1]


class Unasked(Node):
    """A head's predecessor is adopted without knowing whether it is there.

    Source: Stoica et al., Figure 6: stabilize, "if (x in (n, successor)) successor = x"
    """

    __slots__ = ()

    def use(self, answer: StabilizeReply) -> Turn:
        """Use an answer as ours do, but adopt and notify a nearer head instead of asking it."""
        after, sends = super().use(answer)
        match sends:
            case [Send(nearer, StabilizeRequest())]:
                successors = self.me.shortened((nearer, *after.successors))
                return replace(after, successors=successors), [Send(nearer, Notify(self.me.name))]
        return after, sends
