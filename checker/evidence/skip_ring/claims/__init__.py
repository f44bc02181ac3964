"""What the paper on the supervised skip ring claims, section by section.

Source: Feldmann, Kolb, Scheideler, Strothmann, Self-Stabilizing Supervised Publish-Subscribe Systems
"""

from checker.errata.claim import Paper

PAPER = Paper(
    "What the paper on the supervised skip ring claims",
    "Michael Feldmann, Christina Kolb, Christian Scheideler and Thim Strothmann: *Self-Stabilizing Supervised "
    "Publish-Subscribe Systems*. Each claim below was put to the test by machine, on the executable specification in "
    "this folder. The protocol does what it is meant to do: with the repairs named here, every sampled run from a "
    "corrupted state became right. What is refuted is, with few exceptions, a step of a proof, a constant, or a line "
    "of pseudocode. Each claim says whose rules ran, the printed ones or ours, and where the result hangs on how the "
    "paper is read: in many places another reading makes the claim true, and that is said too.",
)
"""The paper, and what is said above its claims."""

SECTIONS = (
    "as_printed",
    "graph",
    "neighbours",
    "wording",
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
