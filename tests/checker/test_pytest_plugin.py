"""`pytest --gomboc-traces DIR`: a test of each trace, which fails as the judge says."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from unittest.mock import patch
from xml.etree import ElementTree as Tree

import pytest

from tests.checker.cli.command import gomboc
from tests.checker.own import own_modules

ROOT = Path(__file__).resolve().parents[2]
TRACES = ROOT / "traces" / "skip_ring"


def run_pytest(folder, *words, plugins=("no:cacheprovider",), alone=False):
    """The output of pytest in that folder, with no other plugin; in a process of its own if it is to be alone.

    Not with the plugin that collects all garbage at the end: here that is what the tests before have left, too.
    """
    every = (*plugins, "no:unraisableexception", "gomboc.checker.pytest_plugin")
    named = [word for plugin in every for word in ("-p", plugin)]
    command = [sys.executable, "-m", "pytest", "-q", *named, *words]
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    if alone:
        return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    return run_here(command, folder, environment)


def run_here(command, folder, environment):
    """The output of `python -m pytest` in this process, which has imported already what another would import."""
    out, err = StringIO(), StringIO()
    around = patch.dict(os.environ, environment, clear=True)
    with own_modules(folder, (str(folder),)), around, redirect_stdout(out), redirect_stderr(err):
        code = pytest.main(command[3:])
    return subprocess.CompletedProcess(command, int(code), out.getvalue(), err.getvalue())


@pytest.fixture
def suite(tmp_path):
    (tmp_path / "traces").mkdir()
    for name in ("corrupted_database.ok", "send_left_out.bad"):
        shutil.copy(TRACES / f"{name}.jsonl", tmp_path / "traces")
    (tmp_path / "traces" / "unreadable.jsonl").write_text("hello\n")
    (tmp_path / "test_own.py").write_text("def test_own():\n    pass\n")
    return tmp_path


def test_the_plugin_is_installed_with_gomboc():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["pytest11"] == {"gomboc": "gomboc.checker.pytest_plugin"}


def test_each_trace_is_a_test_beside_those_of_the_suite_and_one_that_cannot_be_read_fails(suite):
    ran = run_pytest(suite, "--gomboc-traces", "traces", alone=True)
    assert ran.returncode == 1
    assert "2 failed, 2 passed" in ran.stdout
    assert "conformance: violated at step 4 at supervisor: subscribe: the step is not what" in ran.stdout
    assert '    took: message 2, {"kind":"Subscribe"' in ran.stdout
    assert "traces/unreadable.jsonl:1: " in ran.stdout
    assert "Traceback" not in ran.stdout


def test_a_folder_without_traces_is_an_error(suite):
    (suite / "empty").mkdir()
    ran = run_pytest(suite, "--gomboc-traces", "empty")
    assert ran.returncode == 4
    assert "ERROR: --gomboc-traces: empty: there is no trace in it; traces are files that end in" in ran.stderr


def test_a_corpus_is_a_test_and_each_kind_of_failure_in_it_another(corpus):
    ran = run_pytest(corpus, "--gomboc-traces", "corpus")
    assert ran.returncode == 1
    assert "2 failed, 1 passed" in ran.stdout
    assert "Verdicts: 2 unknown, 1 violated.\n" in ran.stdout
    assert "unknown: 3 things never happened (see above)" in ran.stdout
    assert "FAILED corpus/manifest.json::introduce_shortcut right" in ran.stdout
    assert "introduce_shortcut: the step is not what the rule 'introduce_shortcut' produces" in ran.stdout
    # Where CI is set, pytest's own summary says each failure whole once more: only what stands before it is counted.
    output, summary, _ = ran.stdout.partition("short test summary info")
    assert summary
    assert output.count("  reproduce: gomboc replay corpus\n") == 2


def test_a_trace_is_run_again_by_its_id_and_chosen_by_its_name(suite):
    listed = run_pytest(suite, "--gomboc-traces", "traces", "--collect-only").stdout
    assert "traces/send_left_out.bad.jsonl::trace\n" in listed
    by_id = run_pytest(suite, "--gomboc-traces", "traces", "traces/corrupted_database.ok.jsonl::trace")
    assert (by_id.returncode, "1 passed" in by_id.stdout) == (0, True), by_id.stdout
    chosen = run_pytest(suite, "--gomboc-traces", "traces", "-k", "send_left_out")
    assert "1 failed, 3 deselected" in chosen.stdout


def test_traces_of_an_own_protocol_are_judged_as_the_table_of_the_project_says(tmp_path):
    lamps = shutil.copytree(ROOT / "tests" / "sample", tmp_path / "lamps")
    ran = run_pytest(lamps, "--gomboc-traces", "recorded")
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "corpus"
    words = f"--variant printed_linearize --nodes 6 --traces 3 --rounds 4 --into packs --output {path}"
    assert gomboc("simulate", "skip_ring", *words.split()).code == 0
    return path


@pytest.fixture
def corpus(suite, recorded):
    shutil.copytree(recorded, suite / "corpus")
    return suite


PARALLEL = ("no:cacheprovider", "xdist.plugin")
CHOSEN = [
    ((), {"failed": 4, "passed": 2}),
    (("-k", "corpus"), {"failed": 2}),
    (("-k", "introduce_shortcut"), {"failed": 1}),
    (("corpus/manifest.json::introduce_shortcut right",), {"failed": 1}),
    (("traces/corrupted_database.ok.jsonl::trace", "corpus/manifest.json::corpus"), {"failed": 1, "passed": 1}),
    (("traces",), {"failed": 4, "passed": 1}),
    (("test_own.py", "-k", "own or unreadable"), {"failed": 1, "passed": 1}),
]
BOTH = ("--gomboc-traces", "traces", "--gomboc-traces", "corpus")


def counted(ran):
    """How many tests passed and failed, as the last line says."""
    last = ran.stdout.splitlines()[-1]
    return {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", last)}


@pytest.mark.parametrize(("words", "says"), CHOSEN, ids=str)
def test_traces_and_a_corpus_are_chosen_as_other_tests_are(words, says, corpus):
    """A folder that is named is collected whole, unless a test is asked for by its id."""
    ran = run_pytest(corpus, *BOTH, *words)
    assert counted(ran) == says, ran.stdout


@pytest.mark.parametrize(("words", "says"), CHOSEN[3::3], ids=str)
def test_chosen_ones_are_distributed_as_other_tests_are(words, says, corpus):
    ran = run_pytest(corpus, *BOTH, "-n", "1", *words, plugins=PARALLEL)
    assert counted(ran) == says, ran.stdout


def test_all_are_distributed_and_only_the_last_failures_are_run_again(corpus):
    remembering = ("cacheprovider", "xdist.plugin")
    whole = run_pytest(corpus, *BOTH, "-n", "2", plugins=remembering)
    assert counted(whole) == {"failed": 4, "passed": 2}, whole.stdout
    shutil.copy(TRACES / "corrupted_database.ok.jsonl", corpus / "traces" / "unreadable.jsonl")
    again = run_pytest(corpus, *BOTH, "--lf", "-n", "1", plugins=remembering)
    assert counted(again) == {"failed": 3, "passed": 1}, again.stdout
    assert counted(run_pytest(corpus, *BOTH, "--lf", plugins=["cacheprovider"])) == {"failed": 3}


BROKEN = {
    "no TOML": ("[tool.gomboc", "pyproject.toml: it is no TOML: "),
    "a number": (
        "[tool.gomboc]\nprotocol = 5\n",
        "pyproject.toml:2: [tool.gomboc] protocol: Expected `str`, got `int`.",
    ),
    "no list": (
        '[tool.gomboc]\nprotocol = "skip_ring"\npythonpath = "src"\n',
        "pyproject.toml:3: [tool.gomboc] pythonpath: Expected `array`, got `str`.",
    ),
    "no protocol": (
        '[tool.gomboc]\nprotocol = "nowhere:PROTOCOL"\n',
        "nowhere:PROTOCOL cannot be imported (ModuleNotFoundError: No module named 'nowhere'): fix or install it.",
    ),
    "no text": ("\udcff", "pyproject.toml: it is no TOML: "),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_pyproject_that_makes_no_sense_is_refused_in_a_sentence(name, suite):
    text, says = BROKEN[name]
    (suite / "traces" / "pyproject.toml").write_bytes(text.encode(errors="surrogateescape"))
    ran = run_pytest(suite, "--gomboc-traces=traces")
    assert (ran.returncode, "Traceback" in ran.stderr + ran.stdout) == (4, False), ran.stderr
    assert ran.stderr.startswith("ERROR: --gomboc-traces: ")
    assert says in ran.stderr


def test_a_pyproject_that_pytest_itself_cannot_read_is_refused(suite):
    (suite / "pyproject.toml").write_text(BROKEN["no TOML"][0])
    ran = run_pytest(suite, "--gomboc-traces", "traces")
    assert ran.returncode == 4
    assert "pyproject.toml" in ran.stderr


@pytest.mark.parametrize("where", ["lamps", "lamps/recorded", ".", "/"])
@pytest.mark.parametrize("root", ["lamps", "."])
def test_the_table_that_counts_is_the_nearest_above_the_traces(where, root, tmp_path):
    lamps = shutil.copytree(ROOT / "tests" / "sample", tmp_path / "lamps")
    (tmp_path / "pyproject.toml").write_text('[tool.gomboc]\nprotocol = "skip_ring"\n')
    words = ("--gomboc-traces", str(lamps / "recorded"), "--rootdir", str(tmp_path / root), str(lamps / "recorded"))
    ran = run_pytest((tmp_path / where).resolve(), *words)
    assert (ran.returncode, "1 passed" in ran.stdout) == (0, True), ran.stdout + ran.stderr


IMPORTING = """
import sys
sys.path.insert(0, {folder!r})
from gomboc.spec.core.registry import add

