"""A field whose type nothing can be derived from is refused at once, by module, class and field."""

from typing import Annotated, Any, Literal

import pytest
from msgspec import Struct, defstruct

from gomboc.spec.types.derived import Derived
from gomboc.spec.types.fields import (
    Ascending,
    AtMost,
    DerivationError,
    Distinct,
    Holds,
    IsName,
    NodeName,
    OnlyWith,
    Within,
)
from gomboc.spec.types.parts import parts_of


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
    (Annotated[str, NodeName], "name"),
    (Annotated[int | None, Within(0)] | None, "plain"),
    (Annotated[tuple[str, ...] | None, AtMost(3)] | None, "every"),
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


class Bare(Struct, frozen=True):
    """A struct without a tag."""

    name: NodeName


class Namesake(Struct, frozen=True, tag="Other"):
    """A struct with the tag of another."""

    name: NodeName


class Tree(Struct, frozen=True):
    """A struct inside itself."""

    wrong: tuple["Tree", ...] = ()


class Branch(Struct, frozen=True):
    """A struct inside itself by way of another one."""

    leaf: "Leaf"


class Leaf(Struct, frozen=True):
    """The other one."""

    wrong: Branch | None


TAGS = "the structs of a union are told apart by their tags: give each its own, tag=True"
TUPLE = "needs a tuple of any length as the type"
LIMIT = "needs a number, the name of a parameter or a function of the parameters as its limit"
UNFIT: list[tuple[Any, str]] = [
    (Annotated[str, Within(0, 5)], "Within needs int as the type"),
    (Annotated[str | int, Within(0)], "Within needs int as the type"),
    (Annotated[bool, Within(0)], "Within needs int as the type"),
    (Annotated[int, Within("r")], "Within needs a number as its lower limit"),
    (Annotated[int, Within(0, (5,))], f"Within {LIMIT}"),
    (Annotated[int, Ascending()], f"Ascending {TUPLE}"),
    (Annotated[tuple[int, str], Ascending()], f"Ascending {TUPLE}"),
    (Annotated[tuple[int, ...], Ascending(by="x")], "Ascending needs a function as its key"),
    (Annotated[str, Distinct()], f"Distinct {TUPLE}"),
    (Annotated[int, AtMost(3)], f"AtMost {TUPLE}"),
    (tuple[Annotated[int, AtMost(3)], ...] | None, f"AtMost {TUPLE}"),
    (Annotated[tuple[int, ...], AtMost(None)], f"AtMost {LIMIT}"),
    (Annotated[int, Holds("odd")], "Holds needs a function as its test"),
    (Annotated[int, Within], "Within is a class: annotate with Within(...)"),
    (Annotated[str, IsName], "IsName is a class: annotate with IsName(...)"),
    (Annotated[int, NodeName], "a node's name is a text: annotate str with NodeName"),
    (Bare | Inner, TAGS),
    (Bare | Other | int, TAGS),
    (Other | Namesake, TAGS),
    ("Nothing | None", "its type names Nothing, which its module does not define"),
]


@pytest.mark.parametrize(("hint", "says"), UNFIT)
def test_an_annotation_that_does_not_fit_is_refused_when_functions_are_derived(hint, says):
    made = defstruct("Made", [("right", NodeName), ("wrong", hint)], module="own.state")
    with pytest.raises(DerivationError) as caught:
        Derived(made)
    assert str(caught.value) == f"own.state.Made.wrong: {says}"


@pytest.mark.parametrize(("struct", "place", "inside"), [(Tree, Tree, "Tree"), (Branch, Leaf, "Branch")])
def test_a_struct_inside_itself_is_refused_when_functions_are_derived(struct, place, inside):
    with pytest.raises(DerivationError) as caught:
        Derived(struct)
    assert (
        str(caught.value)
        == f"{__name__}.{place.__name__}.wrong: nothing can be derived from {inside}, which is inside itself"
    )


class Parameters(Struct, frozen=True):
    """Parameters without the one that is named."""

    unset: int | None = None


NO_LIMIT = "its limit, nothing, is no number among the parameters"


@pytest.mark.parametrize(
    ("hint", "value", "says"),
    [
        (Annotated[int, Within(0, "nothing")], 1, NO_LIMIT),
        (tuple[Annotated[int, Within(0, "nothing")], ...], (1,), NO_LIMIT),
        (Annotated[tuple[int, ...], AtMost("nothing")], (1,), NO_LIMIT),
        (Annotated[tuple[int, ...], AtMost("unset")], (1,), "its limit, unset, is no number among the parameters"),
        (Annotated[tuple[int, ...], OnlyWith("nothing")], (1,), "nothing is not among the parameters"),
    ],
)
def test_a_parameter_that_there_is_not_is_refused_at_the_first_use(hint, value, says):
    made = defstruct("Made", [("wrong", hint)], module="own.state")
    with pytest.raises(DerivationError) as caught:
        Derived(made).malformed(Parameters(), made(value))
    assert str(caught.value) == f"own.state.Made.wrong: {says}"
