import { type Cell, classOf, isDense, isDigit, isWord, readCells, unitsOf } from './cells.ts';
import { type Entry, hashUnits } from './entry.ts';
import { MASK, SEPARATORS } from './fold.ts';
import { Grams } from './grams.ts';
import { mix, roll, SEED, signKey } from './hash.ts';
import { eachJoin, type JoinedRow, type Taker } from './joins.ts';
import type { Keywords } from './keywords.ts';
import { matchesWhole } from './match.ts';
import { mayRead } from './plain-read.ts';
import { MASKS } from './readings.ts';
import {
  AMBIGUOUS,
  DIGIT,
  LEET_SIGN,
  LETTER,
  NON_ASCII,
  skeletonsOf,
  TURNED_LETTER,
  UPPER,
  unitEntry,
} from './units.ts';
import { VainTokens } from './vain-tokens.ts';
import { work } from './work.ts';

/** An entry found in a text, with offsets into the original. */
export interface Hit {
  entry: number;
  start: number;
  end: number;
  normalised: string;
}

const LOOK_BACK = 256;
const ALTERNATIVES_MAX = 32;

/** Turns suspicions of the scan into hits. Everything here is off the common path. */
export class Finder {
  readonly keywords: Keywords;
  hits: Hit[] = [];
  #text = '';
  readonly #byStart = new Map<number, Hit[]>();
  readonly #masks: boolean;
  readonly #grams: Grams;
  readonly #rows: Taker;
  readonly #maskedRows: Taker;
  readonly #vain: VainTokens;

