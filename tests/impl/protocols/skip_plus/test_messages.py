import msgspec
import pytest

from gomboc.impl.core.errors import PeerError, UsageError
from tests.impl.protocols.skip_plus.systems import SKIP_PLUS, UNBOUNDED, gone, update


@pytest.mark.parametrize(
    "message", [update("1:01", [["0:11", None], [None, "2:00"]], "1:01", "3:00"), gone("1:01", "1:01", "3:00")]
)
def test_a_message_is_written_as_it_was_read(message):
    assert msgspec.json.decode(SKIP_PLUS.encode(SKIP_PLUS.decode(msgspec.json.encode(message)))) == message


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (update("1:0", [UNBOUNDED], "3:0", "2:0"), "its name '2:0' comes after '3:0'"),
        (update("1:0", [UNBOUNDED], "2:00"), "the string of '2:00' has not 1 bits"),
        (update("1:0", [["2:00", None]]), "the string of '2:00' has not 1 bits"),
        (update("1:0", []), "it has 0 ranges, and '1:0' has 1 levels"),
        (gone("1:0", "2:0", "2:0"), "its name '2:0' comes after '2:0'"),
        (gone("1:0", "2:00"), "the string of '2:00' has not 1 bits"),
    ],
)
def test_names_that_do_not_fit_together_are_refused(message, reason):
    with pytest.raises(PeerError) as error:
        SKIP_PLUS.decode(msgspec.json.encode(message))
    assert str(error.value) == f"This is not a message of Skip+: {reason}."


@pytest.mark.parametrize(
    "message", [update("one", []), update("1:0", [UNBOUNDED], "1:2"), update("1:0", [["1", None]]), gone(":0"), {}, 7]
)
def test_what_is_no_message_or_names_no_node_is_refused(message):
    with pytest.raises(PeerError, match=r"^This is not a message of Skip\+: "):
        SKIP_PLUS.decode(msgspec.json.encode(message))


@pytest.mark.parametrize(
    "command", [{"kind": "Join", "contact": 1}, {"kind": "Join", "contact": "x"}, {"kind": "Sleep"}]
)
def test_what_is_no_command_is_refused(command):
    with pytest.raises(UsageError, match=r"^This is not a command of Skip\+: "):
        SKIP_PLUS.decode_command(msgspec.json.encode(command))
