"""The collector of cycles rests where many values are made, and goes on afterwards."""

import gc
import subprocess
import sys

from gomboc.checker.core.processes.collecting import RARELY, collect_rarely, without_collecting

ENDS = """
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count() > 0))
from gomboc.checker.core.processes.collecting import collect_rarely
{}
atexit.register(lambda: print(gc.get_freeze_count() > 0))
"""
"""A program that says, last of all, whether its values are spared the search at its end."""


def test_no_cycles_are_looked_for_meanwhile_and_again_afterwards():
    assert gc.isenabled()
    with without_collecting():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_cycles_are_still_looked_for_but_rarely():
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert (gc.isenabled(), gc.get_threshold()) == (True, (RARELY, *before[1:]))
    finally:
        gc.set_threshold(*before)


def test_a_process_does_not_look_for_cycles_when_it_ends():
    for called, ends in (("", "False\nFalse\n"), ("collect_rarely()\ncollect_rarely()", "False\nTrue\n")):
        ran = subprocess.run([sys.executable, "-c", ENDS.format(called)], capture_output=True, text=True, check=True)
        assert ran.stdout == ends
