"""`python -m tests.impl.attacks [WORD...]`: what each attack does, in one line each."""

import sys

from tests.impl.attacks.rows import ROWS
from tests.impl.attacks.system import Attacked


def main() -> None:
    """Run the rows whose names contain one of the words; all without any."""
    words = sys.argv[1:]
    for name, row in ROWS.items():
        if not words or any(word in name for word in words):
            there = Attacked(row.overlay, member=row.member)
            print(f"{name}: {there.run(row.attack).line()}", flush=True)


if __name__ == "__main__":
    main()
