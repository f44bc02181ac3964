"""Evidence on Scribe and on the claims of the report."""

from pathlib import Path

from gomboc.checker.core.evidence import ProtocolEvidence

EVIDENCE = ProtocolEvidence(
    claims=Path(__file__).with_name("claims.toml"),
    experiments=f"{__name__}.experiments",
    picture=f"{__name__}.picture:PICTURE",
)
