"""A protocol of another project: named on the command line or installed, and never because a header says so."""

import json
import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gomboc.checker.core import protocol_option
from gomboc.checker.core.digest import digest_of, spec_digest
from gomboc.checker.replay.spark.session import _named_by_the_caller
from gomboc.spec.core import registry
from gomboc.spec.core.registry import UnfitProtocolError, add, find_protocol, forget, named, protocol_names
from tests.checker.cli.command import gomboc, refused
from tests.test_pages import blocks

PAGE = Path(__file__).resolve().parents[3] / "checker" / "OWN_PROTOCOL.md"
(MODULE,) = re.findall(r"cat > followers.py <<'END'\n(.*?)\nEND\n", blocks(PAGE)[0][1], re.DOTALL)
WHERE = "followers:PROTOCOL"


@pytest.fixture
def home(own_folder):
    """A folder with a protocol of its own in it, in which commands are called."""
    (own_folder / "followers.py").write_text(MODULE)
    return own_folder


def trace(home, name="followers", took=0):
    """A trace of a follower that copies the number 2, though its leader has 1."""
    head = {"format": "gomboc-trace", "version": 1, "protocol": name, "parameters": {}, "origin": {}}
    head |= {"roles": {"leader": "leader", "v1": "follower"}, "states": {"leader": {"number": 1}, "v1": {"number": 0}}}
    head |= {"messages": [{"id": 0, "to": "v1", "message": {"kind": "tell", "number": 2}}]}
    step = {"node": "v1", "took": took, "state": {"number": 2}, "sent": []}
    path = home / "t.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, step)))
    return path


def test_a_protocol_that_is_named_is_known_by_its_name(home):
    path = trace(home)
    assert "there is no protocol 'followers'" in refused("check", path)
    ran = gomboc("check", "--protocol", WHERE, path)
    assert (ran.code, ran.err) == (3, "")
    assert "conformance: holds" in ran.out
    assert f"reproduce: gomboc check --protocol {WHERE} {path}" in ran.out


def test_executors_of_a_cluster_know_it_too(home):
    assert _named_by_the_caller() == {}
    protocol_option.add_protocol(WHERE)
    assert _named_by_the_caller() == {"spark.executorEnv.GOMBOC_PROTOCOLS": WHERE}


def test_a_summary_names_it_where_it_says_how_to_look_closer(home):
    Path("traces").mkdir()
    trace(home).rename("traces/t.jsonl")
    ran = gomboc("replay", "--protocol", WHERE, "traces", "--jobs", "1")
    assert f"Look closer: gomboc check --protocol {WHERE} traces/t.jsonl\n" in ran.out


def test_a_header_causes_no_import(home):
    (home / "trap.py").write_text("raise SystemExit('sprung')")
    for name in ("trap", "trap:PROTOCOL", "followers:PROTOCOL"):
        assert f"there is no protocol {name!r}; there are: " in refused("check", trace(home, name))


def test_processes_that_are_started_know_it_too(home):
    protocol_option.add_protocol(WHERE)
    code = "from gomboc.spec.core.registry import find_protocol; print(find_protocol('followers').vocabulary.member)"
    done = subprocess.run([sys.executable, "-c", code], cwd="/", capture_output=True, text=True, check=False)
    assert done.stdout == "follower\n", done.stderr


def test_findings_name_its_own_source_and_counterexamples_the_roles_of_nodes_whose_states_are_alike(home):
    words = ("followers:MISTAKEN", "--engine", "plain")
    ran = gomboc("explore", "--protocol", WHERE, *words, "--output", "found")
    assert ran.code == 1
    assert "Definition" not in ran.out
    assert f"reproduce: gomboc explore --protocol {WHERE} {' '.join(words)}" in ran.out
    headers = [json.loads(path.read_text().splitlines()[0]) for path in Path("found").iterdir()]
    assert headers
    assert all(header["roles"] == {"leader": "leader", "v1": "follower", "v2": "follower"} for header in headers)


def test_the_digest_covers_the_module_that_defines_it(home):
    ours = spec_digest()
    add_here()
    theirs = spec_digest()
    (home / "followers.py").write_text(MODULE + "\n")
    digest_of.cache_clear()
    assert len({ours, theirs, spec_digest()}) == 3


def test_the_digest_covers_the_package_that_defines_it(home):
    (home / "package" / "inner").mkdir(parents=True)
    for name in ("package/__init__.py", "package/inner/__init__.py", "package/inner/rules.py"):
        (home / name).write_text("")
    (home / "package" / "protocol.py").write_text(MODULE)
    protocol_option.add_protocol("package.protocol:PROTOCOL")
    before = spec_digest()
    (home / "package" / "inner" / "rules.py").write_text("changed = True")
    digest_of.cache_clear()
    assert spec_digest() != before


