"""10,000 publications through a tree of 15 brokers: `python -m tests.bench brokers`.

A whole binary tree, delta = 1, so many subscriptions at each broker; the brokers' cores on links first in, first out,
without a network and without a trace. Each publication ends before the next one begins.
"""

import time
from collections import Counter, deque
from random import Random

import msgspec

from gomboc.impl.core.automaton import Commanded, Delivered, Received, Send
from gomboc.impl.protocols.delta_fault_tolerance import IMPLEMENTATION
from gomboc.impl.protocols.delta_fault_tolerance.commands import decode
from gomboc.impl.protocols.delta_fault_tolerance.port import begin

PUBLICATIONS, SUBSCRIPTIONS = 10_000, 20


def main() -> None:
    """Measure, and print the figures."""
    system, random = System(tree("a", 3)), Random(1)
    for name in system.cores:
        for _ in range(SUBSCRIPTIONS):
            least = random.randrange(10_000)
            system.run(name, {"kind": "Subscribe", "filter": [["price", "<", least + 50], ["price", ">=", least]]})
    system.counted.clear()
    began = time.process_time()
    for _ in range(PUBLICATIONS):
        publication = {"kind": "Publish", "attributes": [["price", random.randrange(10_000)]]}
        system.run(random.choice(system.names), publication)
    seconds, counted = time.process_time() - began, system.counted
    print(
        f"{PUBLICATIONS:,} publications, {len(system.cores)} brokers, {SUBSCRIPTIONS} subscriptions at each: "
        f"{counted['Forward']:,} copies, {counted['Confirm']:,} confirmations, {counted['Publication']:,} deliveries, "
        f"{counted['Confirmed']:,} confirmed; {seconds:.1f} s of the processor, "
        f"{1e6 * seconds / counted.total():.0f} us each"
    )


def tree(name: str, depth: int) -> list[str]:
    """The names of a whole binary tree."""
    return [name, *(broker for label in "lr" for broker in tree(f"{name}.{label}", depth - 1))] if depth else [name]


class System:
    """Cores by name, and the numbers of their messages and deliveries, by kind."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.cores = {name: IMPLEMENTATION.make("broker", name, begin({}, name, names), Random(1)) for name in names}
        self.counted: Counter[str] = Counter()

    def run(self, name: str, command: object) -> None:
        """Have one command obeyed, and everything that comes of it."""
        pending: deque[tuple[str, Commanded | Received]] = deque(
            [(name, Commanded(decode(msgspec.json.encode(command))))]
        )
        while pending:
            name, event = pending.popleft()
            for output in self.cores[name].handle(0.0, event):
                if isinstance(output, Send):
                    self.counted[type(output.message).__name__] += 1
                    message = Received(output.message)
                    pending.append((output.to, message))
                    self.took(message)
                elif isinstance(output, Delivered):
                    self.counted[type(output.content).__name__] += 1

    def took(self, message: Received) -> None:
        """A message is on its way."""
