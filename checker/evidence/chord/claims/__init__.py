"""Claims about Chord: about the published rules, a report that builds on them, and their repair.

Source: Stoica et al. 2001 and 2003; Liben-Nowell et al. 2002; a report of 2019 on a publish-subscribe system,
Section 2.2; Zave 2012 and 2017
"""

from gomboc.checker.errata.claim import Paper

PAPER = Paper(
    "Claims about Chord",
    "*Published*: Stoica, Morris, Liben-Nowell, Karger, Kaashoek, Dabek and Balakrishnan: *Chord: A Scalable "
    "Peer-to-Peer Lookup Protocol for Internet Applications* (2001 and 2003), and Zave: *Using Lightweight Modeling "
    "to Understand Chord* (2012), which states the claims that were made of it; the executions cited from it "
    "are those of her model. *The report*: one on a publish-subscribe system "
    "over Chord and Scribe, with pseudocode in its Section 2.2.3. *Zave 2017*: *Reasoning about Identifier Spaces: How "
    "to Make Chord Correct*. Each claim below was put to the test by machine: on the published rules event by event, "
    "on the executable specification in this folder, or on variants of it. None of the properties that were claimed "
    "to be invariant of the published rules is.",
    "Nodes are numbers on a circle. A state of the published rules is written node by node as first successor, second "
    "successor, predecessor.",
)
"""The papers, and the introduction above their claims."""

SECTIONS = ("published", "report", "repaired", "lookups", "stable")
"""The modules with claims: the strongest counterexamples first."""
