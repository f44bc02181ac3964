"""Claims of the slides on Skip+ and ALG+.

Source: 35 slides on Jacob, Richa, Scheideler, Schmid, Täubig, A Distributed Polylogarithmic Time Algorithm for
Self-Stabilizing Skip Graphs
"""

from gomboc.checker.errata.claim import Paper

PAPER = Paper(
    "Claims of the slides on Skip+",
    "Slides of a talk on Riko Jacob, Andrea Richa, Christian Scheideler, Stefan Schmid and Hanjo Täubig: *A "
    "Distributed Polylogarithmic Time Algorithm for Self-Stabilizing Skip Graphs*. Each claim below was put to the "
    "test by machine, on the executable specification in this folder. The claims are those of the slides, which "
    "shorten a paper: where one is refuted, the paper may well say more. Slides are cited by the number that is "
    "printed on them. The graph and the algorithm do their task, with one repair: a node that has not spoken for "
    "itself is never introduced.",
    "A bound with O speaks of all large n, and figures for a few n neither show nor refute it. One standard is kept "
    "for all of these claims: *reproduced* if a constant that does for all smaller n does for the largest one too, but "
    "for a rounding by 1; *undecided* otherwise.",
)
"""The slides, and the introduction above their claims."""

SECTIONS = ("departed", "graph", "verifiable", "tools", "rules", "bottom_up", "top_down", "membership")
"""The modules with claims: the strongest counterexamples first, then in the order of the slides."""
