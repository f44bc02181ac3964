"""Registry of claims: the file of the evidence on each protocol, and the experiments that it names."""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from inspect import signature
from types import MappingProxyType
from typing import Any

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.evidence import evidence_on, protocols_with_evidence
from gomboc.checker.core.phrases import nearest, suggestion
from gomboc.checker.errata.claim import Claim, Evidence, Paper
from gomboc.checker.errata.paper import read_paper
from gomboc.checker.errata.scene import Scene, Script


def protocols_with_claims() -> tuple[str, ...]:
    """The names of the protocols with claims of their papers, in alphabetical order; unusable evidence is left out."""
    return _known_claims()[0]


def _known_claims() -> tuple[tuple[str, ...], str]:
    """The names of the protocols with claims, and the sentences about evidence that cannot be used, after blanks."""
    usable, left_out = [], ""
    for name in protocols_with_evidence():
        try:
            usable += [name] if evidence_on(name).claims else []
        except UsageError as error:
            left_out += f" Left out: {error}"
    return tuple(usable), left_out


@cache
def paper_of(protocol: str) -> Paper:
    """The paper of a protocol, with its claims in the order of the page. Raises UsageError if there is none."""
    claims = evidence_on(protocol).claims
    if claims is None:
        known, left_out = _known_claims()
        near = suggestion(protocol, known) + left_out
        raise UsageError(
            f"There are no claims of a protocol {protocol!r}; there are claims of: {', '.join(known)}.{near}"
        )
    return read_paper(claims)


def find_claims(protocol: str) -> tuple[Claim, ...]:
    """Every claim of a protocol's paper, in the order of the paper. Raises UsageError if there are none."""
    return paper_of(protocol).claims


def _every_name() -> tuple[str, ...]:
    return tuple(name for name in protocols_with_evidence() if evidence_on(name).claims)


def choose_claims(protocol: str | None, names: tuple[str, ...]) -> tuple[tuple[str, Claim], ...]:
    """The claims of these names, each with its protocol; all if none is named. Raises UsageError for an unknown one."""
    if protocol is None:
        # All of them are asked for: evidence that cannot be used is refused here.
        return tuple((name, claim) for name in _every_name() for claim in find_claims(name))
    known = {claim.name: claim for claim in find_claims(protocol)}
    unknown = [name for name in names if name not in known]
    if unknown:
        near = suggestion(unknown[0], known)
        raise UsageError(f"There is no claim {unknown[0]!r}; {nearest(unknown[0], known)}.{near}")
    return tuple((protocol, known[name]) for name in dict.fromkeys(names or known))


def experiment(protocol: str, claim: Claim) -> Callable[[], Evidence]:
    """The experiment that settles a claim. Raises UsageError, with the claim, if it is not there."""
    return _called_with(protocol, f"The claim {claim.name!r}", claim.experiment, claim.arguments)


def find_scene(protocol: str, name: str) -> Scene:
    """The scene of that name among those of a protocol's claims. Raises StopIteration if there is none."""
    return next(scene for claim in find_claims(protocol) for scene in claim.scenes if scene.name == name)


def script_of(protocol: str, scene: Scene) -> Script:
    """The script of a scene, by a function that may also take its `variant` and `parameters`.

    Raises UsageError, with the scene, if the function is not there.
    """
    own = {"variant": scene.variant, "parameters": scene.parameters}
    script: Script = _called_with(protocol, f"The scene {scene.name!r}", scene.script, scene.arguments, own)()
    return script


def _called_with(
    protocol: str, who: str, reference: str, arguments: Mapping[str, Any], own: Mapping[str, Any] = MappingProxyType({})
) -> Callable[[], Any]:
    """The function at module.function of a protocol's experiments, with its arguments and those of `own` it takes."""
    module_name, _, name = f"{evidence_on(protocol).experiments}.{reference}".rpartition(".")
    try:
        function = getattr(import_module(module_name), name)
        takes = signature(function)
        given = {key: value for key, value in own.items() if key in takes.parameters} | dict(arguments)
        takes.bind(**given)
    except (Exception, SystemExit) as error:
        problem = f"names {reference!r}, which cannot be called ({error})"
        raise UsageError(f"{who} on {protocol} {problem}: fix it.") from error
    return partial(function, **given)
