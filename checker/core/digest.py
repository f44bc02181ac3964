"""Digest of the specification that judged, which goes into every verdict."""

import hashlib
import os
from functools import cache
from pathlib import Path

from gomboc import spec
from gomboc.checker.core.sources import below, sources_of
from gomboc.spec.core.registry import strangers

IMPLEMENTATIONS = "GOMBOC_IMPLEMENTATIONS"
"""The environment variable with the caller's implementations. Judges receive only their names, not the
implementations.
"""


def spec_digest() -> str:
    """The first 16 hexadecimal digits of the SHA-256 of all sources of `spec`.

    If there are further protocols or implementations, installed or named by the caller, it covers their packages too,
    and every module that these import, as defined by `sources_of`.
    """
    return digest_of((*strangers(), *os.environ.get(IMPLEMENTATIONS, "").split()))


@cache
def digest_of(references: tuple[str, ...]) -> str:
    """The digest that also covers protocols and implementations at module:attribute."""
    (folder,) = map(Path, spec.__path__)
    digest = hashlib.sha256()
    for name, content in [*below(folder), *sources_of({reference.partition(":")[0] for reference in references})]:
        digest.update(name.encode() + b"\0" + content + b"\0")
    return digest.hexdigest()[:16]
