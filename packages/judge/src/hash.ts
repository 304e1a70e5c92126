/** The hashes under which entries are filed. A token's hash rolls over its skeleton with runs of a letter taken once. */
export const SEED = 0x2f0b4c47;
export const PRIME = 0x19e3693;
export const MIX = 0x85ebca6b;
export const PAIR = 0x3c6ef372;
const SIGNS = 0x1b873593 | 0;
const GRAM = 0x27d4eb2f | 0;

export const GRAM_MAX = 4;

export function mix(hash: number): number {
  return Math.imul(hash ^ (hash >>> 15), MIX);
}

export function roll(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, PRIME);
}

/** The two bits that a key has in its word of a filter; the word is chosen by the high bits. */
export function filterBits(key: number): number {
  return (1 << (key & 31)) | (1 << ((key >>> 5) & 31));
}

/** The bit there of a key that ends a phrase. */
export function phraseBit(key: number): number {
  return 1 << ((key >>> 10) & 31);
}

export function pairKey(first: number, second: number): number {
  return mix(Math.imul(first ^ PAIR, PRIME) ^ second);
}

export function gramKey(hash: number, length: number): number {
  return mix(hash ^ Math.imul(GRAM, length));
}

export function signKey(code: number): number {
  return mix(roll(SIGNS, code));
}
