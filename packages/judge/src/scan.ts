import { NEEDS_GRAM, NEEDS_PAIRS, NEEDS_SIGNS } from './entry.ts';
import type { Finder } from './finder.ts';
import { GramScan } from './gram-scan.ts';
import { type MIX, mix, type PAIR, type PRIME, roll, type SEED } from './hash.ts';
import type { KeywordTables } from './keywords.ts';
import { rowAround } from './rows.ts';
import {
  type ACTIVE,
  AMBIGUOUS,
  APOSTROPHE,
  CLASS_MASK,
  DENSE_MULTI,
  DIGIT,
  expansion,
  type IGNORED,
  KEYBOARD,
  LEET_SIGN,
  LETTER,
  MULTI,
  NON_ASCII,
  PICTURE,
  RIGHT_TO_LEFT_OVERRIDE,
  SIGN,
  type SPACE,
  TURNED_LETTER,
  UNITS,
  type UNSET,
  UPPER,
  unitEntry,
  type WORD,
} from './units.ts';

/** Different signs in a row are one gap: letter-like if one of them is, an apostrophe only if all are. */
function together(sign: number, entry: number): number {
  if (sign === entry || sign === 0) return entry;
  return (entry & CLASS_MASK) === LEET_SIGN || (sign & CLASS_MASK) === LEET_SIGN ? LEET_SIGN : SIGN;
}

function hasInnerCapital(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x41 && code <= 0x5a && text.charCodeAt(at - 1) >= 0x61) return true;
  }
  return false;
}

/**
 * The one pass. The loop reads one table entry a unit and rolls a hash; at a token's end one bit of the filter decides
 * whether anything is looked up. What the loop only suspects (signs among letters, rows of single letters) goes to the
 * finder, which decides exactly. Entries that may begin inside a word have a loop of their own, if there are any.
 */
export class Scan {
  readonly #tables: KeywordTables;
  readonly #finder: Finder;
  readonly #pairs: boolean;
  readonly #signs: boolean;
  readonly #grams: GramScan | undefined;

  #text = '';
  /** Where the last single letter that is no word ended. */
  #strangeEnd = -1;
  /** Rows of single letters have been looked at up to here. */
  #rowsDone = 0;

  constructor(tables: KeywordTables, finder: Finder) {
    this.#tables = tables;
    this.#finder = finder;
    this.#pairs = (tables.needs & NEEDS_PAIRS) !== 0;
    this.#signs = (tables.needs & NEEDS_SIGNS) !== 0;
    const grams = (tables.needs / NEEDS_GRAM) & 15;
    this.#grams = grams === 0 ? undefined : new GramScan(tables, finder);
  }

  run(text: string): void {
    this.#text = text;
    this.#strangeEnd = -1;
    this.#rowsDone = 0;
    this.#finder.begin(text);
    this.#tokens(text);
    this.#grams?.run(text);
  }

  /** One long function on purpose: its state lives in registers, and a call a character would double its cost. */
  #tokens(text: string): void {
    const finder = this.#finder;
    const hasPairs = this.#pairs;
    const { filter, filterShift, pairs, pairShift } = this.#tables;
    const table = UNITS;
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
    const digit: typeof DIGIT = 8;
    const ambiguous: typeof AMBIGUOUS = 32;
    const turned: typeof TURNED_LETTER = 256;
    const upper: typeof UPPER = 1024;
    const apostrophe: typeof APOSTROPHE = 128;
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
    let override = false;
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
          if ((entry & RIGHT_TO_LEFT_OVERRIDE) !== 0) override = true;
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
        const bit = key >>> filterShift;
        if (((filter[bit >>> 5] as number) & (1 << (bit & 31))) !== 0) {
          finder.token(start, at, key, flags, at - start - skipped);
        }
        if ((flags & (digit | ambiguous | turned)) !== 0 || override || ((flags & upper) !== 0 && at - start >= 5)) {
          this.#endOddToken(start, at, at - start - skipped, flags, override);
        }
        if (hasPairs && lastHash !== 0) {
          const both = Math.imul(lastHash ^ pairSeed, prime) ^ hash;
          const pairKey = Math.imul(both ^ (both >>> 15), mixer);
          const pairBit = pairKey >>> pairShift;
          if (((pairs[pairBit >>> 5] as number) & (1 << (pairBit & 31))) !== 0) finder.pair(pairKey, start, at);
        }
        // Only a letter by itself lets others be read together with it across spaces or apostrophes (ll does not).
        if (at - start - skipped === 1 && !isLoneWord(text.charCodeAt(start))) {
          this.#endSingle(start, at, tokenEnd > chunk ? sign : 0, tokenEnd);
        }
        // A sign inside a word makes the chunk worth a closer look; so does a letter-like sign before it. An
        // apostrophe does not: it joins single letters only, and those are a row.
        if (sign !== 0) {
          if (tokenEnd > chunk ? (sign & apostrophe) === 0 : (sign & classMask) === leetSign) suspicious = true;
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
          const before = tokenEnd > chunk && sign === 0 ? lastHash : 0;
          if (this.#isSuspicious(entry, at, before, at === chunk)) suspicious = true;
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

  /** A token of one letter that is no word by itself. */
  #endSingle(start: number, end: number, sign: number, before: number): void {
    // The t of don't is no letter of a spelled word.
    if ((sign & APOSTROPHE) !== 0 && !(before >= 0 && this.#strangeEnd === before)) return;
    this.#strangeEnd = end;
    if (start >= this.#rowsDone) this.#rowAround(start, end);
  }

  #endOddToken(start: number, end: number, length: number, flags: number, override: boolean): void {
    const mixed = (flags & DIGIT) !== 0 && (flags & LETTER) !== 0;
    const foreign = (flags & AMBIGUOUS) !== 0 && (flags & KEYBOARD) !== 0;
    const joined = (flags & UPPER) !== 0 && length >= 5 && hasInnerCapital(this.#text, start, end);
    if (mixed || foreign || joined || (flags & TURNED_LETTER) !== 0 || override) {
      this.#finder.oddToken(start, end, joined ? flags : flags & ~UPPER, override);
    }
  }

  /** A single letter that is no word: the short pieces around it may be one word. */
  #rowAround(start: number, end: number): void {
    const row = rowAround(this.#text, start, end);
    this.#rowsDone = row.done;
    if (row.pieces >= 3) this.#finder.stretch(row.start, row.end);
  }

  /** Whether a sign makes its chunk worth a closer look; `lastHash` is that of the token right before it, if any. */
  #isSuspicious(entry: number, at: number, lastHash: number, first: boolean): boolean {
    const point = this.#text.codePointAt(at) ?? 0;
    if (this.#signs && (entry & NON_ASCII) !== 0) this.#finder.sign(at, point);
    // Strokes draw letters; a picture of a letter is there on purpose.
    if (point === 0x5c || point === 0x7c) return true;
    if ((entry & PICTURE) !== 0) {
      if (first && at >= this.#rowsDone) this.#rowAround(at, at + (point > 0xffff ? 2 : 1));
      return true;
    }
    if ((entry & CLASS_MASK) !== LEET_SIGN || lastHash === 0) return false;
    // A sign right behind a word: an exclamation mark is what it seems unless a keyword goes on with it.
    return point !== 0x21 || this.#finder.keywords.holds(mix(roll(lastHash, entry >>> 16)));
  }
}

/** Words of one letter as they are written: a letter that only stands for one of them (v for u) is no word. */
function isLoneWord(unit: number): boolean {
  const lower = unit | 0x20;
  return lower === 0x61 || lower === 0x69 || lower === 0x75;
}
