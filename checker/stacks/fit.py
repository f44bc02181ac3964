"""Whether a stack fits the protocols that it names."""

from gomboc.checker.core.errors import UsageError
from gomboc.checker.core.phrases import OWN_PROTOCOL, listed, suggestion
from gomboc.spec.core.protocol import Protocol
from gomboc.spec.core.registry import find_protocol, protocol_names
from gomboc.spec.layers.stack import Stack
from gomboc.spec.layers.stacks import UnfitStackError, find_stack, stack_names
from gomboc.spec.types.kinds import kinds_of

OWN_STACK = "for one of your own give package.module:STACK"


def known_stack(name: str, where: str = "") -> Stack:
    """The stack of that name, which fits its protocols. Raises UsageError, in a sentence, if there is none."""
    try:
        names = stack_names()
        if name not in names:
            near = suggestion(name, names)
            there = listed("there are", names)
            raise UsageError(f"{where}there is no stack {name!r}; {there}; {OWN_STACK}.{near}")
        stack = find_stack(name)
    except UnfitStackError as error:
        raise UsageError(f"{where}{error}.") from error
    check_fit(stack)
    return stack


def check_fit(stack: Stack) -> None:
    """Raise UsageError unless all protocols of a stack exist, and take the commands that others hand over to them."""
    for layer in stack.layers:
        if layer.protocol not in protocol_names():
            raise _unfit(stack, f"there is no protocol {layer.protocol!r} for {layer.name!r}; {OWN_PROTOCOL}")
    given = [(opening.layer, "the application gives", opening.command) for opening in stack.openings]
    handed = [
        (hand_over.target, f"{hand_over.source} hands over {hand_over.delivery['kind']} as", hand_over.command)
        for hand_over in stack.hand_overs
    ]
    for layer_name, who, command in (*handed, *given):
        commands = kinds_of(find_protocol(stack.layer(layer_name).protocol).vocabulary.command)
        kind = commands.get(command["kind"])
        if kind is None:
            known = listed("it has", commands)
            raise _unfit(stack, f"{who} {command['kind']}, which is no command of {layer_name}; {known}")
        for field in sorted(set(command) - {"kind"} - set(kind.__struct_fields__)):
            raise _unfit(stack, f"{who} {command['kind']} with {field!r}, which it does not have")


def _unfit(stack: Stack, what: str) -> UsageError:
    return UsageError(f"The stack {stack.name} does not fit: {what}.")


def together_in(stack: Stack, protocol: Protocol) -> tuple[str, ...]:
    """The kinds of commands of that protocol that nodes take in all layers together."""
    return tuple(kind for kind in stack.together if kind in kinds_of(protocol.vocabulary.command))