def test_replay_resumes_nothing_that_was_judged_by_other_rules(home):
    """The rule is in a module that the protocol imports: the digest must cover it."""
    copies, rule = (
        MODULE.replace("PROTOCOL = ", "from follower_rules import KEPT\nPROTOCOL = ", 1),
        home / "follower_rules.py",
    )
    (home / "followers.py").write_text(copies)
    rule.write_text("KEPT = 0\n")
    add_here()
    digest_of.cache_clear()
    before = spec_digest()
    rule.write_text("KEPT = 1\n")
    digest_of.cache_clear()
    assert spec_digest() != before


def add_here():
    protocol_option.add_protocol(WHERE)
    assert named() == (WHERE,)


def installed(monkeypatch, *points):
    """Have those entry points be installed."""
    monkeypatch.setattr(registry, "entry_points", lambda group: [EntryPoint(*point, group) for point in points])
    forget()


def test_a_protocol_that_is_installed_is_known_by_its_name(home, monkeypatch):
    protocol_option.look_here()
    installed(monkeypatch, ("followers", WHERE))
    assert "followers" in protocol_names()
    assert find_protocol("followers").vocabulary.member == "follower"


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (
            [("followers", "nowhere:PROTOCOL")],
            "nowhere:PROTOCOL cannot be imported (ModuleNotFoundError: No module named 'nowhere'): fix or install it",
        ),
        (
            [("followers", WHERE), ("followers", "again:PROTOCOL")],
            "two protocols are called 'followers', again:PROTOCOL and followers:PROTOCOL: rename or remove one",
        ),
    ],
)
def test_an_entry_point_that_cannot_be_used_is_refused_when_it_is_named(points, sentence, home, monkeypatch):
    protocol_option.look_here()
    installed(monkeypatch, *points)
    with pytest.raises(UnfitProtocolError, match=re.escape(sentence)):
        find_protocol("followers")
    assert sentence in refused("check", trace(home))


def test_an_entry_point_has_the_name_of_its_protocol(home, monkeypatch):
    protocol_option.look_here()
    installed(monkeypatch, ("leaders", WHERE))
    with pytest.raises(UnfitProtocolError, match="is installed as 'leaders' and calls itself 'followers'"):
        find_protocol("leaders")


def test_what_is_installed_and_named_as_well_is_one_protocol(home, monkeypatch):
    protocol_option.look_here()
    installed(monkeypatch, ("followers", WHERE))
    assert add(WHERE) is find_protocol("followers")


NODE = """
import msgspec
from gomboc.impl.core.automaton import Implementation, Received, Send, SetTimer, Timeout
from followers import Ask, Choose, Number, Tell

class Node:
    def __init__(self, name, state):
        self.name, self.number = name, msgspec.convert(state, Number).number
    def handle(self, now, given):
        match given:
            case Timeout():
                asked = [] if self.name == "leader" else [Send("leader", Ask(self.name))]
                return [*asked, SetTimer(now + 1)]
            case Received(Ask(who)) if self.name == "leader":
                return [Send(who, Tell(self.number))]
            case Received(Tell(number)) if self.name != "leader":
                self.number = number
        return []
    def snapshot(self):
        return msgspec.Raw(msgspec.json.encode(Number(self.number)))

IMPLEMENTATION = Implementation(
    name="followers", protocol="followers", make=lambda role, name, state, random: Node(name, state),
    decode=msgspec.json.Decoder(Ask | Tell).decode, encode=msgspec.json.encode,
    decode_command=msgspec.json.Decoder(Choose).decode,
)
"""


def test_a_specification_that_is_named_runs_itself(home):
    words = "--protocol", WHERE, "--from-spec", "--traces", "4", "--nodes", "1..2", "--jobs", "2"
    ran = gomboc("simulate", "followers", *words, "--output", "runs")
    assert (ran.code, ran.err) == (0, ""), ran
    assert gomboc("check", "--protocol", WHERE, "runs").code == 0


def test_an_implementation_that_is_named_runs_and_is_judged(home, monkeypatch):
    (home / "node.py").write_text(NODE)
    named_ = "--protocol", WHERE, "--implementation", "node:IMPLEMENTATION"
    ran = gomboc(
        "simulate", "followers", *named_, "--traces", "3", "--nodes", "1..3", "--jobs", "2", "--output", "runs"
    )
    assert (ran.code, ran.err) == (0, ""), ran
    assert gomboc("check", "--protocol", WHERE, *sorted(Path("runs").glob("*.jsonl"))).code == 0


def test_an_implementation_of_another_protocol_is_refused(home, monkeypatch):
    (home / "node.py").write_text(NODE)
    words = "--implementation", "node:IMPLEMENTATION", "--output", "runs"
    says = "node:IMPLEMENTATION implements followers, not skip_ring: name one of skip_ring."
    assert refused("simulate", "skip_ring", *words) == f"gomboc: {says}\n"