  constructor(keywords: Keywords) {
    this.keywords = keywords;
    const { longest } = keywords.tables;
    const mayHold = (hash: number): boolean => keywords.mayHold(mix(hash));
    this.#rows = { longest, mayHold, take: (row) => this.#tryRow(row) };
    this.#maskedRows = { longest, mayHold, take: (row) => this.#tryMasked(row) };
    this.#grams = new Grams(
      keywords,
      (entry, start, end, normalised) => this.#add(entry, start, end, normalised),
      (id, entry, word) => this.#tryPhrase(id, entry, [word], 0, 1),
    );
    this.#vain = new VainTokens(keywords.tables.next.length);
    this.#masks = keywords.tables.profiles.some((profile) => (profile.bits & MASK) !== 0);
  }

  begin(text: string): void {
    this.#text = text;
    this.#grams.begin(text);
    if (this.hits.length === 0) return;
    this.hits = [];
    this.#byStart.clear();
  }

  #add(entry: number, start: number, end: number, normalised: string): void {
    // The same word may be met as a token and again in a stretch.
    const here = this.#byStart.get(start);
    if (here?.some((hit) => hit.entry === entry && hit.end === end) === true) return;
    const hit = { entry, start, end, normalised };
    if (here === undefined) this.#byStart.set(start, [hit]);
    else here.push(hit);
    this.hits.push(hit);
  }

  #hitCells(entry: number, cells: readonly Cell[], from: number, to: number, normalised: string): void {
    const first = cells[from];
    const last = cells[to - 1];
    if (first !== undefined && last !== undefined) this.#add(entry, first.start, last.end, normalised);
  }

  /** A token whose hash passed the filter. */
  token(start: number, end: number, key: number, flags: number, length: number): void {
    if (this.#vain.has(this.#text, start, end, key)) return;
    let cells: Cell[] | undefined;
    let vain = true;
    const plain = (flags & (NON_ASCII | DIGIT)) === 0 && length === end - start;
    for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
      if (plain && !mayRead(this.keywords.tables, id, this.#text, start, end)) continue;
      const entry = this.keywords.decode(id);
      cells ??= readCells(this.#text, start, end, false);
      if (this.#tryWord(id, entry, cells, 0, cells.length)) vain = false;
    }
    if (vain) this.#vain.add(this.#text, start, end, key);
  }

  #tryWord(id: number, entry: Entry, cells: readonly Cell[], from: number, to: number, masked = false): boolean {
    const word = entry.words.at(-1) ?? '';
    const bits = this.keywords.bits(id) & (masked ? ~0 : ~MASK);
    if (!matchesWhole(cells, from, to, word, bits)) return false;
    if (entry.kind === 'word') this.#hitCells(id, cells, from, to, word);
    else if (entry.kind === 'phrase') this.#tryPhrase(id, entry, cells, from, to);
    else return false;
    return true;
  }

  /** The last word of a phrase stands at these cells: read the words before it. */
  #tryPhrase(id: number, entry: Entry, cells: readonly Cell[], from: number, to: number): void {
    const first = cells[from];
    const last = cells[to - 1];
    if (first === undefined || last === undefined) return;
    const tokens = this.#tokensBefore(first.start);
    let start = first.start;
    for (let i = entry.words.length - 2; i >= 0; i--) {
      const token = tokens.pop();
      const word = entry.words[i];
      if (token === undefined || word === undefined) return;
      const bits = this.keywords.bits(id);
      const open = i === 0 && entry.openStart;
      const found = open ? matchesEnd(token, word, bits) : matchesWhole(token, 0, token.length, word, bits);
      if (!found) return;
      start = token[0]?.start ?? start;
    }
    this.#add(id, start, last.end, entry.words.join(' '));
  }

  #tokensBefore(end: number): Cell[][] {
    const from = placeBefore(this.#text, end, LOOK_BACK);
    const tokens: Cell[][] = [];
    let token: Cell[] = [];
    for (const cell of readCells(this.#text, from, end, false)) {
      if (isWord(cell)) token.push(cell);
      else if (token.length > 0) {
        tokens.push(token);
        token = [];
      }
      // A letter of a script without spaces ends a phrase.
      if (isDense(cell)) tokens.length = 0;
    }
    if (token.length > 0) tokens.push(token);
    return tokens;
  }

  /** Two tokens in a row whose hashes together passed the filter of phrases' last two words; the second is given. */
  pair(key: number, start: number, end: number): void {
    let cells: Cell[] | undefined;
    for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
      const entry = this.keywords.decode(id);
      cells ??= readCells(this.#text, start, end, false);
      if (entry.kind === 'phrase') this.#tryWord(id, entry, cells, 0, cells.length);
    }
  }

  /** A token that may be more than it seems: digits at its ends, foreign letters, turned letters, words run together. */
  oddToken(start: number, end: number, flags: number, reversed: boolean): void {
    const cells = readCells(this.#text, start, end, false);
    if ((flags & DIGIT) !== 0 && (flags & LETTER) !== 0) this.#withoutDigits(cells);
    if ((flags & AMBIGUOUS) !== 0) this.#alternatives(cells);
    if (reversed || (flags & TURNED_LETTER) !== 0) this.#reversed(cells);
    if ((flags & UPPER) !== 0) this.#camel(cells);
  }

  #tryCells(cells: readonly Cell[], from: number, to: number, key: number): boolean {
    if (!this.keywords.mayHold(key)) return false;
    let found = false;
    for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
      const entry = this.keywords.decode(id);
      if (entry.kind === 'word' && this.#tryWord(id, entry, cells, from, to)) found = true;
    }
    return found;
  }

  #withoutDigits(cells: readonly Cell[]): void {
    let from = 0;
    let to = cells.length;
    while (from < to && isDigitCell(cells[from])) from++;
    while (to > from && isDigitCell(cells[to - 1])) to--;
    // One digit that looks like a vowel belongs to the word: hell0 is hello.
    const front = from > 1 || (from === 1 && !isVowelDigit(cells[0]));
    const back = cells.length - to > 1 || (cells.length - to === 1 && !isVowelDigit(cells[to]));
    const windows: [number, number][] = [];
    if (back) windows.push([0, to]);
    if (front) windows.push([from, cells.length]);
    if (front && back) windows.push([from, to]);
    for (const [a, b] of windows) if (b - a >= 3) this.#tryCells(cells, a, b, mix(hashOf(cells, a, b)));
  }

  #alternatives(cells: readonly Cell[]): void {
    let hashes = [{ hash: SEED, previous: -1 }];
    for (const cell of cells) {
      const choices = (cell.entry & AMBIGUOUS) !== 0 ? skeletonsOf(cell.ch) : [unitsOf(cell.entry)];
      const next = [];
      for (const state of hashes) {
        for (const units of choices) {
          if (next.length < ALTERNATIVES_MAX) next.push(hashUnits(state.hash, units, state.previous));
        }
      }
      hashes = next;
    }
    const own = hashOf(cells, 0, cells.length);
    for (const { hash } of hashes) if (hash !== own) this.#tryCells(cells, 0, cells.length, mix(hash));
  }

  #reversed(cells: readonly Cell[]): void {
    // Turned upside down, n is u and d is p.
    const flipped = cells.some((cell) => (cell.entry & TURNED_LETTER) !== 0);
    const turned = cells.toReversed().map((cell) => (flipped ? flip(cell) : cell));
    const key = mix(hashOf(turned, 0, turned.length));
    if (!this.keywords.mayHold(key)) return;
    for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
      const entry = this.keywords.decode(id);
      const word = entry.words[0] ?? '';
      if (entry.kind !== 'word' || !matchesWhole(turned, 0, turned.length, word, this.keywords.bits(id))) continue;
      this.#add(id, cells[0]?.start ?? 0, cells.at(-1)?.end ?? 0, word);
    }
  }

  /** `EatShit`: words run together with capitals. */
  #camel(cells: readonly Cell[]): void {
    let from = 0;
    for (let at = 1; at <= cells.length; at++) {
      const cell = cells[at];
      const edge = cell === undefined || (isUpper(cell) && !isUpper(cells[at - 1]));
      if (!edge) continue;
      const whole = from === 0 && at === cells.length;
      const capital = from === 0 || !isUpper(cells[from + 1]);
      if (!whole && capital && at - from >= 4) this.#tryCells(cells, from, at, mix(hashOf(cells, from, at)));
      from = at;
    }
  }

  /** A stretch with signs among its letters, or a row of short pieces. */
  stretch(start: number, end: number): void {
    // With what stands before it: a space there tells ` -uk-fa` from a word that goes on to the left.
    const cells = readCells(this.#text, placeBefore(this.#text, start), end, true);
    eachJoin(cells, 'letters', this.#rows);
    if (cells.some(isLeetSign)) eachJoin(cells, 'gaps', this.#rows);
    if (this.#masks && cells.some(isMask)) eachJoin(cells, 'masks', this.#maskedRows);
  }

  #tryRow(row: JoinedRow): void {
    const key = mix(row.hash);
    for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
      const entry = this.keywords.decode(id);
      if (entry.kind === 'word' && mayJoin(row, entry, this.keywords.bits(id))) {
        this.#tryWord(id, entry, row.cells, row.from, row.to);
      }
    }
  }

  /** Tries every letter in place of each hidden one. */
  #tryMasked(row: JoinedRow): void {
    for (const hash of maskedHashes(row)) {
      const key = mix(hash);
      if (!this.keywords.mayHold(key)) continue;
      for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
        const entry = this.keywords.decode(id);
        if (entry.kind === 'word' && mayMask(entry, this.keywords.bits(id))) {
          this.#tryWord(id, entry, row.cells, row.from, row.to, true);
        }
      }
    }
  }

  gram(start: number, key: number): void {
    this.#grams.at(start, key);
  }

  /** A picture that an entry may begin with. */
  sign(start: number, code: number): void {
    const key = signKey(code);
    if (!this.keywords.mayHold(key)) return;
    for (let id = this.keywords.first(key); id >= 0; id = this.keywords.next(id)) {
      const entry = this.keywords.decode(id);
      const signs = entry.words[0] ?? '';
      if (entry.kind !== 'sign') continue;
      const cells = readCells(this.#text, start, Math.min(this.#text.length, start + signs.length * 3 + 8), false);
      const count = [...signs].length;
      const text = cells
        .slice(0, count)
        .map((cell) => cell.ch)
        .join('');
      if (text !== signs) continue;
      const next = cells[count];
      const toned = next !== undefined && SKIN_TONE.test(next.ch);
      const end = toned ? next.end : (cells[count - 1]?.end ?? start);
      this.#add(id, start, end, signs);
    }
  }
}

