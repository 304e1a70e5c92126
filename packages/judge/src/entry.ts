import { type Cell, isDense, isWord, readCells, unitsOf } from './cells.ts';
import { foldChar } from './fold.ts';
import { GRAM_MAX, gramKey, mix, pairKey, roll, SEED, signKey } from './hash.ts';
import { CLASS_MASK, LEET_SIGN, SIGN, unitEntry, WORD } from './units.ts';

/** A term of a list, ready to be compared. */
export interface Entry {
  term: string;
  kind: 'word' | 'phrase' | 'gram' | 'sign';
  /** The words of a phrase, folded; one for anything else. */
  words: readonly string[];
  /** `*` at the start or the end. */
  openStart: boolean;
  openEnd: boolean;
  /** For entries with letters of a script without spaces: whether a side is a word that needs its boundary. */
  dense: boolean;
  boundStart: boolean;
  boundEnd: boolean;
}

/** Splits a term into words: at spaces and signs, but not at a sign that stands for a letter (`a$$`). */
function splitWords(cells: readonly Cell[]): Cell[][] {
  const words: Cell[][] = [];
  let word: Cell[] = [];
  cells.forEach((cell, at) => {
    const leet = (cell.entry & CLASS_MASK) === LEET_SIGN && !(cell.ch === '!' && at === cells.length - 1);
    if (isWord(cell) || isDense(cell) || leet) word.push(cell);
    else if (word.length > 0) {
      words.push(word);
      word = [];
    }
  });
  if (word.length > 0) words.push(word);
  return words;
}

function strip(term: string): { core: string; openStart: boolean; openEnd: boolean } {
  const trimmed = term.trim();
  const openStart = trimmed.startsWith('*');
  const openEnd = trimmed.length > 1 && trimmed.endsWith('*');
  return { core: trimmed.slice(openStart ? 1 : 0, openEnd ? -1 : undefined), openStart, openEnd };
}

function parse(term: string): { parts: Cell[][]; cells: Cell[]; openStart: boolean; openEnd: boolean } {
  const { core, openStart, openEnd } = strip(term);
  const cells = readCells(core, 0, core.length, false);
  return { parts: splitWords(cells), cells, openStart, openEnd };
}

function letters(cells: readonly Cell[], bits: number): string {
  return cells.map((cell) => foldChar(cell.ch, bits)).join('');
}

export function makeEntry(term: string, bits: number): Entry {
  const { parts, cells, openStart, openEnd } = parse(term);
  const flat = parts.flat();
  const dense = flat.some(isDense);
  const first = flat[0];
  const last = flat.at(-1);
  const base = {
    term,
    openStart,
    openEnd,
    dense,
    boundStart: !openStart && first !== undefined && !isDense(first),
    boundEnd: !openEnd && last !== undefined && !isDense(last),
  };
  if (flat.length === 0) return { ...base, kind: 'sign', words: [cells.map((cell) => cell.ch).join('')] };
  if (dense) return { ...base, kind: 'gram', words: [letters(flat, bits)] };
  if (parts.length > 1) return { ...base, kind: 'phrase', words: parts.map((part) => letters(part, bits)) };
  return { ...base, kind: openStart || openEnd ? 'gram' : 'word', words: [letters(flat, bits)] };
}

/** What of the scan an entry needs. */
export const NEEDS_PAIRS = 1;
export const NEEDS_SIGNS = 2;
/** Grams of 1 to 4 units are the bits from here on. */
export const NEEDS_GRAM = 4;
export const NEEDS_WORD_GRAMS = 128;

export interface Key {
  key: number;
  needs: number;
  /** Of a phrase filed under its last two words: the key of the last. */
  last?: number;
}

export function hashUnits(hash: number, units: string, previous: number): { hash: number; previous: number } {
  let rolled = hash;
  let last = previous;
  for (let i = 0; i < units.length; i++) {
    const unit = units.charCodeAt(i);
    if (unit !== last) rolled = roll(rolled, unit);
    last = unit;
  }
  return { hash: rolled, previous: last };
}

function hashCells(cells: readonly Cell[]): number {
  let state = { hash: SEED, previous: -1 };
  for (const cell of cells) state = hashUnits(state.hash, unitsOf(cell.entry), state.previous);
  return state.hash;
}

/** The first units of an entry, as the scan sees them: runs of a letter once, dense letters each. */
function gramOf(cells: readonly Cell[]): Key {
  let hash = SEED;
  let length = 0;
  let last = -1;
  for (const cell of cells) {
    for (const ch of unitsOf(cell.entry).split('')) {
      const unit = ch.charCodeAt(0);
      if (unit === last && !isDense(cell)) continue;
      last = unit;
      if (length === GRAM_MAX) break;
      hash = roll(hash, unit);
      length++;
    }
  }
  return { key: gramKey(hash, length), needs: NEEDS_GRAM << (length - 1) };
}

/** Where an entry is filed, or nothing when it holds neither letter nor picture. */
export function keyOf(term: string): Key | undefined {
  const quick = plainKey(term);
  if (quick !== undefined) return quick;
  const { parts, cells, openStart, openEnd } = parse(term);
  const flat = parts.flat();
  if (flat.length === 0) {
    const first = cells.find((cell) => (cell.entry & CLASS_MASK) === SIGN && cell.ch > '\u007f');
    const code = first?.ch.codePointAt(0);
    return code === undefined ? undefined : { key: signKey(code), needs: NEEDS_SIGNS };
  }
  if (flat.some(isDense)) {
    const key = gramOf(flat);
    return flat.every(isDense) ? key : { key: key.key, needs: key.needs | NEEDS_WORD_GRAMS };
  }
  const last = parts.at(-1) ?? [];
  if (openEnd || (openStart && parts.length === 1)) {
    const key = gramOf(last);
    return { key: key.key, needs: key.needs | NEEDS_WORD_GRAMS };
  }
  if (parts.length === 1 || openStart) return { key: mix(hashCells(last)), needs: 0 };
  const hash = hashCells(last);
  return { key: pairKey(hashCells(parts.at(-2) ?? []), hash), needs: NEEDS_PAIRS, last: mix(hash) };
}

/** The common case, one word of letters that each have one unit, without making cells. */
function plainKey(term: string): Key | undefined {
  let hash = SEED;
  let last = -1;
  if (term.length === 0) return undefined;
  for (let i = 0; i < term.length; i++) {
    const code = term.charCodeAt(i);
    const entry = unitEntry(code);
    if ((entry & CLASS_MASK) !== WORD) return undefined;
    const unit = entry >>> 16;
    if (unit !== last) hash = roll(hash, unit);
    last = unit;
  }
  return { key: mix(hash), needs: 0 };
}
