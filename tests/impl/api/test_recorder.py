from itertools import islice

import msgspec
import pytest

from gomboc.impl.api import recorder
from gomboc.impl.api.registry import implementation
from gomboc.impl.runtime.simulator import Simulation
from tests.impl.protocols.skip_ring.starts import corrupted
from tests.impl.refusing import refusing

START = corrupted(4, seed=1)


def steps(count):
    return islice(Simulation(START, implementation("skip_ring"), 1).steps(), count)


def test_a_trace_is_a_header_and_a_line_per_step(tmp_path):
    path = tmp_path / "run.jsonl"
    recorder.record(path, START, steps(300))
    lines = path.read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert msgspec.json.decode(lines[0]) == START
    assert len(lines) == 301
    assert path.read_bytes() == b"".join(recorder.lines(START, steps(300)))


def test_a_step_has_the_keys_of_the_format_and_no_empty_option():
    for line in list(recorder.lines(START, steps(500)))[1:]:
        step = msgspec.json.decode(line)
        keys = ["node", "took", "state", "sent"]
        coined = step["took"] == "timeout" and step["node"] != "supervisor" and step["state"]["label"] is not None
        assert [*step] == ([*keys, "coin"] if coined else keys)
        for sent in step["sent"]:
            assert [*sent] == ["id", "to", "message"]
            assert next(iter(sent["message"])) == "kind"


class Interrupted(BaseException):
    """Stand-in for the exception of Ctrl-C, which does not end the tests."""


def interrupted():
    yield from steps(10)
    raise Interrupted


@pytest.mark.parametrize("former", [[], ["former"]])
def test_nothing_is_left_of_a_trace_that_was_interrupted_but_a_former_one(former, tmp_path):
    path = tmp_path / "run.jsonl"
    for text in former:
        path.write_text(text)
    with pytest.raises(Interrupted):
        recorder.record(path, START, interrupted())
    assert [(left, left.read_text()) for left in tmp_path.iterdir()] == [(path, text) for text in former]


def test_a_place_that_does_not_exist_is_the_fault_of_the_user(tmp_path):
    path = tmp_path / "nowhere" / "run.jsonl"
    with refusing(f"The trace {path} cannot be written: No such file or directory."):
        recorder.record(path, START, steps(1))
