"""Nodes that have subscribed to the topic `news`, with the toy of members as their overlay."""

from typing import Any

from tests.impl.system import System
from tests.toys.members.impl import OVERLAY


def system(*names: str, **options: Any) -> System:
    """A system of these members, after the time that joining takes."""
    there = System(OVERLAY, names, **options)
    there.subscribe("news", *names)
    there.run()
    return there


def take_all(deliveries: Any) -> list[str | bytes]:
    """The payloads that wait."""
    return [publication.payload for publication in iter(deliveries.take, None)]
