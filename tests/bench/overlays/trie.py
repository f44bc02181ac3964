"""Nanoseconds for an insertion into a trie, and for a comparison of hashes: `python -m tests.bench trie`.

At each size so many items are inserted one by one, and the root's hash is asked for after each, so that every
insertion pays for the hashes that it drops. Medians of several runs over the last thousand insertions.
"""

import time
from collections.abc import Callable
from statistics import median

from gomboc.impl.publishing.publication import Publication
from gomboc.impl.publishing.trie import Trie
from gomboc.impl.publishing.validity import key_of

RUNS = 5
BITS = 64
SIZES = (1_000, 10_000, 100_000)
MEASURED = 1_000


def main() -> None:
    """Measure, and print a line for each size."""
    print(f"keys of {BITS} bits, {RUNS} runs each")
    publications = [_publication(number) for number in range(max(SIZES))]
    for size in SIZES:
        inserted = [_insertions(publications[:size], lambda trie: None) for _ in range(RUNS)]
        hashed = [_insertions(publications[:size], lambda trie: trie.root()) for _ in range(RUNS)]
        print(
            f"{size:8,} items: {median(inserted):7,.0f} ns for an insertion, "
            f"{median(hashed):7,.0f} ns with the root's hash after it"
        )


def _publication(number: int) -> Publication:
    return Publication(key_of("v1", number, "", BITS), "v1", number, "", "v1")


def _insertions(publications: list[Publication], then: Callable[[Trie[Publication]], object]) -> float:
    """Processor time for each of the last insertions, in nanoseconds."""
    trie: Trie[Publication] = Trie()
    for publication in publications[:-MEASURED]:
        trie.insert(publication.key, publication)
    trie.root()
    began = time.process_time_ns()
    for publication in publications[-MEASURED:]:
        trie.insert(publication.key, publication)
        then(trie)
    return (time.process_time_ns() - began) / MEASURED
