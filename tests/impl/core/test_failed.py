import pytest

from gomboc.impl.core.failed import Failed


def test_each_exception_is_counted_and_the_first_one_raised_in_the_end():
    failed = Failed()
    for raised in (None, OSError("one"), None, ValueError("two")):
        with failed:
            if raised is not None:
                raise raised
    assert failed.count == 2
    with pytest.raises(OSError, match=r"^one$"):
        failed.raise_first()


def test_without_an_exception_none_is_raised_and_an_interrupt_is_not_kept_back():
    failed = Failed()
    with pytest.raises(KeyboardInterrupt), failed:
        raise KeyboardInterrupt
    failed.raise_first()
    assert failed.count == 0
