"""The golden traces: `python -m tests.golden.make` rewrites every one of them.

Each is one story. Those that are `ok` are honest runs. Those that are `bad` are honest as far as one lie, and honest
again after it, from where the lie has led. Every folder beside this file is named as a protocol, and has the
sources of its traces: STORIES, NEGATIVES, and if there are any `further()`, other traces.
"""

import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from tests import golden
from tests.golden.telling import told

TRACES = Path(__file__).parents[2] / "traces"


def protocols() -> tuple[str, ...]:
    """The names of the protocols that have golden traces, in alphabetical order."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(golden.__path__) if module.ispkg))


def folder(protocol: str) -> Path:
    """Where the golden traces of a protocol are."""
    return TRACES / protocol


def made(protocol: str) -> Iterator[tuple[str, bytes]]:
    """The name and the contents of every golden trace of a protocol."""
    sources = import_module(f"{golden.__name__}.{protocol}")
    yield from told(sources.STORIES, sources.NEGATIVES)
    yield from getattr(sources, "further", tuple)()


def main() -> None:
    """Rewrite every golden trace."""
    for protocol in protocols():
        for name, contents in made(protocol):
            (folder(protocol) / name).write_bytes(contents)


if __name__ == "__main__":
    main()
