"""Pacing: a step sends a peer a bounded number of bytes, and holds the rest back until the peer asks for it.

Not in the paper. What is held back is as on its way over a slow link: first in, first out, and lost with its stream.
"""

from itertools import accumulate
from typing import Any

import msgspec
from msgspec.structs import replace

from gomboc.spec.core.model import Outcome, Send
from gomboc.spec.protocols.delta_fault_tolerance.broker import Broker
from gomboc.spec.protocols.delta_fault_tolerance.messages import Close, Continue, Pause
from gomboc.spec.protocols.delta_fault_tolerance.state import Node
from gomboc.spec.protocols.delta_fault_tolerance.variables import link, send

ENVELOPE = 256
"""The bytes that each message counts besides its JSON."""


def ask_on(local: Node, broker: Broker, message: Pause) -> Outcome:
    """Ask for the rest of a peer's stream. Source: decided here."""
    return Outcome(local, send(local, broker.me, message.sender, Continue))


def send_on(local: Node, _broker: Broker, message: Continue) -> Outcome:
    """Send a peer what is held back for it, as far as one step may. Source: decided here."""
    held = dict(local.held).get(message.sender, ())
    others = tuple(pair for pair in local.held if pair[0] != message.sender)
    return Outcome(replace(local, held=others), tuple(Send(message.sender, later) for later in held))


def paced(broker: Broker, outcome: Outcome) -> Outcome:
    """The outcome of a step in which a peer is sent `most_bytes` at most, or one message that has more by itself.

    The rest of its stream is held back, and so is all that follows while something is held; `Pause` tells the peer.
    `Continue` and `Close` are never held back. Other messages of a stream that has ended, in this step at the latest,
    are not sent any more: a stream that begins anew has all that the peer needs.

    Source: decided here
    """
    most, local = broker.parameters.most_bytes, outcome.local
    if most is None or not (outcome.sends or local.held):
        return outcome
    held = {peer: later for peer, later in local.held if later and is_current(local, peer, later[0])}
    waiting: dict[str, list[Any]] = {}
    for sent in outcome.sends:
        if waits_its_turn(local, sent):
            waiting.setdefault(sent.target, []).append(sent.message)
    fits = {peer: 0 if peer in held else fitting(most, messages) for peer, messages in waiting.items()}
    paused = sorted(peer for peer, messages in waiting.items() if peer not in held and fits[peer] < len(messages))
    for peer, messages in waiting.items():
        if later := (*held.get(peer, ()), *messages[fits[peer] :]):
            held[peer] = later
    at_once = (sent for sent in outcome.sends if isinstance(sent.message, Close | Continue))
    now = (Send(peer, message) for peer, messages in waiting.items() for message in messages[: fits[peer]])
    pauses = (pause for peer in paused for pause in send(local, broker.me, peer, Pause))
    return Outcome(replace(local, held=tuple(sorted(held.items()))), (*at_once, *now, *pauses), outcome.delivered)


def is_current(local: Node, peer: str, message: Any) -> bool:
    """Whether a message is of the stream to a peer that goes on."""
    connection = link(local, peer)
    return connection is not None and message.stream == connection.mine


def waits_its_turn(local: Node, sent: Send) -> bool:
    """Whether a message of a step is counted, and may be held back."""
    return is_current(local, sent.target, sent.message) and not isinstance(sent.message, Close | Continue)


def fitting(most: int, messages: list[Any]) -> int:
    """The number of messages, the first one always, that have so many bytes at most."""
    totals = accumulate(len(msgspec.json.encode(message)) + ENVELOPE for message in messages)
    return max(1, sum(total <= most for total in totals))