def test_own():
    add("lamps:PROTOCOL")
"""


@pytest.mark.parametrize("words", [(), ("-n", "2"), ("-k", "trace"), ("own", "recorded")], ids=str)
def test_a_protocol_that_another_test_names_is_not_known_to_a_trace(words, tmp_path):
    lamps = shutil.copytree(ROOT / "tests" / "sample", tmp_path / "lamps")
    shutil.copytree(lamps / "recorded", tmp_path / "recorded")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "test_own.py").write_text(IMPORTING.format(folder=str(lamps)))
    ran = run_pytest(tmp_path, "--gomboc-traces", "recorded", *words, plugins=PARALLEL)
    assert ran.returncode == 1
    assert "1 failed" in ran.stdout
    assert "'lamps'" in ran.stdout


def test_a_test_that_changes_the_folder_changes_nothing_for_a_trace(suite):
    (suite / "test_own.py").write_text("import os\ndef test_own():\n    os.chdir('/')\n")
    ran = run_pytest(suite, "--gomboc-traces", "traces", "-k", "own or send_left_out", "test_own.py", "traces")
    assert "1 failed, 1 passed" in ran.stdout
    assert "reproduce: gomboc check traces/send_left_out.bad.jsonl\n" in ran.stdout


def test_in_the_xml_of_pytest_each_trace_has_a_time(suite):
    run_pytest(suite, "--gomboc-traces", "traces", "--junitxml", "junit.xml")
    cases = Tree.parse(suite / "junit.xml").getroot().findall(".//testcase")
    assert len(cases) == 4
    assert max(float(case.attrib["time"]) for case in cases if case.attrib["name"] == "trace") > 0
