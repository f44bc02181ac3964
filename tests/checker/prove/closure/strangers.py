"""Small protocols as a stranger writes them, drawn by a seed: their states, conjuncts and rules as source text."""

import linecache
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import msgspec


class Field(msgspec.Struct, frozen=True):
    """A field of a node's state, as `strangers.toml` says it."""

    kind: str
    true: tuple[str, ...]
    steps: tuple[str, ...]
    odd: tuple[str, ...]
    told: tuple[str, ...]
    odd_told: tuple[str, ...]
    values: str


class Parts(msgspec.Struct, frozen=True):
    """What protocols are made of; the fields that are `always` there are those that others refer to."""

    always: tuple[str, ...]
    conditions: tuple[str, ...]
    odd_conditions: tuple[str, ...]
    messages: tuple[str, ...]
    sends: tuple[str, ...]
    frame: str
    fields: dict[str, Field]


PARTS = msgspec.toml.decode(Path(__file__).with_suffix(".toml").read_bytes(), type=Parts)
CAREFUL, ODD = 0.5, 0.3
"""How many protocols have no odd part, and how many parts of the others are odd."""


class Drawn:
    """The parts of a protocol, drawn by a seed."""

    def __init__(self, random: Random) -> None:
        self._random = random
        self._odd = 0.0 if random.random() < CAREFUL else ODD
        others = [name for name in PARTS.fields if name not in (*PARTS.always, "friends")]
        chosen = random.sample(others, random.randint(0, 2))
        more = ("friends",) if "names" not in chosen and random.random() < 0.1 else ()
        self._fields = {name: PARTS.fields[name] for name in (*PARTS.always, *chosen, *more)}

    def source(self) -> str:
        """The source of the protocol."""
        conditions, fields = PARTS.conditions, self._fields.items()
        return PARTS.frame.format(
            fields="\n    ".join(f"{name}: {field.kind}" for name, field in fields),
            condition=self._one((*conditions, "node == me", "amount > 1"), (*PARTS.odd_conditions, "node is me")),
            quiet=self._one(conditions, PARTS.odd_conditions),
            **{place: self._update(place in ("first", "second")) for place in ("first", "second", "third", "fourth")},
            sends=self._one(PARTS.sends[:2], PARTS.sends),
            true=" and ".join(self._one(field.true[:1], field.true) for field in self._fields.values()),
            message=self._one(PARTS.messages[:2], PARTS.messages),
            values=", ".join(f"'{name}': list({field.values})" for name, field in fields),
        )

    def _one(self, usual: tuple[str, ...], odd: tuple[str, ...]) -> str:
        return self._random.choice(odd if self._random.random() < self._odd else usual)

    def _update(self, told: bool) -> str:
        """New values of one field or of two."""
        names = self._random.sample([*self._fields], self._random.randint(1, 2))
        return ", ".join(f"{name}={self._value(self._fields[name], told)}" for name in names)

    def _value(self, field: Field, told: bool) -> str:
        if told and self._random.random() < 0.7:
            return self._one(field.told, field.odd_told)
        return self._one(field.steps, field.odd)


def drawn(random: Random) -> str:
    """The source of a protocol."""
    return Drawn(random).source()


def module_of(name: str, source: str) -> ModuleType:
    """The module of that name with that source, as if it had been imported."""
    module: Any = ModuleType(name)
    sys.modules[name] = module
    # As a file would, so that its expressions can be read.
    linecache.cache[f"{name}.py"] = len(source), None, source.splitlines(keepends=True), f"{name}.py"
    exec(compile(source, f"{name}.py", "exec"), vars(module))
    return module
