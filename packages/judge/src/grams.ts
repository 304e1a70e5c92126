import { type Cell, isDense, isWord, readCells } from './cells.ts';
import type { Entry } from './entry.ts';
import { LEET, SEPARATORS } from './fold.ts';
import type { Keywords } from './keywords.ts';
import { follow, matchesWhole } from './match.ts';
import { confirmDense } from './segments.ts';

/** How far a word is followed to either side of a hit. */
const WORD_MAX = 256;

type AddHit = (entry: number, start: number, end: number, normalised: string) => void;
type TryPhrase = (id: number, entry: Entry, lastWord: Cell) => void;

/** Entries that may begin anywhere: wildcards, and words of scripts without spaces. */
export class Grams {
  readonly #keywords: Keywords;
  readonly #add: AddHit;
  readonly #phrase: TryPhrase;
  #text = '';

  constructor(keywords: Keywords, add: AddHit, phrase: TryPhrase) {
    this.#keywords = keywords;
    this.#add = add;
    this.#phrase = phrase;
  }

  begin(text: string): void {
    this.#text = text;
  }

  /** The first units of a wildcard entry, or of one in a script without spaces, begin at `start`. */
  at(start: number, key: number): void {
    let cells: Cell[] | undefined;
    let reach = 0;
    for (let id = this.#keywords.first(key); id >= 0; id = this.#keywords.next(id)) {
      const entry = this.#keywords.decode(id);
      if (entry.kind !== 'gram' && !(entry.kind === 'phrase' && entry.openEnd)) continue;
      const word = entry.words.at(-1) ?? '';
      const wanted = word.length * 4 + 64;
      if (cells === undefined || reach < wanted) {
        reach = wanted;
        cells = readCells(this.#text, start, Math.min(this.#text.length, start + reach), false);
      }
      this.#tryGram(id, entry, cells);
    }
  }

  #tryGram(id: number, entry: Entry, cells: readonly Cell[]): void {
    const bits = this.#keywords.bits(id);
    const word = entry.words.at(-1) ?? '';
    const row = entry.dense ? denseRow(cells, (bits & SEPARATORS) !== 0) : wordRow(cells);
    for (const from of runStarts(row)) {
      let to = follow(row, from, row.length, word, bits, false, false);
      if (to < 0 && (bits & LEET) !== 0) to = follow(row, from, row.length, word, bits, false, true);
      if (to < 0) continue;
      if (this.#placeGram(id, entry, row, from, to)) return;
    }
  }

  /** Checks the sides of a gram hit, and widens a wildcard's hit to the word it stands in. */
  #placeGram(id: number, entry: Entry, row: readonly Cell[], from: number, to: number): boolean {
    const first = row[from];
    const last = row[to - 1];
    if (first === undefined || last === undefined) return false;
    const word = entry.words.at(-1) ?? '';
    const before = this.#wordStart(first.start);
    const after = this.#wordEnd(last.end);
    if (entry.boundStart && before !== first.start) return false;
    if (entry.dense) {
      if (entry.boundEnd && after !== last.end) return false;
      if (!confirmDense(this.#text, first.start, last.end, to - from)) return false;
      this.#add(id, first.start, last.end, word);
      return true;
    }
    if (!entry.openEnd && !this.#endsWord(row, to, word, this.#keywords.bits(id))) return false;
    if (entry.kind === 'phrase') {
      if (before !== first.start) return false;
      this.#phrase(id, entry, { ...first, end: after });
      return true;
    }
    if (!entry.openStart && before !== first.start) return false;
    this.#add(id, before, after, word);
    return true;
  }

  /** After the shortest match only repeats of its last letter may follow. */
  #endsWord(row: readonly Cell[], to: number, word: string, bits: number): boolean {
    if (to === row.length) return true;
    const last = row[to - 1];
    for (let at = to; at < row.length; at++) {
      if ((row[at]?.entry ?? 0) >>> 16 !== (last?.entry ?? 0) >>> 16) return false;
    }
    return matchesWhole(row, to - 1, row.length, word.slice(-1), bits) || row.length - to < 1;
  }

  #wordStart(at: number): number {
    let start = at;
    while (start > 0) {
      const back = start - 1 > 0 && isLow(this.#text.charCodeAt(start - 1)) ? 2 : 1;
      const cells = readCells(this.#text, start - back, start, false);
      const cell = cells[0];
      if (cell !== undefined && !isWord(cell)) break;
      if (at - start > WORD_MAX) break;
      start -= back;
    }
    while (
      start < at &&
      readCells(this.#text, start, start + 1, false).length === 0 &&
      !isHigh(this.#text.charCodeAt(start))
    ) {
      start++;
    }
    return start;
  }

  #wordEnd(at: number): number {
    const cells = readCells(this.#text, at, Math.min(this.#text.length, at + WORD_MAX), false);
    let end = at;
    for (const cell of cells) {
      if (!isWord(cell)) break;
      end = cell.end;
    }
    return end;
  }
}

/** The word at the head of a row. */
function wordRow(cells: readonly Cell[]): readonly Cell[] {
  const end = cells.findIndex((cell) => !isWord(cell));
  return end < 0 ? cells : cells.slice(0, end);
}

/** Letters with what stands between letters of a dense script left out, three signs at most. */
function denseRow(cells: readonly Cell[], separators: boolean): readonly Cell[] {
  const row: Cell[] = [];
  let gap = 0;
  for (const cell of cells) {
    if (isDense(cell) || isWord(cell)) {
      row.push(cell);
      gap = 0;
    } else {
      gap++;
      if (!separators || gap > 3) break;
    }
  }
  return row;
}

/** Where a match may begin inside the first run of a letter: at its start, or close to its end. */
function runStarts(row: readonly Cell[]): number[] {
  const first = row[0];
  if (first === undefined) return [];
  let run = 1;
  if (!isDense(first)) while (run < row.length && (row[run]?.entry ?? 0) >>> 16 === first.entry >>> 16) run++;
  const starts = [0];
  for (let at = Math.max(1, run - 4); at < run; at++) starts.push(at);
  return starts;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
