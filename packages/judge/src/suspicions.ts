import { NEEDS_SIGNS } from './entry.ts';
import type { Finder } from './finder.ts';
import { mix, roll } from './hash.ts';
import { rowAround } from './rows.ts';
import {
  AMBIGUOUS,
  APOSTROPHE,
  CLASS_MASK,
  DIGIT,
  KEYBOARD,
  LEET_SIGN,
  LETTER,
  NON_ASCII,
  PICTURE,
  SIGN,
  SPACE,
  TURNED_LETTER,
  UPPER,
  unitEntry,
} from './units.ts';

/** Different signs in a row are one gap: letter-like if one of them is, an apostrophe only if all are. */
export function together(sign: number, entry: number): number {
  if (sign === entry || sign === 0) return entry;
  return (entry & CLASS_MASK) === LEET_SIGN || (sign & CLASS_MASK) === LEET_SIGN ? LEET_SIGN : SIGN;
}

/** Words of one letter as they are written: a letter that only stands for one of them (v for u) is no word. */
export function isLoneWord(unit: number): boolean {
  const lower = unit | 0x20;
  return lower === 0x61 || lower === 0x69 || lower === 0x75;
}

/**
 * Whether signs before a token make its chunk worth a closer look: inside a word any but an apostrophe, which joins
 * single letters only (and those are a row); at its start one that is like a letter.
 */
export function isAmongLetters(sign: number, inside: boolean): boolean {
  return inside ? (sign & APOSTROPHE) === 0 : (sign & CLASS_MASK) === LEET_SIGN;
}

function hasInnerCapital(text: string, start: number, end: number): boolean {
  for (let at = start + 1; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x41 && code <= 0x5a && text.charCodeAt(at - 1) >= 0x61) return true;
  }
  return false;
}

/** What a pass over a text finds odd: tells which of it is worth the finder's time. */
export class Suspicions {
  readonly #finder: Finder;
  readonly #signs: boolean;
  #text = '';
  /** Where the last single letter that is no word ended. */
  #strangeEnd = -1;
  /** Rows of single letters have been looked at up to here. */
  #rowsDone = 0;

  constructor(finder: Finder) {
    this.#finder = finder;
    this.#signs = (finder.keywords.tables.needs & NEEDS_SIGNS) !== 0;
  }

  begin(text: string): void {
    this.#text = text;
    this.#strangeEnd = -1;
    this.#rowsDone = 0;
  }

  /** A token of one letter that is no word by itself. */
  single(start: number, end: number, sign: number, before: number): void {
    // The t of don't is no letter of a spelled word; what goes on with a sign may be.
    const spelled = before >= 0 && this.#strangeEnd === before;
    if ((sign & APOSTROPHE) !== 0 && !spelled && !this.#isLeetSign(end)) return;
    this.#strangeEnd = end;
    if (start >= this.#rowsDone) this.#rowAround(start, end);
  }

  #isLeetSign(at: number): boolean {
    return at < this.#text.length && (unitEntry(this.#text.codePointAt(at) ?? 0) & CLASS_MASK) === LEET_SIGN;
  }

  oddToken(start: number, end: number, length: number, flags: number, override: boolean): void {
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

  /**
   * Whether a sign makes its chunk worth a closer look; `inside` when a token of the chunk stands before it, and
   * `lastHash` is that of the token right before it, if any.
   */
  sign(entry: number, at: number, lastHash: number, chunk: number, inside: boolean): boolean {
    const point = this.#text.codePointAt(at) ?? 0;
    if (this.#signs && (entry & NON_ASCII) !== 0) this.#finder.sign(at, point);
    // Strokes draw letters; a picture of a letter is there on purpose.
    if (point === 0x5c || point === 0x7c) return true;
    if ((entry & PICTURE) !== 0) {
      if (at === chunk && at >= this.#rowsDone) this.#rowAround(at, at + (point > 0xffff ? 2 : 1));
      return true;
    }
    if ((entry & CLASS_MASK) !== LEET_SIGN) return false;
    // A sign behind a word: an exclamation mark is what it seems unless a keyword goes on with it.
    if (point !== 0x21) return inside;
    if (lastHash === 0) return false;
    return this.#finder.keywords.holds(mix(roll(lastHash, entry >>> 16))) && !this.#isExclamation(chunk, at);
  }

  /** Whether plain letters and then nothing but exclamation marks stand between two spaces. */
  #isExclamation(chunk: number, mark: number): boolean {
    for (let at = chunk; at < mark; at++) if ((unitEntry(this.#text.charCodeAt(at)) & LETTER) === 0) return false;
    let end = mark;
    while (end < this.#text.length && this.#text.charCodeAt(end) === 0x21) end++;
    return end === this.#text.length || (unitEntry(this.#text.charCodeAt(end)) & CLASS_MASK) === SPACE;
  }
}
