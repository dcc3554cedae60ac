// SHA-256, by the browser or by node.

/** The 32 bytes of the hash. */
export async function sha256(bytes) {
  if (!globalThis.crypto?.subtle) {
    throw new Error(
      "there is no crypto.subtle: browsers offer it to pages that came over https or from localhost",
    );
  }
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
}

/** Bytes as hexadecimal digits. */
export function hexadecimal(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Hexadecimal digits as bytes. */
export function fromHexadecimal(digits) {
  return Uint8Array.from({ length: digits.length / 2 }, (_, place) =>
    parseInt(digits.substr(2 * place, 2), 16),
  );
}
