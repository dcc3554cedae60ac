"""A number has one form, and whatever is none is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushgraph.collection.varint import LARGEST, read_varint, varint


@given(st.integers(0, LARGEST), st.binary(max_size=3))
def test_a_number_comes_back_from_whatever_stands_around_it(number, more):
    written = varint(number)
    assert read_varint(more + written + more, len(more)) == (number, len(more) + len(written))
    assert len(written) == max(1, -(-number.bit_length() // 7))


@pytest.mark.parametrize(
    "data", [b"", b"\x80", b"\xff\xff", b"\x80\x00", b"\xac\x82\x00", b"\xff" * 9 + b"\x01"]
)
def test_what_is_no_number_or_a_longer_form_of_one_is_refused(data):
    with pytest.raises(ValueError, match="number"):
        read_varint(data, 0)


@given(st.binary(max_size=12))
def test_every_number_that_is_read_is_written_like_that(data):
    try:
        number, end = read_varint(data, 0)
    except ValueError:
        return
    assert varint(number) == data[:end]
