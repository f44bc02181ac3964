"""One core at a time, and its answers: states and messages as plain JSON values, sends without an order."""

from random import Random

import msgspec

from gomboc.impl.api.registry import implementation
from gomboc.impl.core.automaton import Received, Send, SetTimer, Timeout, Traced

BLANK = {"label": None, "left": None, "right": None, "ring": None, "shortcuts": [], "wants": True}
ASK, SILENT = 0.0, 0.999


class LoadedCoin(Random):
    """A random source that always gives the same number."""

    def __init__(self, number):
        super().__init__()
        self._number = number

    def random(self):
        return self._number


def make(role, name, state, coin=SILENT, variant="skip_ring"):
    return implementation(variant).make(role, name, state, LoadedCoin(coin))


def subscriber(coin=SILENT, variant="skip_ring", **variables):
    """A subscriber called u, by default with label 01 and nothing else."""
    return make("subscriber", "u", {**BLANK, "label": "01", **variables}, coin, variant)


def supervisor(*database, following=0):
    state = {"database": sorted(map(list, database)), "next": following}
    return make("supervisor", "supervisor", state)


def state_of(core):
    return msgspec.json.decode(core.snapshot())


def sends(outputs):
    """The messages sent, as (target, kind, further values ...), sorted."""
    values = [
        (output.to, *msgspec.to_builtins(output.message, builtin_types=(tuple,)).values())
        for output in outputs
        if isinstance(output, Send)
    ]
    return sorted(values, key=repr)


def unordered(*expected):
    return sorted(expected, key=repr)


def hear(core, message):
    """Deliver a message; return the answers."""
    return sends(core.handle(0.0, Received(message)))


def time_out(core):
    return sends(core.handle(0.0, Timeout()))


def coin_of(outputs):
    return [output.coin for output in outputs if isinstance(output, Traced)]


def timers_of(outputs):
    return [output.at for output in outputs if isinstance(output, SetTimer)]