/** Whether a list takes a row of pieces for a word: short words only where nothing else is spelled around them. */
export function mayJoin(row: JoinedRow, entry: Entry, bits: number): boolean {
  if (row.pieces === 1) return true;
  return (bits & SEPARATORS) !== 0 && (entry.words[0]?.length ?? 0) >= (row.alone ? 3 : 4);
}

export function mayMask(entry: Entry, bits: number): boolean {
  return (bits & MASK) !== 0 && (entry.words[0]?.length ?? 0) >= 4;
}

/** So many units before an offset, never inside a surrogate pair. */
function placeBefore(text: string, offset: number, units = 1): number {
  const place = Math.max(0, offset - units);
  const unit = text.charCodeAt(place);
  return place > 0 && unit >= 0xdc00 && unit <= 0xdfff ? place - 1 : place;
}

const SKIN_TONE = /^[\u{1f3fb}-\u{1f3ff}]$/u;
/** The skeletons of all letters. */
const SKELETON_LETTERS = Array.from('acdefghijkmnoprstuwxy', (letter) => letter.charCodeAt(0));

/** The hashes of a row with every letter in place of each hidden one. */
function maskedHashes(row: JoinedRow): number[] {
  let hashes = [SEED];
  let lasts = [-1];
  for (let at = row.from; at < row.to; at++) {
    const entry = row.cells[at]?.entry ?? 0;
    const choices = (entry & LETTER) === 0 ? SKELETON_LETTERS : [entry >>> 16];
    const nextHashes: number[] = [];
    const nextLasts: number[] = [];
    for (let i = 0; i < hashes.length; i++) {
      const hash = hashes[i] ?? 0;
      for (const unit of choices) {
        nextHashes.push(unit === lasts[i] ? hash : roll(hash, unit));
        nextLasts.push(unit);
      }
    }
    work.steps += nextHashes.length;
    hashes = nextHashes;
    lasts = nextLasts;
  }
  return hashes;
}

