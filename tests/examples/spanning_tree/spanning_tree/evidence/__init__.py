"""Evidence on the protocol spanning_tree."""

from pathlib import Path

from gomboc.checker import ProtocolEvidence

EVIDENCE = ProtocolEvidence(
    claims=Path(__file__).with_name("claims.toml"),
    experiments="spanning_tree.evidence.experiments",
    lemmas="spanning_tree.evidence.lemmas",
    picture="spanning_tree.evidence.picture:PICTURE",
    models="spanning_tree.spec.models",
)
