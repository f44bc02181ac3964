"""Pacing: a bound on the bytes of one step to one peer. Messages beyond it wait in order until the peer asks for them.

A peer is told that messages wait (`Pause`), and asks (`Continue`). They are lost with their stream, as those on their
way are: a stream that begins anew says everything again.
"""

from gomboc.impl.core.automaton import Output, Send
from gomboc.impl.core.vocabulary import encode
from gomboc.impl.protocols.delta_fault_tolerance.messages import Any, Close, Continue, Message, Pause
from gomboc.impl.protocols.delta_fault_tolerance.variables import Variables

BESIDE = 256
"""The bytes that a message counts besides its own: those of its envelope."""


def ask_on(at: Variables, peer: str) -> None:
    """Ask a peer for the messages that wait in its stream."""
    at.send(peer, Continue(at.me, at.links[peer].mine))


def send_on(at: Variables, peer: str) -> None:
    """Send a peer the messages that wait for it; `pace` keeps back those beyond the bound."""
    for message in at.held.pop(peer, ()):
        at.send(peer, message)


def pace(at: Variables) -> None:
    """Keep back the messages of this step to a peer that are beyond `most_bytes`, or behind one that waits.

    The first message of a step goes out, however long. So do a question for the rest and a closing at any time; but
    nothing else goes out in a stream that has ended meanwhile.
    """
    if at.parameters.most_bytes is None:
        return
    at.held = {peer: later for peer, later in at.held.items() if later and _goes_on(at, peer, later[0])}
    full = set(at.held)
    paused: list[str] = []
    bytes_left: dict[str, int] = {}
    outputs: list[Output] = []
    for output in at.outputs:
        if not isinstance(output, Send) or isinstance(output.message, Close | Continue):
            outputs.append(output)
            continue
        peer, message = output.to, output.message
        assert isinstance(message, Any), "only messages are sent"
        if not _goes_on(at, peer, message):
            continue
        if peer not in full:
            is_first = peer not in bytes_left
            bytes_left[peer] = bytes_left.get(peer, at.parameters.most_bytes) - len(encode(message)) - BESIDE
            if bytes_left[peer] >= 0 or is_first:
                outputs.append(output)
                continue
            full.add(peer)
            paused.append(peer)
        at.held.setdefault(peer, []).append(message)
    at.outputs = outputs
    for peer in paused:
        at.send(peer, Pause(at.me, at.links[peer].mine))


def _goes_on(at: Variables, peer: str, message: Message) -> bool:
    link = at.links.get(peer)
    return link is not None and message.stream == link.mine