const FLIPPED: ReadonlyMap<string, string> = new Map([...'nubqdpmw'].map((ch, i) => [ch, 'unqbpdwm'.charAt(i)]));

function flip(cell: Cell): Cell {
  const ch = FLIPPED.get(cell.ch);
  return ch === undefined ? cell : { ...cell, ch, entry: unitEntry(ch.charCodeAt(0)) };
}

function isMask(cell: Cell): boolean {
  return MASKS.has(cell.ch);
}

function isLeetSign(cell: Cell): boolean {
  return classOf(cell) === LEET_SIGN;
}

function isDigitCell(cell: Cell | undefined): boolean {
  return cell !== undefined && isDigit(cell);
}

function isVowelDigit(cell: Cell | undefined): boolean {
  return cell !== undefined && '01345'.includes(cell.ch);
}

function isUpper(cell: Cell | undefined): boolean {
  return cell !== undefined && (cell.entry & UPPER) !== 0;
}

function hashOf(cells: readonly Cell[], from: number, to: number): number {
  let state = { hash: SEED, previous: -1 };
  for (let at = from; at < to; at++) {
    const cell = cells[at];
    if (cell !== undefined) state = hashUnits(state.hash, unitsOf(cell.entry), state.previous);
  }
  return state.hash;
}

function matchesEnd(token: readonly Cell[], word: string, bits: number): boolean {
  for (let from = Math.max(0, token.length - word.length * 3); from < token.length; from++) {
    if (matchesWhole(token, from, token.length, word, bits)) return true;
  }
  return false;
}
