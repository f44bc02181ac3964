"""The stack of trees over a ring: the tree of each topic is made of the next hops towards its key."""

from gomboc.spec.layers.stack import HandOver, Layer, Opening, Stack

STACKS = (
    Stack(
        name="chord_scribe",
        layers=(Layer("chord", "chord"), Layer("scribe", "scribe", topics=True)),
        hand_overs=(
            HandOver("chord", {"kind": "Route", "key": "$key"}, "scribe", {"kind": "Routed"}),
            HandOver("chord", {"kind": "StillRoute", "key": "$key"}, "scribe", {"kind": "StillRouted"}),
        ),
        together=("Crash", "Leave"),
        openings=(Opening("chord", {"kind": "Watch", "key": "$key"}),),
    ),
)
