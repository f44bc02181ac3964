"""Node names in the values and steps of a pack, as sets of bits, so that those of a whole block are
compared at once.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import msgspec
import numpy as np

from gomboc.checker.core.errors import UsageError
from gomboc.checker.distinct.arrays import Array, spread
from gomboc.checker.distinct.distinct import COMMAND, DELIVERY, NONE
from gomboc.checker.distinct.spelling import Once, PackValues
from gomboc.spec.core.protocol import Protocol, names_no_nodes

WORD = 64
"""Names in one word of bits: the name with the number `w * WORD + b` is bit b of word w."""

WHOLE = (1 << WORD) - 1
"""All bits of a word."""


class NameSets:
    """For each of `size` numbers a set of names, computed when it is first needed. `bits` has a row for each word."""

    def __init__(self, size: int) -> None:
        self.known = np.zeros(size, bool)
        self.bits: Array = np.zeros((1, size), np.uint64)

    def meet(self, numbers: Array) -> Array:
        """The numbers that are new, each once; they count as known from now on."""
        if self.known[numbers].all():
            return numbers[:0]
        new = np.zeros(len(self.known), bool)
        new[numbers] = True
        new &= ~self.known
        self.known |= new
        return np.flatnonzero(new)

    def widen(self, words: int) -> None:
        """Widen the rows to so many words of names."""
        if words > len(self.bits):
            more = np.zeros((words - len(self.bits), len(self.known)), np.uint64)
            self.bits = np.concatenate((self.bits, more))


class Naming:
    """The names in the states, contents and steps of one pack. A step has the names in its command, state after and
    sends.

    Each distinct value is evaluated once. `unfit` states and contents are skipped and have no names: their traces are
    refused, or left to the naive judge, for their faults.
    """

    def __init__(self, protocol: Protocol, values: PackValues, unfit_states: Array, unfit_contents: Array) -> None:
        distinct = values.distinct
        self._distinct, self._values, self._named = distinct, values, protocol.naming.named
        # Values are many, and the combinations of names in them fewer.
        self._bits = Once(partial(_bits_of, Once(distinct.names.number)))
        self._unfit = unfit_states, unfit_contents
        self.states, self.contents = NameSets(len(distinct.state_role)), NameSets(distinct.contents)
        self.steps = NameSets(len(distinct))
        self._commands = Once(partial(_named_by, protocol, values, self._bits))

    def learn(self, states: Array, contents: Array, steps: Array) -> None:
        """Compute the names of these states, contents and steps."""
        distinct, steps = self._distinct, self.steps.meet(steps)
        acting = steps[distinct.before[steps] != NONE]
        sends = spread(distinct.send_starts[steps], distinct.sends[steps])
        after, sent = distinct.after[acting], distinct.send_content[sends]
        values, (unfit_states, unfit_contents) = self._values, self._unfit
        states = self.states.meet(np.append(states, after))
        contents = self.contents.meet(np.append(contents, sent))
        self._ask(self.states, values.state, values.read_states, states[~unfit_states[states]])
        self._ask(self.contents, values.message, values.read_messages, contents[~unfit_contents[contents]])
        self._widen()
        self.steps.bits[:, acting] = self.states.bits[:, after]
        senders = np.repeat(steps, distinct.sends[steps])
        for word, bits in enumerate(self.contents.bits):
            np.bitwise_or.at(self.steps.bits[word], senders, bits[sent])
        self._learn_commands(steps[distinct.took[steps] == COMMAND])

    def _learn_commands(self, steps: Array) -> None:
        """Add the names in the commands that the steps take; an unreadable command is left to the naive judge."""
        for step, number in zip(steps.tolist(), self._distinct.input[steps].tolist(), strict=True):
            bits = self._commands[number]
            self._widen(-(-bits.bit_length() // WORD))
            for word in range(len(self.steps.bits)):
                self.steps.bits[word, step] |= np.uint64(bits >> WORD * word & WHOLE)

    def _ask(self, sets: NameSets, value: Callable[[int], object], read: Callable[[Array], None], fresh: Array) -> None:
        read(fresh)
        named = [self._bits[self._named(value(number))] for number in fresh.tolist()]
        for word in range(-(-max(map(int.bit_length, named), default=0) // WORD)):
            sets.widen(word + 1)
            sets.bits[word, fresh] = np.array([bits >> WORD * word & WHOLE for bits in named], np.uint64)

    def _widen(self, words: int = 0) -> None:
        words = max(words, len(self.states.bits), len(self.contents.bits), len(self.steps.bits))
        for sets in (self.states, self.contents, self.steps):
            sets.widen(words)

    def anew(self, steps: Array) -> Array:
        """A mask of the steps, all learned before, that have a new name.

        A name is new if it is not the name of the step's node, and occurs neither in the state before nor in the
        message that the step takes.
        """
        distinct = self._distinct
        took, word = distinct.took[steps] == DELIVERY, distinct.node[steps] // WORD
        own = np.uint64(1) << (distinct.node[steps] % WORD).astype(np.uint64)
        anew = np.zeros(len(steps), bool)
        for number, states in enumerate(self.states.bits):
            known = states[distinct.before[steps]] | np.where(word == number, own, np.uint64(0))
            known[took] |= self.contents.bits[number][distinct.input[steps[took]]]
            anew |= self.steps.bits[number][steps] & ~known != 0
        return anew

    def others(self, nodes: Iterable[int]) -> Array:
        """Every name except those of these numbers, as one word of bits after another."""
        there = [0] * len(self.steps.bits)
        for number in nodes:
            if number < WORD * len(there):
                there[number // WORD] |= 1 << number % WORD
        return ~np.array(there, np.uint64)


def _named_by(protocol: Protocol, values: PackValues, bits: Mapping[tuple[str, ...], int], number: int) -> int:
    """A bit for each name in a command; none for a content that is no command."""
    try:
        return bits[protocol.naming.named(values.command(number))]
    except (UsageError, msgspec.DecodeError):
        return 0


def _bits_of(numbers: Mapping[str, int], named: tuple[str, ...]) -> int:
    """A bit for each of the names."""
    bits = 0
    for name in named:
        bits |= 1 << numbers[name]
    return bits


def naming_of(protocol: Protocol, values: PackValues, unfit_states: Array, unfit_contents: Array) -> Naming | None:
    """The index of node references; None if the protocol declares none."""
    return None if protocol.naming.named is names_no_nodes else Naming(protocol, values, unfit_states, unfit_contents)


def naming_anew(protocol: Protocol, values: PackValues, steps: Array) -> Array:
    """The right steps among these that have a new name, known neither to their node nor from their input.

    All of them if the names cannot be computed: composing then compares the names of each.
    """
    distinct = values.distinct
    naming = naming_of(protocol, values, np.zeros(len(distinct.state_role), bool), np.zeros(distinct.contents, bool))
    if naming is None:
        return steps[:0]
    # A step that takes no command, does not change its node and sends nothing names no other node than this does.
    changes = (distinct.after[steps] != distinct.before[steps]) | (distinct.sends[steps] > 0)
    steps = steps[changes | (distinct.took[steps] == COMMAND)]
    taken = distinct.input[steps[distinct.took[steps] == DELIVERY]]
    try:
        naming.learn(distinct.before[steps], taken, steps)
    except Exception:  # noqa: BLE001  # the names in a value that is not canonical may be undefined
        return steps
    return steps[naming.anew(steps)]
