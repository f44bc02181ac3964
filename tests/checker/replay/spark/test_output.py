"""The output of Java and its workers is shown, except chatter and the last lines of dismissed workers."""

from io import BytesIO
from random import Random

from gomboc.checker.replay.spark.output import Output, worth_telling

HEADER = "Traceback (most recent call last):"
DAEMON = ["manager", "worker"]
DISMISSED = [
    HEADER,
    *(f'  File "/lib/pyspark.zip/pyspark/daemon.py", line 264, in {function}' for function in DAEMON),
    "BrokenPipeError: [Errno 32] Broken pipe",
]
UNDERLINED = [DISMISSED[0], DISMISSED[1], "    code = worker(sock, authenticated)", "    ^^^^^^", *DISMISSED[2:]]
FAILED = [HEADER, '  File "/lib/model.py", line 3, in step', "    x / 0", "ZeroDivisionError: division by zero"]
LOST = [*DISMISSED[:3], '  File "/lib/model.py", line 3, in step', "BrokenPipeError: [Errno 32] Broken pipe"]


def told(lines):
    return list(worth_telling(lines))


def test_workers_that_spark_dismisses_say_nothing():
    assert told(DISMISSED) == told(UNDERLINED) == told(DISMISSED * 3) == []
    assert told(["before", *DISMISSED, "after"]) == ["before", "after"]


def test_nor_when_several_of_them_speak_at_once():
    randomness = Random(0)
    for _ in range(200):
        rest = [list(DISMISSED) for _ in range(3)]
        mixed = []
        while any(rest):
            mixed.append(randomness.choice([words for words in rest if words]).pop(0))
        assert told(mixed) == []


def test_every_other_traceback_is_told_whole():
    for words in (FAILED, LOST, [*DISMISSED[:3], "ValueError: x"], DISMISSED[3:]):
        assert told(words) == words
        assert told([*words, *DISMISSED, "after"]) == [*words, "after"]
    assert told(DISMISSED[:2]) == DISMISSED[:2]
    assert told([*DISMISSED, *FAILED, *DISMISSED]) == FAILED


def test_output_waits_for_the_session_and_is_kept_for_a_complaint(capsys):
    output = Output()
    output.read(BytesIO(b"Current mem limits: -1 of max -1\n\nearly\n"))
    output.forwarding = True
    output.read(BytesIO(b"late\n"))
    assert capsys.readouterr().err == "late\n"
    assert list(output.last) == ["early", "late"]
