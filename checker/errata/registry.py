"""Registry of claims: `evidence/<protocol>/claims.toml`, and the experiments beside it."""

import pkgutil
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from typing import Any

from gomboc.checker import evidence
from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import nearest, suggestion
from gomboc.checker.errata.claim import Claim, Evidence, Paper
from gomboc.checker.errata.paper import read_paper
from gomboc.checker.errata.scene import Scene, Script

FOLDERS = Path(evidence.__file__).parent


@cache
def protocols_with_claims() -> tuple[str, ...]:
    """The names of the protocols with claims of their papers, in alphabetical order."""
    folders = sorted(module.name for module in pkgutil.iter_modules(evidence.__path__))
    return tuple(name for name in folders if _has_file(name) or _in_python(name))


def _has_file(protocol: str) -> bool:
    return (FOLDERS / protocol / "claims.toml").is_file()


def _in_python(protocol: str) -> bool:
    return find_spec(f"{evidence.__name__}.{protocol}.claims") is not None


@cache
def paper_of(protocol: str) -> Paper:
    """The paper of a protocol, with its claims in the order of the page. Raises UsageError if there is none."""
    if protocol not in protocols_with_claims():
        known = ", ".join(protocols_with_claims())
        near = suggestion(protocol, protocols_with_claims())
        raise UsageError(f"There are no claims of a protocol {protocol!r}; there are claims of: {known}.{near}")
    if _has_file(protocol):
        return read_paper(FOLDERS / protocol / "claims.toml")
    folder = import_module(f"{evidence.__name__}.{protocol}.claims")
    modules = [import_module(f"{folder.__name__}.{name}") for name in folder.SECTIONS]
    paper: Paper = folder.PAPER
    return Paper(
        paper.title, paper.introduction, paper.notation, tuple(claim for module in modules for claim in module.CLAIMS)
    )


def find_claims(protocol: str) -> tuple[Claim, ...]:
    """Every claim of a protocol's paper, in the order of the paper. Raises UsageError if there are none."""
    return paper_of(protocol).claims


def choose_claims(protocol: str | None, names: tuple[str, ...]) -> tuple[tuple[str, Claim], ...]:
    """The claims of these names, each with its protocol; all if none is named. Raises UsageError for an unknown one."""
    if protocol is None:
        return tuple(
            (each_protocol, claim) for each_protocol in protocols_with_claims() for claim in find_claims(each_protocol)
        )
    known = {claim.name: claim for claim in find_claims(protocol)}
    unknown = [name for name in names if name not in known]
    if unknown:
        near = suggestion(unknown[0], known)
        raise UsageError(f"There is no claim {unknown[0]!r}; {nearest(unknown[0], known)}.{near}")
    return tuple((protocol, known[name]) for name in dict.fromkeys(names or known))


def experiment(protocol: str, claim: Claim) -> Callable[[], Evidence]:
    """The experiment that settles a claim. Raises UsageError, with the claim, if it is not there."""
    return _called_with(protocol, f"The claim {claim.name!r}", claim.evidence, claim.arguments)


def script_of(protocol: str, scene: Scene) -> Script:
    """The script of a scene. Raises UsageError, with the scene, if it is not there."""
    script: Script = _called_with(protocol, f"The scene {scene.name!r}", scene.script, scene.arguments)()
    return script


def _called_with(protocol: str, who: str, reference: Any, arguments: Mapping[str, Any]) -> Callable[[], Any]:
    """The function at module.function of a protocol's experiments, with its arguments."""
    if callable(reference):
        return partial(reference, **arguments)
    module_name, _, name = f"{evidence.__name__}.{protocol}.experiments.{reference}".rpartition(".")
    try:
        function = getattr(import_module(module_name), name)
        signature(function).bind(**arguments)
    except (ImportError, AttributeError, TypeError) as error:
        problem = f"names {reference!r}, which cannot be called ({error})"
        raise UsageError(f"{who} on {protocol} {problem}: fix it.") from error
    return partial(function, **arguments)
