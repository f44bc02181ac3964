import hmac
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gomboc.impl.core.automaton import Received, Refused
from gomboc.impl.core.vocabulary import check_of
from gomboc.impl.protocols.skip_ring import authenticated
from gomboc.impl.protocols.skip_ring.messages import Publish
from gomboc.impl.publishing.authenticator import IDEAL
from gomboc.impl.publishing.limits import Limits
from gomboc.impl.publishing.publication import Publication, content
from gomboc.impl.publishing.trie import Key, Prefix
from gomboc.impl.publishing.validity import fault, key_of
from tests.impl import publications as naive
from tests.impl.protocols.skip_ring.cores import BLANK, LoadedCoin, state_of

LIMITED = Limits(key_bits=3, payload_limit=8)
TEXTS = st.text(max_size=8)
NAMES = st.text("ab.:-", min_size=1, max_size=4)
NUMBERS = st.integers(0, 2**53 - 1)


def test_a_publication_is_written_as_an_array():
    assert msgspec.json.encode(naive.made(7, key="010")) == b'["010","a",7,"p","a"]'


@given(NAMES, NUMBERS, TEXTS, st.integers(1, 256))
def test_a_key_is_the_first_bits_of_a_hash_of_publisher_number_and_payload(publisher, number, payload, bits):
    assert key_of(publisher, number, payload, bits) == naive.key_of(publisher, number, payload, bits)


@given(st.tuples(NAMES, NUMBERS, st.text("\0a1")), st.tuples(NAMES, NUMBERS, st.text("\0a1")))
def test_no_two_publications_have_the_same_content(one, other):
    assert (content(*one) == content(*other)) == (one == other)


@pytest.mark.parametrize(
    ("publication", "reason"),
    [
        (naive.made(), None),
        (naive.made(payload="8 bytes!"), None),
        (naive.made(payload="\u00e4\u00e4\u00e4\u00e4"), None),
        (naive.made(payload="9 bytes!!"), "too_large"),
        (naive.made(payload="\u00e4\u00e4\u00e4\u00e4\u00e4"), "too_large"),
        (naive.made(signer="b"), "forged"),
        (naive.made(key="111" if naive.made().key != "111" else "000"), "key_mismatch"),
    ],
)
def test_what_is_wrong_with_a_publication_is_named(publication, reason):
    assert fault(publication, LIMITED, IDEAL) == reason


SECRETS = {"a": b"secret of a", "b": b"secret of b"}


class Keyed:
    """Signs with a secret of each publisher; all verifiers know them all."""

    def sign(self, publisher, content):
        return hmac.new(SECRETS[publisher], content, sha256).hexdigest()

    def signer(self, publication):
        signed = content(publication.publisher, publication.number, publication.text)
        for node in SECRETS:
            if hmac.compare_digest(self.sign(node, signed), publication.signature):
                return node
        return None


def signed_by(signer, number):
    key = key_of("a", number, "p", 3)
    return Publication(key, "a", number, "p", Keyed().sign(signer, content("a", number, "p")))


def test_another_authenticator_may_sign_and_verify():
    core = authenticated({"key_bits": 3}, Keyed()).make("subscriber", "u", BLANK, LoadedCoin(0.5))
    ours, forged = signed_by("a", 1), signed_by("b", 1)
    nobodys = Publication(ours.key, "a", 1, "p", "f" * 64)
    refused = [
        output.reason
        for output in core.handle(0.0, Received(Publish((forged, nobodys, ours))))
        if type(output) is Refused
    ]
    assert refused == ["forged", "forged"]
    assert state_of(core)["publications"] == [[*naive.written(1)[:4], ours.signature]]


@pytest.mark.parametrize(
    ("kind", "texts", "says"),
    [
        (Key, ["010", "111"], None),
        (Key, ["010", "01"], "its key '01' has not 3 bits"),
        (Key, ["0101"], "its key '0101' has not 3 bits"),
        (Prefix, ["", "01", "010"], None),
        (Prefix, ["01", "0101"], "its prefix '0101' has more than 3 bits"),
    ],
)
def test_a_key_is_as_long_as_all_keys_and_a_prefix_no_longer(kind, texts, says):
    assert check_of(tuple[kind, ...], Limits(key_bits=3))(texts) == says
    assert check_of(tuple[kind, ...])(texts) is None
