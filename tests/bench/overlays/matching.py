"""Matching one publication against 10,000 filters, by an index and by trying each: `python -m tests.bench matching`.

Both in turn, over the same publications; medians of several rounds.
"""

import time
from random import Random
from statistics import median

from gomboc.impl.protocols.delta_fault_tolerance.filters import Predicate, matches
from gomboc.impl.protocols.delta_fault_tolerance.index import Index
from tests.bench.measure import in_turn, ratio

FILTERS, PUBLICATIONS, RUNS = 10_000, 30, 7
MOST = 100_000


def main() -> None:
    """Measure, and print a line for each kind of filters."""
    for kind, make in KINDS.items():
        random = Random(kind)
        filters = [make(random) for _ in range(FILTERS)]
        publications = [publication(random) for _ in range(PUBLICATIONS)]
        index: Index[int] = Index()
        for key, predicates in enumerate(filters):
            index.add(key, predicates)

        def tried() -> list[list[int]]:
            return [[key for key, entry in enumerate(filters) if matches(values, entry)] for values in publications]  # noqa: B023

        def found() -> list[list[int]]:
            return [sorted(index.matching(attributes)) for attributes in publications]  # noqa: B023

        assert tried() == found()
        seconds = in_turn({"tried": tried, "found": found}, RUNS, time.process_time)
        medians = {name: 1e6 * median(took) / PUBLICATIONS for name, took in seconds.items()}
        print(
            f"{kind:22} {sum(map(len, found())) / PUBLICATIONS:7.1f} match: {medians['found']:7.0f} us by the index, "
            f"{medians['tried']:7.0f} us by trying each, {ratio(seconds['tried'], seconds['found']):6.1f} times as long"
        )


def equation(random: Random) -> tuple[Predicate, ...]:
    return Predicate("price", ">", random.randrange(MOST)), Predicate("symbol", "=", f"s{random.randrange(1_000)}")


def interval(random: Random) -> tuple[Predicate, ...]:
    least = random.randrange(MOST)
    return Predicate("price", "<", least + 500), Predicate("price", ">=", least)


def prefix(random: Random) -> tuple[Predicate, ...]:
    return (Predicate("name", "prefix", "".join(random.choices("abcdefgh", k=3))),)


def mixed(random: Random) -> tuple[Predicate, ...]:
    return random.choice((equation, interval, prefix))(random)


def half(random: Random) -> tuple[Predicate, ...]:
    return Predicate("price", ">=", random.randrange(MOST)), Predicate("volume", "<", random.randrange(MOST))


KINDS = {
    "mixed": mixed,
    "equation and bound": equation,
    "interval": interval,
    "prefix": prefix,
    "two half-open bounds": half,
}


def publication(random: Random) -> dict[str, int | str]:
    return {
        "name": "".join(random.choices("abcdefgh", k=8)),
        "price": random.randrange(MOST),
        "symbol": f"s{random.randrange(1_000)}",
        "volume": random.randrange(MOST),
    }
