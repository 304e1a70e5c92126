import { randomFillSync } from 'node:crypto';

const POOL = Buffer.allocUnsafeSlow(16 * 1024);
let used = POOL.length;

/** Writes a random UUID (version 4) at `offset`. Randomness is drawn a thousand ids at a time. */
export function randomUuid(target: Uint8Array, offset: number): void {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  for (let i = 0; i < 16; i++) target[offset + i] = POOL[used + i] ?? 0;
  used += 16;
  target[offset + 6] = ((target[offset + 6] ?? 0) & 0x0f) | 0x40;
  target[offset + 8] = ((target[offset + 8] ?? 0) & 0x3f) | 0x80;
}

const SHAPE = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;

/** Writes the UUID at `offset`; false if the text is not one. */
export function parseUuid(text: string, target: Uint8Array, offset: number): boolean {
  if (!SHAPE.test(text)) return false;
  target.set(Buffer.from(text.replaceAll('-', ''), 'hex'), offset);
  return true;
}

const TEXT = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');
const HEX = Buffer.from('0123456789abcdef', 'latin1');
/** Where in the text each byte's first digit stands. */
const PLACES = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34);

/** The sixteen bytes at `offset` as text. One is made for every push: hence one call into the runtime and no parts to join. */
export function formatUuid(bytes: Uint8Array, offset: number): string {
  for (let i = 0; i < 16; i++) {
    const byte = bytes[offset + i] ?? 0;
    const at = PLACES[i] ?? 0;
    TEXT[at] = HEX[byte >>> 4] ?? 0;
    TEXT[at + 1] = HEX[byte & 15] ?? 0;
  }
  return TEXT.toString('latin1');
}

/** Writes the bytes of an even number of hex digits; false if there is anything else in the text. */
export function packHex(text: string, target: Uint8Array, offset: number): boolean {
  let bad = 0;
  for (let i = 0, at = offset; i < text.length; i += 2, at++) {
    const high = digit(text.charCodeAt(i));
    const low = digit(text.charCodeAt(i + 1));
    bad |= high | low;
    target[at] = (high << 4) | low;
  }
  return bad >= 0 && text.length % 2 === 0;
}

function digit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  if (code >= 65 && code <= 70) return code - 55;
  return -1;
}
