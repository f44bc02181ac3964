"""`python -m tests.checker.prove.closure.compared SEED COUNT`: closure of protocols of strangers, proved and tried.

No protocol that breaks closure of a system of at most four nodes may be proved.
"""

import sys
from collections import Counter
from random import Random
from typing import Any

from msgspec.structs import replace

from gomboc.checker import Path, World
from gomboc.checker.prove.settlement import Proved, Refuted
from tests.checker.prove.closure.broken import broken
from tests.checker.prove.closure.followers import led
from tests.checker.prove.closure.settled import settled
from tests.checker.prove.closure.strangers import drawn, module_of

SECONDS = 10
ITEMS = {"Node.names": 2, "Node.friends": 1, "Node.scores": 2}
"""How many items collections have at most, in the proof and in the systems that are tried."""


def proved(module: Any) -> Any:
    """The result of closure of a protocol."""
    fields = {f"Node.{field}" for field in module.Node.__struct_fields__}
    most = {place: count for place, count in ITEMS.items() if place in fields}

    def world(path: Path) -> World:
        return replace(led(module.PROTOCOL, path), most=most)

    return settled(world, module.PROTOCOL, roots=(), seconds=SECONDS)


def compared(seed: int, number: int) -> tuple[str, str, str]:
    """The result of a protocol's proof, whether it is broken, and why; a protocol that is drawn by the seed."""
    random = Random(f"{seed}.{number}")
    name, source = f"stranger_{seed}_{number}", drawn(random)
    try:
        result = proved(module_of(name, source))
        # Of a module of its own: rules may have kept symbols.
        said = broken(module_of(name, source), random)
    finally:
        del sys.modules[name]
    kind = "proved" if isinstance(result, Proved) else "refuted" if isinstance(result, Refuted) else "open"
    return kind, "holds" if said is None else "breaks", said or getattr(result, "why", "") or str(result)


def main(seed: int, count: int) -> int:
    """Compare so many; the exit code is 1 if one is proved that breaks."""
    counts = Counter[tuple[str, str]]()
    for number in range(count):
        kind, holds, why = compared(seed, number)
        counts[kind, holds] += 1
        print(number, kind, holds, why[:300], flush=True)
    for (kind, holds), times in sorted(counts.items()):
        print(f"{kind}, {holds}: {times}")
    return int(bool(counts["proved", "breaks"]))


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
