import { NEEDS_GRAM, NEEDS_PAIRS } from './entry.ts';
import type { Finder } from './finder.ts';
import { GramScan } from './gram-scan.ts';
import type { MIX, PAIR, PRIME, SEED } from './hash.ts';
import type { KeywordTables } from './keywords.ts';
import { isAmongLetters, isLoneWord, Suspicions, together } from './suspicions.ts';
import {
  type ACTIVE,
  type CLASS_MASK,
  DENSE_MULTI,
  expansion,
  type IGNORED,
  type LEET_SIGN,
  MULTI,
  type ODD,
  RIGHT_TO_LEFT_OVERRIDE,
  type SIGN,
  type SPACE,
  UNITS,
  type UNSET,
  unitEntry,
  type WORD,
} from './units.ts';

/** A constant of this module, whose address the compiler knows: bindings of others are read from memory each time. */
const table = UNITS;

/**
 * The one pass. The loop reads one table entry a unit and rolls a hash; at a token's end one bit of the filter decides
 * whether anything is looked up. What the loop only suspects (signs among letters, rows of single letters) goes to the
 * finder, which decides exactly. Entries that may begin inside a word have a loop of their own, if there are any.
 */
export class Scan {
  readonly #tables: KeywordTables;
  readonly #finder: Finder;
  readonly #suspicions: Suspicions;
  readonly #grams: GramScan | undefined;

  constructor(tables: KeywordTables, finder: Finder) {
    this.#tables = tables;
    this.#finder = finder;
    this.#suspicions = new Suspicions(finder);
    const grams = (tables.needs / NEEDS_GRAM) & 15;
    this.#grams = grams === 0 ? undefined : new GramScan(tables, finder);
  }

  run(text: string): void {
    this.#finder.begin(text);
    this.#suspicions.begin(text);
    this.#tokens(text);
    this.#grams?.run(text);
  }

  /** One long function on purpose: its state lives in registers, and a call a character would double its cost. */
  #tokens(text: string): void {
    const finder = this.#finder;
    const suspicions = this.#suspicions;
    const hasPairs = (this.#tables.needs & NEEDS_PAIRS) !== 0;
    const { filter, filterShift, pairs, pairShift } = this.#tables;
    // Bindings of other modules are read from memory and checked each time: here they are literals, held equal by type.
    const prime: typeof PRIME = 0x19e3693;
    const seed: typeof SEED = 0x2f0b4c47;
    const mixer: typeof MIX = 0x85ebca6b;
    const classMask: typeof CLASS_MASK = 7;
    const unset: typeof UNSET = 0;
    const space: typeof SPACE = 1;
    const word: typeof WORD = 2;
    const plainSign: typeof SIGN = 4;
    const leetSign: typeof LEET_SIGN = 5;
    const ignored: typeof IGNORED = 6;
    const odd: typeof ODD = 1320;
    const active: typeof ACTIVE = 32768;
    const pairSeed: typeof PAIR = 0x3c6ef372;
    const size = text.length;
    let at = 0;
    /** The token: its letters' flags (0 outside of one), its hash, its last unit, its start, units that are no letter. */
    let flags = 0;
    let hash: number = seed;
    let last = -1;
    let start = 0;
    let skipped = 0;
    /** Where the chunk (what stands between two spaces) begins, and whether it deserves a closer look. */
    let chunk = 0;
    let suspicious = false;
    /** The token before: its end and hash. No token has the hash 0 in practice; it stands for none. */
    let tokenEnd = -1;
    let lastHash = 0;
    /** The signs since the last token of the chunk, as one entry. */
    let sign = 0;
    let override = 0;
    for (;;) {
      if (flags === 0) start = at;
      let entry = 0;
      while (at < size) {
        // A UTF-16 unit is always inside the table.
        entry = table[text.charCodeAt(at)] as number;
        if ((entry & classMask) !== word) break;
        const unit = entry >>> 16;
        if (unit !== last) hash = Math.imul(hash ^ unit, prime);
        last = unit;
        flags |= entry;
        at++;
      }
      let kind = entry & classMask;
      let width = 1;
      if (at < size && (kind === unset || kind >= ignored)) {
        if (kind === unset) {
          const point = text.codePointAt(at) ?? 0;
          entry = unitEntry(point);
          kind = entry & classMask;
          if (point > 0xffff) width = 2;
        }
        if (kind === ignored) {
          if ((entry & RIGHT_TO_LEFT_OVERRIDE) !== 0) override = 1;
          if (flags !== 0) skipped += width;
          at += width;
          continue;
        }
        if (kind === word || (kind === MULTI && (entry & DENSE_MULTI) === 0)) {
          const units = kind === MULTI ? expansion(entry) : '';
          const count = kind === MULTI ? units.length : 1;
          for (let i = 0; i < count; i++) {
            const unit = kind === MULTI ? units.charCodeAt(i) : entry >>> 16;
            if (unit !== last) hash = Math.imul(hash ^ unit, prime);
            last = unit;
          }
          flags |= entry;
          skipped += width - 1;
          at += width;
          continue;
        }
      }
      if (flags !== 0) {
        const key = Math.imul(hash ^ (hash >>> 15), mixer);
        const held = filter[key >>> filterShift] as number;
        const bits = (1 << (key & 31)) | (1 << ((key >>> 5) & 31));
        if ((held & bits) === bits) {
          finder.token(start, at, key, flags, at - start - skipped);
        }
        if (hasPairs && (held & (1 << ((key >>> 10) & 31))) !== 0 && lastHash !== 0) {
          const both = Math.imul(lastHash ^ pairSeed, prime) ^ hash;
          const pairKey = Math.imul(both ^ (both >>> 15), mixer);
          const pairBits = (1 << (pairKey & 31)) | (1 << ((pairKey >>> 5) & 31));
          if (((pairs[pairKey >>> pairShift] as number) & pairBits) === pairBits) finder.pair(pairKey, start, at);
        }
        // One branch for all that is seldom: odd letters, a sign before the token, a token of one letter.
        const length = at - start - skipped;
        if (((flags & odd) | sign | override | ((length - 2) >> 31)) !== 0) {
          if (((flags & odd) | override) !== 0) suspicions.oddToken(start, at, length, flags, override !== 0);
          // Only a letter by itself lets others be read together with it across spaces or apostrophes (ll does not).
          if (length === 1 && !isLoneWord(text.charCodeAt(start))) {
            suspicions.single(start, at, tokenEnd > chunk ? sign : 0, tokenEnd);
          }
          if (sign !== 0 && isAmongLetters(sign, tokenEnd > chunk)) suspicious = true;
          sign = 0;
        }
        lastHash = hash;
        tokenEnd = at;
        hash = seed;
        last = -1;
        flags = 0;
        skipped = 0;
      }
      if (at >= size) break;
      if (kind === plainSign || kind === leetSign) {
        if ((entry & active) !== 0) {
          const inside = tokenEnd > chunk;
          if (suspicions.sign(entry, at, inside && sign === 0 ? lastHash : 0, chunk, inside)) suspicious = true;
        }
        sign = sign === 0 ? entry : together(sign, entry);
        at += width;
        continue;
      }
      // A space, or a letter of a script without spaces.
      if (suspicious) {
        finder.stretch(chunk, at);
        suspicious = false;
      }
      if (kind !== space) {
        tokenEnd = -1;
        lastHash = 0;
      }
      sign = 0;
      at += width;
      chunk = at;
    }
    if (suspicious) finder.stretch(chunk, size);
  }
}
