"""Every kind of mutilation of an honest trace: each takes the lines and a source of randomness, and changes the lines.

It may find nothing to change; then the trace stays true.
"""

from random import Random
from typing import Any

from tests.copying import copied

Line = dict[str, Any]
Lines = list[Line]


def steps(lines: Lines) -> list[Line]:
    return lines[1:]


def _some(random: Random, things: list[Line]) -> Line | None:
    return random.choice(things) if things else None


def _sending(lines: Lines) -> list[Line]:
    return [step for step in steps(lines) if step["sent"]]


def _delivering(lines: Lines) -> list[Line]:
    return [step for step in steps(lines) if isinstance(step["took"], int)]


def leave_out_step(lines: Lines, random: Random) -> None:
    if len(lines) > 1:
        del lines[random.randrange(1, len(lines))]


def repeat_step(lines: Lines, random: Random) -> None:
    if len(lines) > 1:
        lines.insert(random.randrange(1, len(lines) + 1), copied(random.choice(steps(lines))))


def swap_steps(lines: Lines, random: Random) -> None:
    if len(lines) > 2:
        first = random.randrange(1, len(lines) - 1)
        second = min(len(lines) - 1, first + random.randrange(1, 6))
        lines[first], lines[second] = lines[second], lines[first]


def take_another_state(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        step["state"] = (
            copied(random.choice(steps(lines))["state"]) if random.random() < 0.3 else other_state(lines, step)
        )


def other_state(lines: Lines, step: Line) -> Any:
    states = [entry["state"] for entry in steps(lines) if entry["node"] == step["node"]]
    states.append(lines[0]["states"].get(step["node"], step["state"]))
    return copied(min(states, key=lambda state: (state == step["state"], str(state))))


def start_elsewhere(lines: Lines, random: Random) -> None:
    node = random.choice(sorted(lines[0]["states"]))
    lines[0]["states"][node] = other_state(lines, {"node": node, "state": lines[0]["states"][node]})


def leave_out_send(lines: Lines, random: Random) -> None:
    if step := _some(random, _sending(lines)):
        step["sent"].pop(random.randrange(len(step["sent"])))


def send_again(lines: Lines, random: Random) -> None:
    if step := _some(random, _sending(lines)):
        step["sent"].append({**copied(random.choice(step["sent"])), "id": 10**6 + random.randrange(10**10)})


def send_elsewhere(lines: Lines, random: Random) -> None:
    if step := _some(random, _sending(lines)):
        random.choice(step["sent"])["to"] = random.choice([*lines[0]["roles"], "nobody"])


def send_something_else(lines: Lines, random: Random) -> None:
    if step := _some(random, _sending(lines)):
        other = random.choice(random.choice(_sending(lines))["sent"])
        random.choice(step["sent"])["message"] = copied(other["message"])


def give_id_again(lines: Lines, random: Random) -> None:
    if step := _some(random, _sending(lines)):
        random.choice(step["sent"])["id"] = random.choice(random.choice(_sending(lines))["sent"])["id"]


def take_another_message(lines: Lines, random: Random) -> None:
    if step := _some(random, _delivering(lines)):
        step["took"] = random.choice([random.choice(_delivering(lines))["took"], 5, 10**9])


def take_it_twice(lines: Lines, random: Random) -> None:
    if step := _some(random, _delivering(lines)):
        lines.append({**copied(step), "sent": []})


def take_a_timeout(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        step["took"] = "timeout"


def be_another_node(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        step["node"] = random.choice([*lines[0]["roles"], "nobody"])


def claim_a_state(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        step["before"] = other_state(lines, step) if random.random() < 0.5 else copied(step["state"])


def see_it_altered(lines: Lines, random: Random) -> None:
    if step := _some(random, _delivering(lines)):
        sent = [entry for other in _sending(lines) for entry in other["sent"]]
        if sent:
            step["received"] = copied(random.choice(sent)["message"])


def hand_something_over(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        step["delivered"] = ["what nobody sent"]


def toss_another_coin(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        step["coin"] = random.choice(["ask", "silent", "speak", "edge"])


def start_with_a_message_less(lines: Lines, random: Random) -> None:
    if lines[0]["messages"]:
        lines[0]["messages"].pop(random.randrange(len(lines[0]["messages"])))


def start_with_a_message_to_no_node(lines: Lines, random: Random) -> None:
    if lines[0]["messages"]:
        random.choice(lines[0]["messages"])["to"] = "nobody"


def start_with_a_message_twice(lines: Lines, random: Random) -> None:
    if lines[0]["messages"]:
        lines[0]["messages"].append(copied(random.choice(lines[0]["messages"])))


def bound_it(lines: Lines, random: Random) -> None:
    lines[0]["bound"] = random.randrange(6)


def reverse_a_table(lines: Lines, random: Random) -> None:
    if step := _some(random, steps(lines)):
        for value in step["state"].values():
            if isinstance(value, list):
                value.reverse()


def spell_it_otherwise(lines: Lines, random: Random) -> None:
    """The same values, in another order of keys: other texts that mean the same."""
    if step := _some(random, steps(lines)):
        step["state"] = dict(reversed(step["state"].items()))
        for sent in step["sent"]:
            head, *rest = sent["message"].items()
            sent["message"] = dict([*reversed(rest), head])


def claim_it_in_another_spelling(lines: Lines, random: Random) -> None:
    """The true claim, in another order of keys."""
    states = dict(lines[0]["states"])
    for step in steps(lines):
        if random.random() < 0.2 and step["node"] in states:
            step["before"] = dict(reversed(states[step["node"]].items()))
        states[step["node"]] = step["state"]


def see_it_in_another_spelling(lines: Lines, random: Random) -> None:
    """The true message, in another order of keys."""
    sent = {entry["id"]: entry["message"] for step in steps(lines) for entry in step["sent"]}
    for step in _delivering(lines):
        if random.random() < 0.2 and step["took"] in sent:
            head, *rest = sent[step["took"]].items()
            step["received"] = dict([*reversed(rest), head])


def deliver_what_it_sends(lines: Lines, random: Random) -> None:
    if step := _some(random, [step for step in _sending(lines) if isinstance(step["took"], int)]):
        step["took"] = random.choice(step["sent"])["id"]


KINDS = (
    leave_out_step, repeat_step, swap_steps, take_another_state, start_elsewhere, leave_out_send, send_again,
    send_elsewhere, send_something_else, give_id_again, take_another_message, take_it_twice, take_a_timeout,
    be_another_node, claim_a_state, see_it_altered, hand_something_over, toss_another_coin, start_with_a_message_less,
    start_with_a_message_to_no_node, start_with_a_message_twice, bound_it, reverse_a_table, spell_it_otherwise,
    claim_it_in_another_spelling, see_it_in_another_spelling, deliver_what_it_sends,
)  # fmt: skip
