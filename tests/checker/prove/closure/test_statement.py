"""Closure along all paths: what is proved, what is refuted, and what stays open."""

import gc
import inspect
import re
from functools import cache, partial

import pytest
import z3
from msgspec.structs import replace

from gomboc.checker.core.errors import UsageError
from gomboc.checker.evidence.chord.encodings.members import chord
from gomboc.checker.judge.verdict import Unknown
from gomboc.checker.prove.closure.cases import OWN, Survey, cases
from gomboc.checker.prove.closure.paths import Path, Pruned, Stack, Undecided, every_path
from gomboc.checker.prove.closure.stand_ins import Caches
from gomboc.checker.prove.closure.symbols import Number, Symbol, Text
from gomboc.checker.prove.queries import journal
from gomboc.checker.prove.settlement import Proved, Refuted
from gomboc.spec import Fault, Outcome, Send
from gomboc.spec.core.protocol import configured
from gomboc.spec.core.registry import find_protocol
from gomboc.spec.protocols.chord import PROTOCOL, legitimacy
from gomboc.spec.protocols.chord.rules import Rules
from gomboc.spec.protocols.chord.state import Dead, Notify, Outside, StabilizeReply, StabilizeRequest
from tests.checker.prove.closure.settled import settled as closed


def settled(world, kinds=None, **options):
    """The result of closure of Chord in that world, for those kinds of messages only."""
    return closed(world, PROTOCOL, lambda case: kinds is None or case.message in kinds, **options)


def changed(world, **fields):
    """A world with other functions in its protocol."""

    def other(path):
        made = world(path)
        return replace(made, protocol=made.protocol.changed(**fields))

    return other


def test_cases_are_all_roles_with_all_messages_and_quiet_commands():
    names = [str(case) for case in cases(PROTOCOL)]
    assert names[0] == "node runs its timeout"
    assert len(names) == 1 + 12 + 4
    assert {"node receives Outside", "node obeys Unwatch"} <= set(names)


def test_chord_is_closed_for_every_n_and_each_case_has_a_step():
    result = settled(chord(1))
    assert isinstance(result, Proved)
    assert (result.parts, result.vacuous, len(result.counts)) == (221, 0, 17)
    assert all(0 < count.satisfiable <= count.paths for count in result.counts)
    assert {count.obligations for count in result.counts} == {10 + len(OWN)}


@cache
def cached(value):
    return value


@cache
def known_before(value):
    return value


class Holding:
    @staticmethod
    @cache
    def of_class(value):
        return value


def holding():
    kept = cache(lambda value: value)
    return lambda value: kept(value)


in_a_closure, in_a_tuple = holding(), (partial(cache(lambda value: value)),)


@pytest.mark.parametrize("frozen", [False, True])
def test_a_cache_that_was_used_along_a_path_keeps_nothing(frozen):
    known_before(1)
    if frozen:
        gc.freeze()
    caches = Caches((__name__,))
    kept = inspect.getclosurevars(in_a_closure).nonlocals["kept"]
    for _ in range(2):
        used = (cached, Holding.of_class, kept, in_a_tuple[0].func)
        for function in used:
            function(2)
        caches.forget()
        assert [one.cache_info().currsize for one in (*used, known_before)] == [0, 0, 0, 0, 1]


def test_all_originals_are_back():
    original = legitimacy.right
    settled(chord(1), kinds=(StabilizeReply,))
    assert legitimacy.right is original


def test_a_specification_that_was_found_is_found_again():
    before = configured(find_protocol("chord"), {"r": 1})
    settled(chord(1), kinds=(StabilizeReply,))
    assert configured(find_protocol("chord"), {"r": 1}) is before


@pytest.mark.parametrize(
    ("conjunct", "kind"),
    [("the_dead_are_dead", Dead), ("notifiers_are_members", Notify), ("outsiders_are_outside", Outside)],
)
def test_without_a_hypothesis_a_system_leaves_legitimacy_and_the_judge_says_so(conjunct, kind):
    result = settled(chord(1), without=(conjunct,), kinds=(kind,))
    assert isinstance(result, Refuted)
    assert result.replayed.confirms()


