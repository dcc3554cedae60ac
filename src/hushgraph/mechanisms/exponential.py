"""e^ε in whole numbers, between bounds as close as somebody asks for."""

from __future__ import annotations

from fractions import Fraction


def exponential_bounds(epsilon: float, bits: int) -> tuple[int, int]:
    """Whole numbers around e^ε · 2^bits, for ε in 0 … 64.

    e^ε is the 64th power of e^(ε/64), whose series falls fast. Everything is rounded down for the lower bound
    and up for the upper one; what is left out of the series is less than its last term.

    >>> low, high = exponential_bounds(1.0, 64)
    >>> low / 2**64, high - low < 2000
    (2.718281828459045, True)
    """
    numerator, denominator = (Fraction(epsilon) / 64).as_integer_ratio()
    low_part = (numerator << bits) // denominator
    low, high = _series(low_part, bits, up=False), _series(low_part + 1, bits, up=True)
    for _ in range(6):
        low, high = low * low >> bits, -(-high * high >> bits)
    return low, high


def _series(part: int, bits: int, *, up: bool) -> int:
    term, total, number = 1 << bits, 1 << bits, 1
    while term > 1:
        product = part * term
        divisor = number << bits
        term = -(-product // divisor) if up else product // divisor
        total += term
        number += 1
    return total + up
