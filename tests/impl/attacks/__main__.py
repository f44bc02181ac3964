"""`python -m tests.impl.attacks [WORD...]`: what each attack does, in one line each."""

import sys

from tests.impl.attacks.members import MEMBERS
from tests.impl.attacks.rows import ROWS
from tests.impl.attacks.system import Attacked


def main() -> None:
    """Run the rows whose names contain one of the words; all without any."""
    words = sys.argv[1:]
    for name, row in ROWS.items():
        if not words or any(word in name for word in words):
            there = Attacked(row.overlay, member=row.member)
            print(f"{name}: {there.run(row.attack).line()}", flush=True)
    for name, (overlay, attack) in MEMBERS.items():
        if not words or "members" in words:
            seen = Attacked(overlay, member=True).run(attack, rest=50)
            print(
                f"a member of {name}: while it lies, {seen.during} of 100 wrong; afterwards: {seen.line()}", flush=True
            )


if __name__ == "__main__":
    main()
