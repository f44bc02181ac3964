"""What is known of the lamps: an experiment for a claim, a picture, and a model."""

from pathlib import Path

from lamps import MODEL, Lamp, Tell, react

from gomboc.checker import Evidence, Line, Picture, ProtocolEvidence, Spot, settled
from gomboc.spec import CERTAIN, Pinned, Received


def copies(most: int) -> Evidence:
    """Every number up to `most` that a lamp shows, and every one that it is told."""
    cases = [(shown, told) for shown in range(most + 1) for told in range(most + 1)]
    after = {told: react("lamp1", Lamp(shown, ""), Received(Tell(told)), CERTAIN[0]).local for shown, told in cases}
    return Evidence(settled(all(lamp.number == told for told, lamp in after.items())), {"cases": len(cases)})


def spot(names, node, local):
    return Spot(names.index(node) / len(names), 0.0, f"{node}: {local.number}", "in")


def lines(node, local, false):
    return (Line(local.next, 0, "shows_the_number" not in false),) if local.next else ()


PICTURE = Picture(spot, lines, ("tells",))
MODELS = (Pinned("two_lamps", "two lamps and their source", MODEL, None),)
EVIDENCE = ProtocolEvidence(
    claims=Path(__file__).with_name("lamps_claims.toml"),
    experiments=__name__,
    lemmas="lamps_lemmas",
    picture=f"{__name__}:PICTURE",
    models=__name__,
)
