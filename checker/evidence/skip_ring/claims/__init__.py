"""Claims of the paper on the supervised skip ring, section by section.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from gomboc.checker.errata.claim import Paper

PAPER = Paper(
    "Claims of the paper on the supervised skip ring",
    "Michael Feldmann, Christina Kolb, Christian Scheideler and Thim Strothmann: *Self-Stabilizing Supervised "
    "Publish-Subscribe Systems*. Each claim below was put to the test by machine, on the executable specification in "
    "this folder. Most refuted claims are a step of a proof, a constant, or a line of pseudocode; with the "
    "repairs named here the random runs of theorem_17_convergence and of lemma_10_recorded, from corrupted states, all "
    "became right. Each claim says which rules ran, the printed ones or ours, and where the result hangs on how the "
    "paper is read: in many places another reading makes the claim true, and that is said too.",
    "(01, v3) is the claim that v3 has the label 01. In SR(n) the subscribers v1, v2, v3, v4, ... have the labels "
    "l(0), l(1), l(2), l(3), ..., that is 0, 1, 01, 11, ...; s is the supervisor. Messages are named as in the "
    "algorithms; ours has two more: Present, an Introduce in which the sender speaks of itself, and Probe, which asks "
    "for one. A "
    "round delivers all that is in flight, and then has every node time out once. Where we deviate from the paper, and "
    "which rules have a printed variant, is listed in [`README.md`](README.md). `gomboc check` takes a trace step by "
    "step: exit code 0 says that the rules allow each step, and that the system becomes right and stays so; exit code "
    "1 says that one of these is violated: which one, where, and the expected value.",
)
"""The paper, and the introduction to its claims."""

SECTIONS = (
    "as_printed",
    "graph",
    "neighbours",
    "monotone",
    "wording",
    "unsaid",
    "measures",
    "database",
    "configurations",
    "shortcuts",
    "failures",
    "membership",
    "departure",
    "tries",
    "convergence",
    "promises",
    "closure",
    "late",
    "potentials",
    "reconciliation",
    "news",
)
"""The modules with claims: the strongest counterexample first, then in the order of the paper."""
