"""`gomboc export`, as a user calls it; and `gomboc simulate --into packs`, whose traces it writes."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from tests.checker.cli.command import gomboc, refused
from tests.checker.replay.pack.packs import GOLDEN, NAMES, corpus, everything_in

ROOT = Path(__file__).parents[4]
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", (ROOT / "traces" / "README.md").read_text(), re.DOTALL)
PLAN = ("simulate", "skip_ring", "--traces", 6, "--nodes", "2,3", "--seed", 4, "--settle", 1)


def test_every_trace_of_a_corpus_is_written(tmp_path):
    ran = gomboc("export", corpus(tmp_path / "corpus"), "--output", tmp_path / "traces")
    assert ran == (0, f"{tmp_path / 'traces'}: 3 traces.\n", "")
    for name in NAMES:
        assert (tmp_path / "traces" / f"{name}.jsonl").read_bytes() == (GOLDEN / f"{name}.jsonl").read_bytes()


def test_a_trace_of_a_pack_is_written(tmp_path):
    pack = corpus(tmp_path / "corpus") / "000001.pack"
    assert gomboc("export", pack, NAMES[2], "--output", tmp_path / "traces").code == 0
    assert [path.name for path in (tmp_path / "traces").glob("*.jsonl")] == [f"{NAMES[2]}.jsonl"]


def test_what_is_not_there_is_one_sentence(tmp_path):
    folder = corpus(tmp_path / "corpus")
    assert refused("export", folder, "x", "--output", tmp_path) == f"gomboc: {folder}: there is no trace 'x' in it.\n"


def test_simulating_into_packs_or_into_lines_is_the_same(tmp_path):
    ran = gomboc(*PLAN, "--into", "packs", "--pack-size", 4, "--jobs", 1, "--output", tmp_path / "packs")
    assert re.fullmatch(rf"{tmp_path}/packs: 6 traces in 2 packs, [\d,]+ steps; 6 ended legitimate.\n", ran.out)
    assert gomboc(*PLAN, "--output", tmp_path / "traces", "--jobs", 1).code == 0
    assert gomboc("export", tmp_path / "packs", "--output", tmp_path / "exported").code == 0
    assert everything_in(tmp_path / "exported") == everything_in(tmp_path / "traces")


def test_the_command_in_a_header_makes_that_trace_again(tmp_path):
    gomboc(*PLAN, "--into=packs", "--pack-size", 4, "--jobs", 1, "--output", tmp_path / "packs")
    gomboc("export", tmp_path / "packs", "skip_ring-000005", "--output", tmp_path / "exported")
    (path,) = (tmp_path / "exported").glob("*.jsonl")
    command = json.loads(path.read_text().split("\n", 1)[0])["origin"]["command"]
    assert command == "gomboc simulate skip_ring --traces 6 --nodes 2,3 --seed 4 --settle 1 --only 5"
    assert gomboc(*command.split()[1:], "--output", tmp_path / "again").code == 0
    assert everything_in(tmp_path / "again") == everything_in(tmp_path / "exported")


def test_the_example_for_pyarrow_counts_what_the_lines_say(tmp_path):
    command = [sys.executable, "-c", EXAMPLE, corpus(tmp_path / "corpus")]
    counted = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    lines = [json.loads(line) for name in NAMES for line in (GOLDEN / f"{name}.jsonl").read_text().splitlines()[1:]]
    assert counted == Counter(sent["message"]["kind"] for line in lines for sent in line["sent"])
    assert "gomboc" not in EXAMPLE
