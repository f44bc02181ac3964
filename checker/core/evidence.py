"""Evidence on protocols: claims of a paper, lemmas, a picture and models, which any distribution can bring.

Each is an entry point of the group `gomboc.evidence`, with the name of its protocol; ours come through the same door.
"""

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import msgspec

from gomboc.checker.core.errors import UsageError

GROUP = "gomboc.evidence"
"""The group of the entry points."""


class ProtocolEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence on one protocol; a part that there is not is left out.

    - `claims`: the file with the claims of its paper; `experiments`: the package of the functions that it names.
    - `lemmas`: the module or package with LEMMAS, or the package of modules with LEMMAS.
    - `picture`: its Picture, or a function from the configured protocol to one, as module:attribute.
    - `models`: the module with MODELS, if it is not `models` in the package of the protocol.
    """

    claims: Path | None = None
    experiments: str = ""
    lemmas: str = ""
    picture: str = ""
    models: str = ""


@cache
def _references() -> Mapping[str, tuple[str, ...]]:
    """The references of the evidence on each protocol, as module:attribute, in alphabetical order of protocols."""
    references: dict[str, set[str]] = {}
    for point in entry_points(group=GROUP):
        references.setdefault(point.name, set()).add(point.value)
    return {name: tuple(sorted(known)) for name, known in sorted(references.items())}


def protocols_with_evidence() -> tuple[str, ...]:
    """The names of the protocols on which there is evidence, in alphabetical order; none of it is imported."""
    return tuple(_references())


@cache
def evidence_on(protocol: str) -> ProtocolEvidence:
    """The evidence on a protocol, without any part if there is none. Raises UsageError if it cannot be used."""
    references = _references().get(protocol, ())
    if len(references) > 1:
        raise UsageError(f"There is evidence on {protocol} twice, {' and '.join(references)}: remove one.")
    if not references:
        return ProtocolEvidence()
    evidence = load("evidence", references[0])
    if not isinstance(evidence, ProtocolEvidence):
        problem = f"is of type {type(evidence).__name__}, and evidence is a gomboc.checker.ProtocolEvidence"
        raise UsageError(f"The evidence {references[0]} {problem}: fix it.")
    for field, part in msgspec.structs.asdict(evidence).items():
        wanted = Path if field == "claims" else str
        if part and not isinstance(part, wanted):
            problem = f"has {field} of type {type(part).__name__}, which are to be of type {wanted.__name__}"
            raise UsageError(f"The evidence {references[0]} {problem}: fix it.")
    return evidence


def load(what: str, reference: str) -> Any:
    """The value at module:attribute. Raises UsageError, about `what`, if it cannot be imported or is not there."""
    name, _, attribute = reference.partition(":")
    module = called(what, reference, import_module, name)
    if not hasattr(module, attribute):
        raise UsageError(f"The {what} {reference} cannot be imported: {name} has no {attribute!r}; fix or remove it.")
    return getattr(module, attribute)


def called(what: str, reference: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """The result of a function, which may be user code. Raises UsageError, about `what`, if it fails."""
    try:
        return function(*arguments)
    except (Exception, SystemExit) as error:
        raise UsageError(f"The {what} {reference} failed ({type(error).__name__}: {error}): fix it.") from error


def forget() -> None:
    """Clear the caches, so that the next call looks up the evidence anew."""
    _references.cache_clear()
    evidence_on.cache_clear()
