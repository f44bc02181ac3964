"""Evidence on HyParView, as published and as students have reported on it, and on its broadcast with recovery."""

from pathlib import Path

from gomboc.checker.core.evidence import ProtocolEvidence

EVIDENCE = ProtocolEvidence(claims=Path(__file__).with_name("claims.toml"), experiments=f"{__name__}.experiments")
