"""Mutants that were drawn and that nobody noticed: by file, line before and line after, with the reason."""

EQUAL: dict[tuple[str, str, str], str] = {}
"""Those that make no difference, and why."""

UNNOTICED: dict[tuple[str, str, str], str] = {
    (
        "spec/skip_ring/legitimacy.py",
        'return _unless(label == claim.label, "claim_is_true", target, label and Claim(label, claim.node), claim)',
        'return _unless(label == claim.label, "claim_is_true", target, label or Claim(label, claim.node), claim)',
    ): "what a claim should have said had no test; tests/spec/skip_ring/test_legitimacy.py has one since",
}
"""Those that do, and which test is missing."""
