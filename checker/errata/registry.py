"""Registry of claims: every module in the `claims` of `evidence/<protocol>` has CLAIMS."""

import pkgutil
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from gomboc.checker import evidence
from gomboc.checker.errata.claim import Claim, Paper
from gomboc.checker.errors import UsageError
from gomboc.checker.phrases import nearest, suggestion


@cache
def protocols_with_claims() -> tuple[str, ...]:
    """The names of the protocols with claims of their papers, in alphabetical order."""
    folders = sorted(module.name for module in pkgutil.iter_modules(evidence.__path__))
    return tuple(name for name in folders if find_spec(f"{evidence.__name__}.{name}.claims") is not None)


@cache
def find_claims(protocol: str) -> tuple[Claim, ...]:
    """Every claim of a protocol's paper, in the order of the paper. Raises UsageError if there are none."""
    if protocol not in protocols_with_claims():
        known = ", ".join(protocols_with_claims())
        near = suggestion(protocol, protocols_with_claims())
        raise UsageError(f"There are no claims of a protocol {protocol!r}; there are claims of: {known}.{near}")
    folder = import_module(f"{evidence.__name__}.{protocol}.claims")
    modules = [import_module(f"{folder.__name__}.{name}") for name in folder.SECTIONS]
    there = {module.name for module in pkgutil.iter_modules(folder.__path__) if not module.ispkg}
    assert there == set(folder.SECTIONS), f"SECTIONS and the modules of {folder.__name__} differ"
    claims = [claim for module in modules for claim in module.CLAIMS]
    names = [claim.name for claim in claims]
    assert len(set(names)) == len(names), f"two claims have one name: {names}"
    return tuple(claims)


def paper_of(protocol: str) -> Paper:
    """The paper of a protocol's claims."""
    paper = import_module(f"{evidence.__name__}.{protocol}.claims").PAPER
    assert isinstance(paper, Paper), f"{evidence.__name__}.{protocol}.claims.PAPER is not a Paper"
    return paper


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
