"""Claims of the paper on delta-fault-tolerance.

Source: Kazemzadeh and Jacobsen, Delta-Fault-Tolerant Publish/Subscribe Systems, Technical Report CSRG-570, 2007
"""

from gomboc.checker.errata.claim import Paper

PAPER = Paper(
    "Claims of the paper on delta-fault-tolerance",
    "Reza Sherafat Kazemzadeh and Hans-Arno Jacobsen: *Delta-Fault-Tolerant Publish/Subscribe Systems*, Technical "
    "Report CSRG-570, University of Toronto, 2007. Each claim below was put to the test by machine, on the executable "
    "specification in this folder, with the rule in question as printed or as ours. Rule by rule as printed, what the "
    "paper promises cannot be had. By our rules it can, as far as we looked.",
    "A broker's name is a path: `0.1` is a child of `0`. A run is told as a scene whose trace the judge confirms.",
)
"""The paper, and what is said above its claims."""

SECTIONS = ("forwarding", "formulas", "crashes", "recovery", "joining", "masking", "corrupted")
"""The modules with claims: what breaks without any failure first."""
