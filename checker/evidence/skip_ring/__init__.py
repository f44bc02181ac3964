"""Results on the supervised skip ring: claims of its paper, lemmas, and the material of both."""

from pathlib import Path

from gomboc.checker.core.evidence import ProtocolEvidence

EVIDENCE = ProtocolEvidence(
    claims=Path(__file__).with_name("claims.toml"),
    experiments=f"{__name__}.experiments",
    lemmas=f"{__name__}.lemmas",
    picture=f"{__name__}.picture:PICTURE",
)