class Adopting(Rules, frozen=True):
    """A mistake: a Notify is believed by any member, and its sender becomes the predecessor."""

    def rectify(self, me, local, sender):
        """Adopts any sender."""
        return replace(local, predecessor=sender)


class Telling(Rules, frozen=True):
    """A mistake: a member that is asked reports the asker as crashed."""

    def take_part(self, me, local, message):
        """Reports the sender of a request."""
        if isinstance(message, StabilizeRequest):
            return Outcome(local, (Send(me, Dead(message.sender)),))
        return super().take_part(me, local, message)


@pytest.mark.parametrize(
    ("rules", "kind", "conjunct"),
    [(Adopting(), Notify, "predecessor_is_right"), (Telling(), StabilizeRequest, "the_dead_are_dead")],
)
def test_a_rule_that_ends_legitimacy_is_found_with_a_system(rules, kind, conjunct):
    result = settled(chord(1, rules=rules), kinds=(kind,))
    assert isinstance(result, Refuted)
    assert result.replayed.found[0] == conjunct


def test_a_conjunct_that_looks_beyond_its_arguments_leaves_each_case_open():
    def counting(members, me, local):
        return (Fault("few_members", me, 2, len(members), ""),) if len(members) > 2 else ()

    result = settled(changed(chord(1), node_faults=counting), kinds=(Notify, Dead))
    why = "TypeError: object of type 'Members' has no len()"
    assert result == Unknown(f"node receives Notify, node receives Dead are open: {why}")


def test_a_predicate_that_returns_no_tuple_leaves_its_case_open():
    def none(members, target, message):
        return None

    result = settled(changed(chord(1), message_faults=none), kinds=(Notify,))
    assert result == Unknown("node receives Notify is open: TypeError: 'NoneType' object is not iterable")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"most": {"Node.peers": -1}}, "most['Node.peers'] is -1, and a tuple has at least 0 items: fix it."),
        (
            {"most": {"Node.peer": 1}},
            "'Node.peer' is not the name of a field of this protocol: fix it. Did you mean 'Node.peers'?",
        ),
        (
            {"builders": {"Notify.sendr": str}},
            "'Notify.sendr' is not the name of a field of this protocol: fix it. Did you mean 'Notify.sender'?",
        ),
        ({"states": {"nod": str}}, "'nod' is not the name of a role of this protocol: fix it. Did you mean 'node'?"),
    ],
)
def test_a_world_with_a_misspelt_name_or_a_bound_below_zero_is_refused(fields, why):
    with pytest.raises(UsageError, match=f"^{re.escape(f'closure: {why}')}$"):
        settled(lambda path: replace(chord(1)(path), **fields), kinds=(Notify,))


def test_a_world_that_is_none_is_refused():
    with pytest.raises(
        UsageError, match=r"^closure: world\(path\) is to return a gomboc.checker.World, and returns None"
    ):
        settled(lambda path: None, kinds=(Notify,))


def test_a_hypothesis_that_no_state_can_lack_is_not_left_out():
    with pytest.raises(UsageError, match=r"'answers_are_rigth' is not the name of a conjunct .* 'answers_are_right'"):
        settled(chord(1), without=("answers_are_rigth",), kinds=(Notify,))


def test_a_world_that_raises_leaves_its_case_open():
    def absent(path):
        raise RuntimeError("no world today")

    result = settled(absent, kinds=(Notify,))
    assert result == Unknown("node receives Notify is open: RuntimeError: no world today")


def test_a_rule_that_reads_a_number_digit_by_digit_is_open():
    def spelling(me, local, taken, choice):
        return Outcome(replace(local, next=int(f"{local.next}")))

    result = settled(changed(chord(1), react=spelling), kinds=(Notify,))
    assert isinstance(result, Unknown)
    assert result.why.startswith("node receives Notify is open: ValueError: invalid literal for int()")


