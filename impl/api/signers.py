"""Names of signers in traces: messages carry signatures, and traces name the signers."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw

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
    state = _named(msgspec.json.decode(step.state), topic, signer)
    return Step(
        step.node,
        step.took,
        Raw(msgspec.json.encode(state)),
        [message_with_signers(sent, topic, signer) for sent in step.sent],
        tuple(_one(content, topic, signer) for content in step.delivered),
        step.coin,
    )


def message_with_signers(sent: InFlight, topic: str, signer: Signer) -> InFlight:
    """The message of this topic as a trace writes it."""
    # By way of its text, since that is what the vocabulary of traces describes.
    message = msgspec.json.decode(msgspec.json.encode(sent.message))
    return InFlight(sent.id, sent.to, _named(message, topic, signer))


def _named(value: dict[str, Any], topic: str, signer: Signer) -> dict[str, Any]:
    """A state or message as JSON, in which publications stand under two keys."""
    named = dict(value)
    if "publications" in value:
        named["publications"] = [_one(publication, topic, signer) for publication in value["publications"]]
    if "publication" in value:
        named["publication"] = _one(value["publication"], topic, signer)
    return named


def _one(content: object, topic: str, signer: Signer) -> Publication:
    publication = msgspec.convert(msgspec.to_builtins(content), Publication)
    return signed_by(publication, signer(topic, publication))
