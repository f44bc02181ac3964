"""`python -m tests.mutants [NAME...]`: try to kill the mutants, all or those named, and write the table."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.mutants import table
from tests.mutants.judging import judge
from tests.mutants.killers import KILLERS, LOCKSTEP
from tests.mutants.mutants import MUTANTS, SURVIVORS


def main():
    """0 if every mutant is killed or its survival explained, else 1; 2 if the specification itself does not survive."""
    arguments = _arguments()
    chosen = [mutant for mutant in MUTANTS if not arguments.names or mutant.name in arguments.names]
    if not arguments.names and (
        wrong := [
            verdict_of_killer
            for verdict_of_killer in judge(None, tuple(KILLERS), False)
            if verdict_of_killer.saw is not None
        ]
    ):
        print(f"the specification as it is does not survive {wrong[0].killer}: {wrong[0].saw}")
        return 2
    verdicts, before = {}, table.PATH.read_text(encoding="utf-8")
    with ThreadPoolExecutor(arguments.jobs) as pool:
        tried = [killers_for(mutant, before) for mutant in chosen]
        verdicts_of_chosen = pool.map(
            lambda mutant, killers: judge(mutant, killers, not arguments.every), chosen, tried
        )
        for mutant, seen in zip(chosen, verdicts_of_chosen, strict=True):
            verdicts[mutant.name] = next(
                (verdict_of_killer for verdict_of_killer in seen if verdict_of_killer.saw is not None), seen[-1]
            )
            _print(mutant, seen, verdicts[mutant.name])
            # After each, so that a run that was ended has not been for nothing.
            table.PATH.write_text(table.written(verdicts, before), encoding="utf-8")
    alive = {name for name, seen in verdicts.items() if seen.saw is None}
    for name in sorted(alive - SURVIVORS.keys()):
        print(f"{name} survives, and is not explained")
    return 1 if alive - SURVIVORS.keys() else 0


def killers_for(mutant, written):
    """All killers: the one that the table as it is written names first, then the others from cheap to dear.

    The implementation in lockstep stays the last, so that the table shows the mutants that no other killer sees.
    """
    cheaper = KILLERS.keys() - {LOCKSTEP}
    named = [killer for name, _, killer in table.read(written) if name == mutant.name and killer in cheaper]
    return tuple(dict.fromkeys([*named, *KILLERS]))


def _arguments():
    known = [mutant.name for mutant in MUTANTS]
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a mutant (default: all)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at once (default: 1)")
    parser.add_argument("--every", action="store_true", help="do not stop at the first killer that sees something")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in known]
    if unknown:
        parser.error(f"there is no mutant {unknown[0]!r}")
    return arguments


def _print(mutant, seen, verdict):
    seconds = sum(verdict_of_killer.seconds for verdict_of_killer in seen)
    who = (
        ", ".join(verdict_of_killer.killer for verdict_of_killer in seen if verdict_of_killer.saw is not None)
        or "survives"
    )
    print(f"{mutant.name}: {who} ({seconds:.1f} s)\n    {table.shown(verdict.saw)}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
