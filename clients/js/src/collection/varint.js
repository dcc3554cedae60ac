// Whole numbers of any size: seven bits in each byte, the lowest first.

import { WireError } from "../errors.js";

/** Appends a whole number of at least 0 to an array of bytes. */
export function writeVarint(number, bytes) {
  let left = BigInt(number);
  while (left > 0x7fn) {
    bytes.push(Number(left & 0x7fn) | 0x80);
    left >>= 7n;
  }
  bytes.push(Number(left));
}

/** Reads the number at a place: [number, the place behind it]. It is as short as it can be, below 2⁶³. */
export function readVarint(bytes, place) {
  let number = 0n;
  for (let length = 0; length < 9; length++) {
    if (place + length >= bytes.length) throw new WireError("it ends within a number");
    const byte = bytes[place + length];
    number |= BigInt(byte & 0x7f) << BigInt(7 * length);
    if (byte >= 0x80) continue;
    if (byte === 0 && length > 0) throw new WireError("a number is longer than it needs to be");
    if (number > BigInt(Number.MAX_SAFE_INTEGER))
      throw new WireError("a number is beyond what JavaScript counts");
    return [Number(number), place + length + 1];
  }
  throw new WireError("a number is longer than nine bytes");
}
