"""The stack of trees over a ring over a membership, which also broadcasts to those in no tree."""

from gomboc.spec.layers.stack import HandOver, Layer, Opening, Stack

STACKS = (
    Stack(
        name="hyparview_chord_scribe",
        layers=(Layer("hyparview", "hyparview"), Layer("chord", "chord"), Layer("scribe", "scribe", topics=True)),
        hand_overs=(
            HandOver("hyparview", {"kind": "Peers"}, "chord", {"kind": "Peers"}),
            HandOver("chord", {"kind": "Route", "key": "$key"}, "scribe", {"kind": "Routed"}),
            HandOver("chord", {"kind": "StillRoute", "key": "$key"}, "scribe", {"kind": "StillRouted"}),
            HandOver("scribe", {"kind": "Spread"}, "hyparview", {"kind": "Spread", "topic": "$topic"}),
            HandOver("hyparview", {"kind": "Heard", "topic": "$topic"}, "scribe", {"kind": "Heard"}),
        ),
        together=("Crash", "Leave"),
        openings=(Opening("chord", {"kind": "Watch", "key": "$key"}),),
    ),
)
