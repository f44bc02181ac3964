"""Claims of the paper on delta-fault-tolerance.

Source: Kazemzadeh and Jacobsen, Delta-Fault-Tolerant Publish/Subscribe Systems, Technical Report CSRG-570, 2007
"""

from gomboc.checker.errata.claim import Paper

PAPER = Paper(
    "Claims of the paper on delta-fault-tolerance",
    "Reza Sherafat Kazemzadeh and Hans-Arno Jacobsen: *Delta-Fault-Tolerant Publish/Subscribe Systems*, Technical "
    "Report CSRG-570, University of Toronto, 2007. Each claim below was put to the test by machine, on the executable "
    "specification in this folder, with the rule in question as printed or as ours. Rule by rule as printed, the "
    "paper's promises cannot be kept. By our rules they can, as far as we looked.",
    "A broker's name is a path: `0.1` is a child of `0`. A run is shown as a scene, and the judge confirms its trace.",
)
"""The paper, and the introduction to its claims."""

SECTIONS = ("forwarding", "formulas", "crashes", "recovery", "joining", "masking", "corrupted")
"""The modules with claims; those on runs without any failure come first."""
