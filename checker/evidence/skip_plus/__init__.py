"""Evidence on Skip+ and on the claims of its slides."""

from pathlib import Path

from gomboc.checker.core.evidence import ProtocolEvidence

EVIDENCE = ProtocolEvidence(
    claims=Path(__file__).with_name("claims.toml"),
    experiments=f"{__name__}.experiments",
    lemmas=f"{__name__}.lemmas",
    picture=f"{__name__}.picture:PICTURE",
)
