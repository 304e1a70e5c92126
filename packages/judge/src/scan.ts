import { NEEDS_GRAM, NEEDS_PAIRS, NEEDS_SIGNS, NEEDS_WORD_GRAMS } from './entry.ts';
import type { Finder } from './finder.ts';
import { mix, PRIME, roll, SEED } from './hash.ts';
import type { KeywordTables } from './keywords.ts';
import { PIECE_MAX, rowAround } from './rows.ts';
import {
  AMBIGUOUS,
  APOSTROPHE,
  ASCII_LETTER,
  CLASS_MASK,
  DENSE,
  DENSE_MULTI,
  DIGIT,
  expansion,
  IGNORED,
  LEET_SIGN,
  LETTER,
  MULTI,
  NON_ASCII,
  PICTURE,
  RIGHT_TO_LEFT_OVERRIDE,
  SIGN,
  SPACE,
  TURNED_LETTER,
  UNITS,
  UNSET,
  UPPER,
  unitEntry,
  WORD,
} from './units.ts';

/** The skeletons of a, i and u. */
function isLoneWord(unit: number): boolean {
  return unit === 0x61 || unit === 0x69 || unit === 0x75;
}

/** Different signs in a row are one gap: letter-like if one of them is, an apostrophe only if all are. */
function together(sign: number, entry: number): number {
  if (sign === entry) return sign;
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
 * whether anything is looked up. What the loop only suspects (signs among letters, rows of single letters, grams) goes
 * to the finder, which decides exactly.
 */
export class Scan {
  readonly #tables: KeywordTables;
  readonly #finder: Finder;
  readonly #pairs: boolean;
  readonly #signs: boolean;
  readonly #grams: number;
  readonly #wordGrams: boolean;

  #text = '';
  /** The chunk, what stands between two spaces, deserves a closer look. */
  #suspicious = false;
  /** Where the last single letter that is no word ended. */
  #strangeEnd = -1;
  /** Rows of single letters have been looked at up to here. */
  #rowsDone = 0;
  #override = false;
  // The last units, as hashes of grams and the places where they begin.
  #gram1 = 0;
  #gram2 = 0;
  #gram3 = 0;
  #place1 = -1;
  #place2 = -1;
  #place3 = -1;
  #lastUnit = -1;
  #lastDense = false;

  constructor(tables: KeywordTables, finder: Finder) {
    this.#tables = tables;
    this.#finder = finder;
    this.#pairs = (tables.needs & NEEDS_PAIRS) !== 0;
    this.#signs = (tables.needs & NEEDS_SIGNS) !== 0;
    this.#grams = (tables.needs / NEEDS_GRAM) & 15;
    this.#wordGrams = (tables.needs & NEEDS_WORD_GRAMS) !== 0;
  }

  #begin(text: string): void {
    this.#text = text;
    this.#suspicious = false;
    this.#strangeEnd = -1;
    this.#rowsDone = 0;
    this.#override = false;
    this.#finder.begin(text);
    if (this.#grams !== 0) this.#breakGrams();
  }

  /** One long function on purpose: its state lives in registers, and a call a character would double its cost. */
  run(text: string): void {
    this.#begin(text);
    const size = text.length;
    const wordGrams = this.#wordGrams;
    // Bindings of other modules are read from memory each time; these three are read a hundred times a message.
    const table = UNITS;
    const prime = PRIME;
    const classMask = CLASS_MASK;
    let hash = SEED;
    let last = -1;
    let length = 0;
    let start = 0;
    let flags = 0;
    let at = 0;
    /** Where the chunk begins, and where the last token ended. */
    let chunk = 0;
    let tokenEnd = -1;
    let lastHash = 0;
    /** The signs since the last token of the chunk, as one entry. */
    let sign = 0;
    while (at < size) {
      const code = text.charCodeAt(at);
      // A UTF-16 unit is always inside the table.
      const entry = table[code] as number;
      if ((entry & classMask) === WORD) {
        const unit = entry >>> 16;
        if (unit !== last) hash = Math.imul(hash ^ unit, prime);
        if (length === 0) start = at;
        last = unit;
        length++;
        flags |= entry;
        if (wordGrams) this.#gramUnit(unit, at, false);
        at++;
        continue;
      }
      const point = entry === UNSET ? (text.codePointAt(at) ?? 0) : code;
      const full = entry === UNSET ? unitEntry(point) : entry;
      const kind = full & CLASS_MASK;
      const width = point > 0xffff ? 2 : 1;
      if (kind === WORD || (kind === MULTI && (full & DENSE_MULTI) === 0)) {
        const units = kind === WORD ? String.fromCharCode(full >>> 16) : expansion(full);
        if (length === 0) start = at;
        for (let i = 0; i < units.length; i++) {
          const unit = units.charCodeAt(i);
          if (unit !== last) hash = Math.imul(hash ^ unit, PRIME);
          last = unit;
          if (wordGrams) this.#gramUnit(unit, at, false);
        }
        length++;
        flags |= full;
      } else if (kind !== IGNORED) {
        if (length > 0) {
          this.#endToken(start, at, hash, length, flags, lastHash);
          const single = hash === Math.imul(SEED ^ last, prime);
          if (sign !== 0 || single)
            this.#endPiece(start, at, single && length <= PIECE_MAX ? last : -1, length, sign, tokenEnd, chunk);
          sign = 0;
          lastHash = hash;
          tokenEnd = at;
          hash = SEED;
          last = -1;
          length = 0;
          flags = 0;
        }
        if (kind === SPACE) {
          if (this.#suspicious) this.#endChunk(chunk, at);
          sign = 0;
          chunk = at + width;
          // A letter is not taken for a repeat of one in the word before.
          if (wordGrams) this.#lastUnit = -1;
        } else if (kind === DENSE || kind === MULTI) {
          if (this.#suspicious) this.#endChunk(chunk, at);
          if (this.#grams !== 0) this.#denseUnits(full, at);
          sign = 0;
          chunk = at + width;
          tokenEnd = -1;
          lastHash = 0;
        } else {
          this.#signAt(full, point, at, tokenEnd > chunk && sign === 0 ? lastHash : 0, at === chunk);
          sign = sign === 0 ? full : together(sign, full);
        }
      } else if ((full & RIGHT_TO_LEFT_OVERRIDE) !== 0) this.#override = true;
      at += width;
    }
    if (length > 0) {
      this.#endToken(start, size, hash, length, flags, lastHash);
      const single = hash === Math.imul(SEED ^ last, prime) && length <= PIECE_MAX;
      this.#endPiece(start, size, single ? last : -1, length, sign, tokenEnd, chunk);
    }
    if (this.#suspicious) this.#endChunk(chunk, size);
  }

  #endChunk(chunk: number, end: number): void {
    this.#finder.stretch(chunk, end);
    this.#suspicious = false;
  }

  #endToken(start: number, end: number, hash: number, length: number, flags: number, lastHash: number): void {
    const { filter, filterShift } = this.#tables;
    const key = mix(hash);
    const bit = key >>> filterShift;
    if (((filter[bit >>> 5] as number) & (1 << (bit & 31))) !== 0) this.#finder.token(start, end, key, flags, length);
    if ((flags & (DIGIT | AMBIGUOUS | TURNED_LETTER | UPPER)) !== 0 || this.#override) {
      this.#endOddToken(start, end, length, flags);
    }
    // No token has the hash 0 in practice; it stands for none.
    if (this.#pairs && lastHash !== 0) this.#finder.pair(lastHash, hash, start, end);
  }

  /** A token that is one letter (`unit`, else -1), or has signs before it. */
  #endPiece(
    start: number,
    end: number,
    unit: number,
    length: number,
    sign: number,
    before: number,
    chunk: number,
  ): void {
    if (unit >= 0 && !isLoneWord(unit)) {
      // The t of don't is no letter of a spelled word.
      const clitic = length === 1 && (sign & APOSTROPHE) !== 0 && !(before >= 0 && this.#strangeEnd === before);
      if (length === 1 && !clitic) this.#strangeEnd = end;
      if (!clitic && start >= this.#rowsDone) this.#rowAround(start, end);
    }
    if (sign === 0) return;
    // A sign inside a word makes the chunk worth a closer look; so does a letter-like sign before it. An apostrophe
    // does not: it joins single letters only, and those are a row.
    if (before <= chunk) this.#suspicious ||= (sign & CLASS_MASK) === LEET_SIGN;
    else if ((sign & APOSTROPHE) === 0) this.#suspicious = true;
  }

  #endOddToken(start: number, end: number, length: number, flags: number): void {
    const mixed = (flags & DIGIT) !== 0 && (flags & LETTER) !== 0;
    const foreign = (flags & AMBIGUOUS) !== 0 && (flags & ASCII_LETTER) !== 0;
    const joined = (flags & UPPER) !== 0 && length >= 5 && hasInnerCapital(this.#text, start, end);
    if (mixed || foreign || joined || (flags & TURNED_LETTER) !== 0 || this.#override) {
      this.#finder.oddToken(start, end, joined ? flags : flags & ~UPPER, this.#override);
    }
  }

  /** A single letter that is no word: the short pieces around it may be one word. */
  #rowAround(start: number, end: number): void {
    const row = rowAround(this.#text, start, end);
    this.#rowsDone = row.done;
    if (row.pieces >= 3) this.#finder.stretch(row.start, row.end);
  }

  /** A sign or picture; `lastHash` is that of the token right before it, if any. */
  #signAt(entry: number, point: number, at: number, lastHash: number, first: boolean): void {
    const leet = (entry & CLASS_MASK) === LEET_SIGN;
    this.#lastUnit = -1;
    if (this.#signs && (entry & NON_ASCII) !== 0) this.#finder.sign(at, point);
    // Strokes draw letters; a picture of a letter is there on purpose.
    if (point === 0x5c || point === 0x7c) this.#suspicious = true;
    else if ((entry & PICTURE) !== 0) {
      this.#suspicious = true;
      if (first && at >= this.#rowsDone) this.#rowAround(at, at + (point > 0xffff ? 2 : 1));
    } else if (leet && lastHash !== 0) {
      // A sign right behind a word: an exclamation mark is what it seems unless a keyword goes on with it.
      const next = mix(roll(lastHash, entry >>> 16));
      if (point !== 0x21 || this.#finder.keywords.holds(next)) this.#suspicious = true;
    }
  }

  #denseUnits(entry: number, at: number): void {
    if ((entry & CLASS_MASK) === DENSE) this.#gramUnit(entry >>> 16, at, true);
    else for (const unit of expansion(entry).split('')) this.#gramUnit(unit.charCodeAt(0), at, true);
  }

  #breakGrams(): void {
    this.#lastUnit = -1;
    this.#lastDense = false;
    this.#place1 = -1;
    this.#place2 = -1;
    this.#place3 = -1;
  }

  /** Adds a unit to the grams that end at it and asks for each length that some entry has. */
  #gramUnit(unit: number, at: number, dense: boolean): void {
    if (unit === this.#lastUnit && !dense) return;
    if (!dense && this.#lastDense && !this.#wordGrams) this.#breakGrams();
    const grams = this.#grams;
    const gram4 = roll(this.#gram3, unit);
    const gram3 = roll(this.#gram2, unit);
    const gram2 = roll(this.#gram1, unit);
    const gram1 = roll(SEED, unit);
    if ((grams & 8) !== 0 && this.#place3 >= 0) this.#finder.gram(this.#place3, gram4, 4);
    if ((grams & 4) !== 0 && this.#place2 >= 0) this.#finder.gram(this.#place2, gram3, 3);
    if ((grams & 2) !== 0 && this.#place1 >= 0) this.#finder.gram(this.#place1, gram2, 2);
    if ((grams & 1) !== 0) this.#finder.gram(at, gram1, 1);
    this.#gram3 = gram3;
    this.#gram2 = gram2;
    this.#gram1 = gram1;
    this.#place3 = this.#place2;
    this.#place2 = this.#place1;
    this.#place1 = at;
    this.#lastUnit = unit;
    this.#lastDense = dense;
  }
}
