import msgspec
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.automaton import Timeout
from gomboc.impl.core.reasons import Reason
from gomboc.impl.publishing.authenticator import IDEAL
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.store import Store
from gomboc.impl.publishing.validity import fault
from tests.impl.protocols.skip_ring.cores import LoadedCoin, state_of
from tests.impl.publications import all_keys, configured, holder, made, naive_hash, naive_nodes, of_key, written

LIMITED = Limits(key_bits=3, payload_limit=4)
ANYTHING = st.builds(
    written,
    st.integers(0, 9),
    st.sampled_from("ab"),
    st.sampled_from(["", "x", "large"]),
    key=st.sampled_from(all_keys()),
    signer=st.sampled_from("ab"),
)
CORRUPTED = st.lists(ANYTHING, max_size=8, unique_by=lambda pair: pair[0]).map(sorted)
PREFIXES = [""] + [key[:length] for key in all_keys() for length in (1, 2, 3)]
HASHES = st.dictionaries(st.sampled_from(PREFIXES), st.sampled_from(["0" * 32, "f" * 32])).map(
    lambda hashes: sorted(map(list, hashes.items()))
)


def store_of(*publications, hashes=(), parameters=LIMITED):
    return Store(parameters, IDEAL, publications, hashes)


def held(store):
    return list(store.trie.items())


@given(CORRUPTED, HASHES)
def test_one_timeout_rights_every_corrupted_trie_and_hash(publications, hashes):
    core = configured(payload_limit=4).make(
        "subscriber", "u", {**state_of(holder()), "publications": publications, "hashes": hashes}, LoadedCoin(0.5)
    )
    core.handle(0.0, Timeout())
    state = state_of(core)
    assert "hashes" not in state
    left = [msgspec.convert(publication, type(made())) for publication in state.get("publications", [])]
    assert all(fault(publication, LIMITED, IDEAL) is None for publication in left)
    genuine = [
        publication for publication in publications if len(publication[3]) <= 4 and publication[1] == publication[4]
    ]
    assert {publication.key for publication in left} == {
        written(publication[2], publication[1], publication[3])[0] for publication in genuine
    }
    assert core.u.store.trie.root()[1] == naive_hash([publication.key for publication in left]).hex()


def test_of_two_with_one_right_key_one_stays():
    one, other = of_key("000", "a"), of_key("000", "b")
    store = store_of(msgspec.structs.replace(other, key="010"), msgspec.structs.replace(one, key="100"))
    store.audit()
    assert held(store) == [other]


def test_an_audit_lets_expire_what_is_not_kept():
    parameters = Limits(key_bits=64, keep=2)
    store = store_of(*(made(number, bits=64) for number in range(5)), parameters=parameters)
    store.audit()
    assert sorted(publication.number for publication in held(store)) == [3, 4]


def test_a_corrupted_hash_is_told_until_the_audit():
    store = store_of(of_key("000"), of_key("100"), hashes=[("", "f" * 32), ("0", "e" * 32)])
    assert store.root() == ("", "f" * 32)
    store.add([of_key("010")])
    assert store.trie.told(store.trie.beneath("0")) == ("0", "e" * 32)
    store.audit()
    assert store.root() == ("", naive_nodes(["000", "010", "100"])[""])


def test_what_is_written_is_written_once_per_change():
    store = store_of(of_key("000"), hashes=[("", "f" * 32)])
    first = store.written()
    assert store.written() is first
    store.add([of_key("000")])
    assert store.written() is first
    store.add([of_key("001")])
    store.audit()
    audited = store.written()
    assert audited == b',"publications":' + msgspec.json.encode((of_key("000"), of_key("001")))
    store.audit()
    assert store.written() is audited
    store.forget()
    assert store.written() == b""


def test_what_is_stored_is_not_refused_even_if_it_is_about_to_expire():
    parameters = Limits(key_bits=64, keep=1)
    old, new = (made(number, bits=64) for number in (1, 2))
    store = store_of(old, new, parameters=parameters)
    assert store.refusal(old) is None
    assert store.refusal(made(0, bits=64)) == "expired"


def test_chunks_have_all_that_begins_with_a_prefix_in_order():
    store = store_of(*map(of_key, all_keys()), parameters=Limits(key_bits=3, chunk=3))
    assert [[publication.key for publication in chunk] for chunk in store.with_prefix("")] == [
        ["000", "001", "010"],
        ["011", "100", "101"],
        ["110", "111"],
    ]
    assert [[publication.key for publication in chunk] for chunk in store.with_prefix("10")] == [["100", "101"]]


@given(st.lists(ANYTHING, max_size=5))
def test_what_is_offered_is_accepted_or_refused_for_a_reason_in_order(offered):
    store, offered = store_of(), [msgspec.convert(publication, type(made())) for publication in offered]
    accepted, reasons = store.sifted(offered)
    assert accepted == [publication for publication in offered if store.refusal(publication) is None]
    assert reasons == [store.refusal(publication) for publication in offered if publication not in accepted]


class Counting:
    """An authenticator that counts how often it verifies."""

    def __init__(self):
        self.verified = 0

    def sign(self, publisher, content):
        del content
        return publisher

    def signer(self, publication):
        self.verified += 1
        return publication.signature


def test_what_was_verified_is_not_verified_again_as_long_as_it_is_held_with_this_signature():
    authenticator = Counting()
    store = Store(LIMITED, authenticator)
    publication = store.sign("a", 1, "p")
    store.add(store.sifted((publication,))[0])
    assert store.sifted((publication,) * 1_000) == ([publication] * 1_000, [])
    assert authenticator.verified == 1
    assert store.sifted((msgspec.structs.replace(publication, signature="b"),)) == ([], [Reason.FORGED])
    assert authenticator.verified == 2


@given(st.lists(ANYTHING, max_size=8), st.integers(1, 3))
def test_history_is_what_is_held_by_number_and_publisher_before_and_after_each_change(offered, keep):
    store = store_of(parameters=Limits(key_bits=3, keep=keep))
    for publication in offered:
        store.in_order()
        store.add(store.sifted((msgspec.convert(publication, type(made())),))[0])
        assert list(store.in_order()) == sorted(held(store), key=lambda one: (one.number, one.publisher, one.key))
        assert all(store.get(one.key) == one and one.key in store for one in held(store))
