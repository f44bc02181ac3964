"""Which specification judged: a digest that goes into every verdict."""

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gomboc import spec
from gomboc.spec.registry import strangers


def spec_digest() -> str:
    """The first 16 hexadecimal digits of the SHA-256 of all sources of `spec`.

    Where there are protocols besides, installed or named by the caller, it covers the packages that define them too:
    of each the folder of its module and all below, or the module itself if it is in no package.
    """
    return digest_of(strangers())


@cache
def digest_of(references: tuple[str, ...]) -> str:
    """The digest with protocols that are at module:attribute besides ours."""
    (folder,) = map(Path, spec.__path__)
    digest = hashlib.sha256()
    sources = dict(each for reference in references for each in _of_stranger(reference.partition(":")[0]))
    for name, path in [*_below(folder), *sorted(sources.items())]:
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _below(folder: Path) -> Iterator[tuple[str, Path]]:
    """The sources below a folder, in order, each by its name from there on."""
    for path in sorted(folder.rglob("*.py")):
        yield path.relative_to(folder).as_posix(), path


def _of_stranger(module: str) -> Iterator[tuple[str, Path]]:
    """The sources of the package, or of the lone module, that defines a protocol."""
    found = find_spec(module)
    if found is None or found.origin is None:
        return
    path, package = Path(found.origin), found.parent
    if not package:
        yield path.name, path
        return
    yield from ((f"{package}/{name}", each) for name, each in _below(path.parent))
