"""The variables, messages and commands of the skip ring.

References are node names. A label of None is the paper's bottom; so is an empty slot.
"""

from typing import Literal

import msgspec

SUPERVISOR = "supervisor"
"""The name under which everybody knows the supervisor; read-only (Section 1.1)."""

LIST: Literal["LIN"] = "LIN"
CYCLE: Literal["CYC"] = "CYC"
Flag = Literal["LIN", "CYC"]
"""Whether a claim is meant for the sorted list or for the edge that closes the ring (Algorithm 1, line 8)."""


class Claim(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """The tuple (label_v, v): the claim that node `node` has the label `label`."""

    label: str
    node: str


class Entry(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, order=True):
    """A tuple of the database or a shortcut: a label, and the node it belongs to if one is known."""

    label: str
    node: str | None


class Supervisor(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The supervisor's variables: the database, ordered by label and with each label once, and `next`.

    Source: Section 3.1
    """

    database: tuple[Entry, ...] = ()
    next: int = 0


class Subscriber(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A subscriber's variables. `shortcuts` is ordered by label and has each label once.

    `wants` is what its application last asked for: to belong to the ring, or not. It is not part of the paper.

    Source: Section 3.2
    """

    label: str | None = None
    left: Claim | None = None
    right: Claim | None = None
    ring: Claim | None = None
    shortcuts: tuple[Entry, ...] = ()
    wants: bool = True


class Kind(msgspec.Struct, frozen=True, tag_field="kind", tag=True, forbid_unknown_fields=True):
    """What a message or command has in common with others: in a trace, `kind` says which it is."""


class Subscribe(Kind, frozen=True):
    """To the supervisor: integrate `subscriber`. Source: Algorithm 3, line 6."""

    subscriber: str


class Unsubscribe(Kind, frozen=True):
    """To the supervisor: remove `subscriber`. Source: Algorithm 3, line 13."""

    subscriber: str


class GetConfiguration(Kind, frozen=True):
    """To the supervisor: send `subscriber` its configuration. Source: Algorithm 3, line 24."""

    subscriber: str


class SetData(Kind, frozen=True):
    """From the supervisor: the configuration (pred, label, succ). Source: Algorithm 4, line 16."""

    pred: Claim | None
    label: str | None
    succ: Claim | None


class Check(Kind, frozen=True):
    """`sender` introduces itself and says which label it thinks the receiver has. Source: Algorithm 1, line 8."""

    sender: Claim
    label: str
    flag: Flag


class Introduce(Kind, frozen=True):
    """Somebody passes `claim` on. Source: Algorithm 2, line 16."""

    claim: Claim
    flag: Flag


class Present(Kind, frozen=True):
    """`claim.node` introduces itself: an Introduce whose subject is its sender. Source: Algorithm 1, line 10."""

    claim: Claim
    flag: Flag


class Probe(Kind, frozen=True):
    """`sender` asks the receiver to present itself. Not in the paper: see Deviations in the README."""

    sender: str
    flag: Flag


class Linearize(Kind, frozen=True):
    """`claim` is delegated along the list. Source: Algorithm 1, line 14."""

    claim: Claim


class RemoveConnections(Kind, frozen=True):
    """`node` has no label: forget it. Source: Algorithm 1, line 30."""

    node: str


class IntroduceShortcut(Kind, frozen=True):
    """`claim` may be a shortcut of the receiver. Source: Algorithm 4, line 22."""

    claim: Claim


Message = (
    Subscribe
    | Unsubscribe
    | GetConfiguration
    | SetData
    | Check
    | Introduce
    | Present
    | Probe
    | Linearize
    | RemoveConnections
    | IntroduceShortcut
)


class WantIn(Kind, frozen=True, tag="subscribe"):
    """The application subscribes. Source: Section 4.1."""


class WantOut(Kind, frozen=True, tag="unsubscribe"):
    """The application unsubscribes. Source: Section 4.1."""


Command = WantIn | WantOut
