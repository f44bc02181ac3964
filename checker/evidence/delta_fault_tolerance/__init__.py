"""Results on delta-fault-tolerance, and on its paper."""

from pathlib import Path

from gomboc.checker.core.evidence import ProtocolEvidence

EVIDENCE = ProtocolEvidence(
    claims=Path(__file__).with_name("claims.toml"),
    experiments=f"{__name__}.experiments",
    picture=f"{__name__}.picture:PICTURE",
)
