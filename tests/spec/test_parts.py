"""A field whose type nothing can be derived from is refused at once, by module, class and field."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Struct, defstruct

from gomboc.spec.fields import Ascending, NodeName
from gomboc.spec.parts import DerivationError, parts_of


class Inner(Struct, frozen=True):
    """A struct inside another one."""

    name: NodeName


class Other(Struct, frozen=True, tag=True):
    """One of a union."""

    name: NodeName


class Another(Struct, frozen=True, tag=True):
    """The other one of a union."""

    count: int


FORMS = [
    (int, "plain"),
    (str | None, "plain"),
    (str | int, "plain"),
    (Literal["a", "b"], "plain"),
    (NodeName, "name"),
    (NodeName | None, "name"),
    (Inner, "struct"),
    (Other | Another | None, "union"),
    (Other | int, "union"),
    (tuple[NodeName, ...], "every"),
    (tuple[int, NodeName], "several"),
    (Annotated[tuple[Inner, ...], Ascending()], "every"),
]


@pytest.mark.parametrize(("hint", "form"), FORMS)
def test_a_type_is_taken_apart(hint, form):
    (part,) = parts_of(defstruct("Made", [("field", hint)])).values()
    assert part.form == form
    assert part.optional == (type(None) in getattr(hint, "__args__", ()))


@pytest.mark.parametrize(
    ("hint", "says"),
    [
        (dict[str, int], "cannot be derived from dict: use texts, numbers"),
        (list[str], "cannot be derived from list"),
        (Any, "cannot be derived from Any"),
        (tuple[frozenset[str], ...], "cannot be derived from frozenset"),
        (tuple[int, ...] | int, "a union is one of structs and plain values, each maybe None"),
        (Annotated[int, *NodeName.__metadata__], "a node's name is a text: annotate str with NodeName"),
    ],
)
def test_a_type_that_cannot_be_taken_apart_is_refused_by_name(hint, says):
    made = defstruct("Made", [("right", int), ("wrong", hint)], module="own.state")
    with pytest.raises(DerivationError, match=r"^own\.state\.Made\.wrong: ") as caught:
        parts_of(made)
    assert says in str(caught.value)
