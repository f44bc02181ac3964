"""The stack with publications on top: a graph for each topic, and one for all nodes with the directory on it."""

from gomboc.spec.layers.stack import HandOver, Layer, Stack

NEIGHBOURS = {"kind": "Moved"}, {"kind": "Stayed"}

STACKS = (
    Stack(
        name="skip_plus_dissemination",
        layers=(
            Layer("skip_plus", "skip_plus", topics=True),
            Layer("topic_directory", "topic_directory", topics=True),
            Layer("dissemination", "dissemination", topics=True),
        ),
        hand_overs=tuple(
            HandOver("skip_plus", told, above, told)
            for above in ("topic_directory", "dissemination")
            for told in NEIGHBOURS
        ),
    ),
)
