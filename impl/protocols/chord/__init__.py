"""Chord, implemented: a self-stabilising ring with lookups, and its variants with rules as published."""

from collections.abc import Mapping
from functools import partial

from msgspec import Struct
from msgspec.structs import replace

from gomboc.impl.core.automaton import Core, Implementation, RandomSource
from gomboc.impl.core.errors import UsageError
from gomboc.impl.core.vocabulary import plain
from gomboc.impl.protocols.chord import commands, messages
from gomboc.impl.protocols.chord.core import FAILING, Node
from gomboc.impl.protocols.chord.identity import LocalIdentity
from gomboc.impl.protocols.chord.parameters import Parameters, read
from gomboc.impl.protocols.chord.port import PORT
from gomboc.impl.protocols.chord.published import HeadOnly, Unasked
from gomboc.impl.protocols.chord.states import OUTSIDE, load


class _Form(Struct, frozen=True):
    """Differences between the implementations."""

    name: str
    node: type[Node]
    parameters: Parameters = Parameters()
    variants: tuple["_Form", ...] = ()


def _make(form: _Form, role: str, name: str, state: object, random: RandomSource) -> Core:
    if role != "node":
        raise UsageError(f"Chord has no role {role!r}; it has: node.")
    circle = form.parameters.circle
    wrong = circle.wrong_name(name)
    if wrong is not None:
        raise UsageError(f"{name!r} is no name of a node of Chord: {wrong}.")
    me = LocalIdentity(name, circle.id_of(name), form.parameters, circle)
    return form.node(me, load(name, state, form.parameters), random)


def _implementation(form: _Form) -> Implementation:
    return Implementation(
        name=form.name,
        protocol="chord",
        make=partial(_make, form),
        decode=messages.decoder(form.parameters),
        decode_command=commands.decoder(form.parameters),
        variants=tuple(map(_implementation, form.variants)),
        configured=partial(_configured, form),
        words=messages.WORDS,
        blank={"node": plain(OUTSIDE)},
        failing=FAILING,
    )


def _configured(form: _Form, values: Mapping[str, object]) -> Implementation:
    parameters = read(values)
    variants = tuple(replace(variant, parameters=parameters) for variant in form.variants)
    return _implementation(replace(form, parameters=parameters, variants=variants))


_PUBLISHED = (
    _Form("chord.adopts_unasked", Unasked),
    _Form("chord.copies_head_only", HeadOnly),
)

__all__ = ["IMPLEMENTATION", "PORT"]

IMPLEMENTATION = _implementation(_Form("chord", Node, variants=_PUBLISHED))
