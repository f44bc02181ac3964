"""Names of signers in traces: messages carry signatures, and traces name the signers."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from gomboc.impl.core.trace import InFlight, Step
from gomboc.impl.publishing.publication import Publication

Signer = Callable[[str, Publication], str | None]
"""The node that signed a publication of this topic; None if no node did."""


def signed_by(publication: Publication, name: str | None) -> Publication:
    """The publication as a trace writes it; without a signer, as signed by a node other than the publisher."""
    other = "nobody" if publication.publisher != "nobody" else "no-one"
    return msgspec.structs.replace(publication, signature=other if name is None else name)


def step_with_signers(step: Step, topic: str, signer: Signer) -> Step:
    """The step of this topic as a trace writes it."""
    return replace(
        step,
        took=step.took if isinstance(step.took, int | str) else _named(msgspec.to_builtins(step.took), topic, signer),
        state=Raw(msgspec.json.encode(_named(msgspec.json.decode(step.state), topic, signer))),
        sent=[message_with_signers(sent, topic, signer) for sent in step.sent],
        delivered=tuple(_named(msgspec.to_builtins(content), topic, signer) for content in step.delivered),
    )


def message_with_signers(sent: InFlight, topic: str, signer: Signer) -> InFlight:
    """The message of this topic as a trace writes it."""
    # By way of its text, since that is what the vocabulary of traces describes.
    message = msgspec.json.decode(msgspec.json.encode(sent.message))
    return InFlight(sent.id, sent.to, _named(message, topic, signer))


def _named(value: Any, topic: str, signer: Signer) -> Any:
    """A publication, or a state, message, command or delivery with publications under some keys, as JSON."""
    if not isinstance(value, dict):
        return _one(value, topic, signer)
    own = value.get("topic", topic)
    named: dict[str, Any] = {
        "publication": lambda one: _one(one, own, signer),
        "publications": lambda many: [_one(one, own, signer) for one in many],
        "item": lambda item: _with_topic(item, signer),
        "items": lambda items: [_with_topic(item, signer) for item in items],
        "held": lambda items: [_with_topic(item, signer) for item in items],
    }
    return {key: named[key](part) if key in named else part for key, part in value.items()}


def _with_topic(item: Any, signer: Signer) -> list[Any]:
    topic, publication = item
    return [topic, _one(publication, topic, signer)]


def _one(content: object, topic: str, signer: Signer) -> Publication:
    publication = msgspec.convert(content, Publication)
    return signed_by(publication, signer(topic, publication))