def test_too_little_time_is_open_and_names_the_case():
    result = settled(chord(1), seconds=0.01, kinds=(Notify,))
    assert result == Unknown("node receives Notify is open: the time is up")


def test_hypotheses_that_exclude_one_another_prove_nothing():
    def nowhere(path):
        path.add(z3.BoolVal(False))
        return chord(1)(path)

    assert isinstance(settled(nowhere, kinds=(Notify,)), Unknown)


def test_queries_are_written_with_their_answers_and_z3_agrees(tmp_path):
    with journal(tmp_path, "closed") as take:
        settled(chord(1), take=take, kinds=(Notify,))
    queries = (tmp_path / "closed.smt2").read_text(encoding="utf-8").split("(reset)\n")[1:]
    assert len(queries) > 100
    for query in queries[::25]:
        solver = z3.Solver()
        solver.from_string(query)
        assert f"(set-info :status {solver.check()})" in query


def test_a_survey_begins_where_a_node_is_at_no_fault_but_for_those_left_out():
    survey = Survey((((0,), ()), ((1,), ("a",)), ((2,), ("a", "b"))))
    assert (survey.begun(()), survey.begun(("a",)), survey.begun(("b",))) == (((0,),), ((0,), (1,)), ((0,),))
    assert survey.conjuncts() == {"a", "b"}


def test_statements_of_one_world_share_its_survey_and_a_journal_has_every_query():
    seen, first, later = [], [], []

    def counted(path):
        seen.append(path)
        return chord(1)(path)

    def settle_with(take=None):
        seen.clear()
        result = settled(counted, take=take, without=("the_dead_are_dead",), kinds=(Dead,))
        assert isinstance(result, Refuted)
        return len(seen)

    alone = settle_with()
    shared = settle_with()
    assert shared < alone
    assert settle_with(lambda status, query: first.append(query)) == alone
    assert settle_with() == shared
    assert settle_with(lambda status, query: later.append(query)) == alone
    assert len(first) == len(later) > 0


def paths(run):
    return [ended.result for ended in every_path(run, lambda: 60.0)]


def named(path, name):
    return Symbol(path, z3.Int(name), "n{}".format)


def test_every_order_of_three_names_is_a_path_once():
    def ordered(path):
        names = [named(path, name) for name in "abc"]
        return tuple("abc"[names.index(name)] for name in sorted(set(names)))

    assert len(paths(ordered)) == 13  # the weak orders of three


def test_what_is_decided_is_not_asked_again_and_excluded_paths_are_left_out():
    def compared(path):
        one, other = named(path, "a"), named(path, "b")
        path.require(z3.Int("a") != z3.Int("b"))
        return one == other, one == other

    assert paths(compared) == [(False, False)]


def test_numbers_fork_where_both_results_are_possible():
    def larger(path):
        number = Number(path, z3.Int("x"))
        return 2 * number + 1 > 6, number % 8 == 3, abs(number) < 4

    truths = {"".join("t" if truth else "f" for truth in result) for result in paths(larger)}
    assert truths == {"ttt", "ttf", "tff", "ftf", "fft", "fff"}


def test_a_text_is_not_compared_with_one_that_a_symbol_may_stand_for():
    path = Path((), Stack(lambda: 60.0))
    with pytest.raises(Undecided, match="a text is compared with 'x'"):
        assert Text(path, z3.Int("t"), str) == "x"
    assert named(path, "a") != "x"
    with pytest.raises(Undecided, match="a text that is made out of a name is compared"):
        assert named(path, "a") == f"{named(path, 'b')}"


def test_a_path_without_a_system_is_pruned():
    path = Path((), Stack(lambda: 60.0))
    with pytest.raises(Pruned):
        path.require(z3.BoolVal(False))
