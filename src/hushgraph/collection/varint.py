"""Whole numbers in as few bytes as they need; each number has one form."""

from __future__ import annotations

LARGEST = (1 << 63) - 1


def varint(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; the highest bit says that another byte follows.

    >>> varint(300).hex()
    'ac02'
    """
    written = bytearray()
    while number > 0x7F:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    written.append(number)
    return bytes(written)


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    """The number that starts at a place, and the place behind it."""
    try:
        byte = data[at]
        if byte < 0x80:
            return byte, at + 1
        number, shift = byte & 0x7F, 7
        while True:
            at += 1
            byte = data[at]
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                break
            shift += 7
            if shift > 56:
                raise ValueError("a number is longer than nine bytes")
    except IndexError:
        raise ValueError("it ends in the middle of a number") from None
    if byte == 0:
        raise ValueError("a number is written longer than it is")
    return number, at + 1
