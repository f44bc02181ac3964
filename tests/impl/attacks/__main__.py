"""`python -m tests.impl.attacks [WORD...]`: what each attack does, in one line each."""

import sys
from dataclasses import astuple

from tests.impl.attacks.members import MEMBERS, false_filters
from tests.impl.attacks.rows import ROWS
from tests.impl.attacks.system import Attacked


def main() -> None:
    """Run the rows whose names contain one of the words; all without any."""
    words = sys.argv[1:]
    for name, row in ROWS.items():
        if not words or any(word in name for word in words):
            there = Attacked(row.overlay, member=row.member)
            print(f"{name}: {there.under(row.attack).line()}", flush=True)
    if not words or "members" in words:
        for name, (overlay, attack) in MEMBERS.items():
            # So much is held after a few periods of these that a look takes seconds.
            looks = 6 if name == "hyparview, in invented topics" else 100
            harm = astuple(Attacked(overlay, member=True).harm(attack, looks))
            print(f"| {name} | {' | '.join(map(str, harm))} |", flush=True)
        harm = astuple(Attacked("delta_fault_tolerance", member=True, audit=True).harm(false_filters))
        print(f"| delta, with `audit` | {' | '.join(map(str, harm))} |", flush=True)


if __name__ == "__main__":
    main()
