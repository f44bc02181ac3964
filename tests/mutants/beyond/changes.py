"""Every change outside of the ring's rules, by where it is, and why those survive that nothing can notice."""

from tests.mutants.beyond.chosen import CHOSEN
from tests.mutants.beyond.chosen_later import CHOSEN_LATER
from tests.mutants.beyond.of_chord import OF_CHORD
from tests.mutants.beyond.of_delta_fault_tolerance import OF_DELTA_FAULT_TOLERANCE
from tests.mutants.beyond.of_implementation import OF_IMPLEMENTATION
from tests.mutants.beyond.of_judging import OF_JUDGING
from tests.mutants.beyond.of_kernel import OF_KERNEL
from tests.mutants.beyond.of_layers import OF_LAYERS
from tests.mutants.beyond.of_machinery import OF_MACHINERY
from tests.mutants.beyond.of_publishing import OF_PUBLISHING
from tests.mutants.beyond.of_skip_plus import OF_SKIP_PLUS

PARTS = {
    "Publications, tries, agreement, failing, suspects, space": OF_PUBLISHING,
    "The rules of Skip+": OF_SKIP_PLUS,
    "The layers over Skip+": OF_LAYERS,
    "The rules of Chord": OF_CHORD,
    "The rules of delta-fault-tolerance": OF_DELTA_FAULT_TOLERANCE,
    "The implementation's cores": OF_IMPLEMENTATION,
    "Judge, packs, exit codes": OF_JUDGING,
    "The kernel, stage by stage": OF_KERNEL,
    "Machinery for the statements of protocols": OF_MACHINERY,
    "Chosen before anybody looked at the tests": CHOSEN,
    "Chosen likewise, later": CHOSEN_LATER,
}
ALL = tuple(change for part in PARTS.values() for change in part)

SURVIVORS: dict[str, str] = {}
"""Why a change that no test notices makes no difference, or which test is missing."""
