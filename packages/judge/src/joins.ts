import { type Cell, classOf, isDense, isDigit, isWord, unitsOf } from './cells.ts';
import { hashUnits } from './entry.ts';
import { roll, SEED } from './hash.ts';
import { MASKS } from './readings.ts';
import { APOSTROPHE, CLASS_MASK, LEET_SIGN, LETTER, MULTI, PICTURE, SIGN, SPACE, unitEntry } from './units.ts';
import { work } from './work.ts';

/**
 * Words written in pieces, or with signs for letters: `f u c k`, `f.u.c.k`, `fu-ck`, `sh!t`, `f*ck`. A stretch of text
 * is read in up to three ways; every row of pieces that a reader would put together is offered.
 */

/** Signs are letters where they can be; signs only separate; signs hide letters. */
export type Way = 'letters' | 'gaps' | 'masks';

/** The letters of a stretch under one way of reading. */
interface Stretch {
  cells: Cell[];
  /** What stands before each letter: nothing, a sign, a space, or a letter of a script without spaces. */
  gaps: number[];
  /** The character of that gap: 0 for none, MANY for several. */
  gapChars: number[];
  /** The skeleton of each letter, or -1 where it has several units. */
  units: number[];
}

const NONE = 0;
const BY_SIGN = 1;
const BY_SPACE = 2;
const BY_DENSE = 3;
const MANY = -1;

/** The longest row of letters looked at from one start: keeps the work linear. */
const ROW_MAX = 48;
/** Letters of a word that signs stand for. */
const HIDDEN_MAX = 2;
/** The longest gap inside a row, in characters. */
const GAP_MAX = 12;

function stretchOf(cells: readonly Cell[], way: Way): Stretch {
  const stretch: Stretch = { cells: [], gaps: [], gapChars: [], units: [] };
  let gap = NONE;
  let width = 0;
  let gapChar = 0;
  for (const cell of cells) {
    const kind = classOf(cell);
    const masked = way === 'masks' && (kind === SIGN || kind === LEET_SIGN) && MASKS.has(cell.ch);
    const letter =
      isWord(cell) || masked || (kind === LEET_SIGN && (way === 'letters' || (cell.entry & PICTURE) !== 0));
    if (letter) {
      stretch.cells.push(cell);
      stretch.gaps.push(width > GAP_MAX ? BY_DENSE : gap);
      stretch.gapChars.push(gapChar);
      stretch.units.push(kind === MULTI ? -1 : cell.entry >>> 16);
      gap = NONE;
      width = 0;
      gapChar = 0;
    } else {
      const next = isDense(cell) ? BY_DENSE : kind === SPACE ? BY_SPACE : BY_SIGN;
      gap = Math.max(gap, next);
      const code = cell.ch.codePointAt(0) ?? 0;
      gapChar = gapChar === 0 || gapChar === code ? code : MANY;
      width++;
    }
  }
  return withoutClitics(stretch);
}

/** Leaves out the t of don't: a single letter behind an apostrophe, unless letters are being spelled. */
function withoutClitics(stretch: Stretch): Stretch {
  if (!stretch.gapChars.some(isApostrophe)) return stretch;
  const kept: Stretch = { cells: [], gaps: [], gapChars: [], units: [] };
  let strange = false;
  let cut = false;
  stretch.cells.forEach((cell, at) => {
    const gap = stretch.gaps[at] ?? NONE;
    const gapChar = stretch.gapChars[at] ?? 0;
    const nextGap = at + 1 === stretch.cells.length ? BY_SPACE : (stretch.gaps[at + 1] ?? NONE);
    const single = (gap !== NONE || at === 0) && nextGap !== NONE;
    // An apostrophe before the first letter opens a quotation.
    if (at > 0 && single && isApostrophe(gapChar) && !strange) {
      cut = true;
      return;
    }
    strange = single && !isLoneUnit(stretch.units[at] ?? -1);
    kept.cells.push(cell);
    kept.gaps.push(cut ? BY_DENSE : gap);
    kept.gapChars.push(cut ? 0 : gapChar);
    kept.units.push(stretch.units[at] ?? -1);
    cut = false;
  });
  return kept;
}

function isSign(cell: Cell | undefined): boolean {
  return cell !== undefined && (cell.entry & CLASS_MASK) === LEET_SIGN;
}

function isApostrophe(code: number): boolean {
  return code > 0 && (unitEntry(code) & APOSTROPHE) !== 0;
}

/** Words of one letter, which stand before a spelled word without being part of it. */
const LONE_WORDS = new Set(['a', 'i', 'u']);

function isLoneUnit(unit: number): boolean {
  return unit === 0x61 || unit === 0x69 || unit === 0x75;
}

/** A row of letters that may be one word; grown a letter at a time. */
class Row {
  pieces = 0;
  longest = 0;
  spaced = false;
  apostrophe = false;
  signs = 0;
  innerGap = 0;
  #singles = 0;
  #strange = false;
  #piece = 0;
  #unit = -1;
  #mixed = false;
  #letter = false;

  clear(): void {
    this.pieces = 0;
    this.longest = 0;
    this.spaced = false;
    this.apostrophe = false;
    this.signs = 0;
    this.innerGap = 0;
    this.#singles = 0;
    this.#strange = false;
  }

  add(unit: number, entry: number, gap: number, gapChar: number): void {
    const sign = (entry & CLASS_MASK) === LEET_SIGN;
    if (this.pieces === 0 || gap !== NONE) {
      if (this.pieces > 0) this.#endPiece(gap, gapChar);
      this.pieces++;
      this.#piece = 0;
      this.#mixed = false;
      this.#unit = unit;
      this.#letter = !sign || (entry & PICTURE) !== 0;
    }
    if (unit !== this.#unit || unit < 0) this.#mixed = true;
    if (sign) this.signs++;
    this.#piece++;
    if (this.#piece > this.longest) this.longest = this.#piece;
  }

  #endPiece(gap: number, gapChar: number): void {
    if (gap === BY_SPACE) this.spaced = true;
    if (gapChar !== this.innerGap) {
      if (isApostrophe(gapChar)) this.apostrophe = true;
      if (gapChar !== 0) this.innerGap = this.innerGap === 0 ? gapChar : MANY;
    }
    if (!this.#mixed) this.#singles++;
    if (this.#isStrange()) this.#strange = true;
  }

  #isStrange(): boolean {
    return this.#piece === 1 && this.#letter && !isLoneUnit(this.#unit);
  }

  /** Some piece is a single letter that is no word by itself. */
  get hasStrange(): boolean {
    return this.#strange || this.#isStrange();
  }

  /** Pieces of one letter, the one being grown included. */
  get singlePieces(): number {
    return this.#singles + (this.#mixed ? 0 : 1);
  }

  get allSingle(): boolean {
    return this.singlePieces === this.pieces;
  }
}

export interface JoinedRow {
  cells: readonly Cell[];
  from: number;
  to: number;
  hash: number;
  /** No other single letters around it, so that three letters are enough. */
  alone: boolean;
  pieces: number;
}

/** Who takes the rows: which hashes are worth a look, and what to do with a row that has one. */
export interface Taker {
  longest: number;
  mayHold(hash: number): boolean;
  take(row: JoinedRow): void;
}

/** Offers every row of the stretch that reads as one word. */
export function eachJoin(cells: readonly Cell[], way: Way, taker: Taker): void {
  const stretch = stretchOf(cells, way);
  const ends = endsOfPieces(stretch);
  const row = new Row();
  /** How many signs lead from the start of a piece to here, or -1: a row may begin after them, `(sh!t)`. */
  let lead = 0;
  for (let from = 0; from < stretch.cells.length; from++) {
    if (from === 0 || stretch.gaps[from] !== NONE) lead = 0;
    else lead = lead >= 0 && lead <= GAP_MAX && isSign(stretch.cells[from - 1]) ? lead + 1 : -1;
    if (lead < 0) continue;
    row.clear();
    growRow(stretch, ends, row, from, way, taker);
  }
}

/** Where a row may end: at a piece's end, or before signs that trail it. */
function endsOfPieces(stretch: Stretch): boolean[] {
  const size = stretch.cells.length;
  const ends: boolean[] = new Array(size).fill(false);
  let trail = 0;
  for (let at = size - 1; at >= 0; at--) {
    if (at === size - 1 || stretch.gaps[at + 1] !== NONE) trail = 0;
    else trail = trail >= 0 && trail < GAP_MAX && isSign(stretch.cells[at + 1]) ? trail + 1 : -1;
    ends[at] = trail >= 0;
  }
  return ends;
}

function growRow(stretch: Stretch, ends: readonly boolean[], row: Row, from: number, way: Way, taker: Taker): void {
  let hash: number = SEED;
  let last = -1;
  let units = 0;
  const limit = Math.min(stretch.cells.length, from + ROW_MAX);
  // A hidden letter may be the same as the letters on both sides, and all three count as one.
  const longest = way === 'masks' ? taker.longest + 2 * HIDDEN_MAX : taker.longest;
  for (let at = from; at < limit; at++) {
    work.steps++;
    const cell = stretch.cells[at];
    const unit = stretch.units[at] ?? -1;
    const gap = stretch.gaps[at] ?? NONE;
    if (cell === undefined || (at > from && gap === BY_DENSE)) break;
    row.add(unit, cell.entry, at === from ? NONE : gap, stretch.gapChars[at] ?? 0);
    if (row.spaced && row.longest > 3) break;
    // Hidden letters are for rows of one piece.
    if (way === 'masks' && row.pieces > 1) break;
    if (unit < 0) {
      const state = hashUnits(hash, unitsOf(cell.entry), last);
      hash = state.hash;
      last = state.previous;
      units++;
    } else if (unit !== last) {
      hash = roll(hash, unit);
      last = unit;
      units++;
    }
    // A row with more letters than any entry is none.
    if (units > longest) break;
    if (ends[at] !== true) continue;
    if ((way !== 'masks' && !taker.mayHold(hash)) || !isConvincing(stretch, row, from, at, way)) continue;
    const spelled = row.allSingle && row.pieces > 1;
    const alone = !spelled || standsAlone(stretch, from, at + 1, row.spaced);
    taker.take({ cells: stretch.cells, from, to: at + 1, hash, alone, pieces: row.pieces });
  }
}

function isConvincing(stretch: Stretch, row: Row, from: number, last: number, way: Way): boolean {
  const letters = last + 1 - from;
  if (letters < 3) return false;
  if (way === 'masks') return row.pieces === 1 && isMasked(stretch, from, last);
  if (row.pieces === 1) return row.signs > 0;
  if (row.spaced && (row.pieces < 3 || !row.hasStrange)) return false;
  // Behind an apostrophe only letters that are no words of their own are being spelled: it joins uu'aa to nothing.
  if (row.allSingle) return !row.apostrophe || (row.hasStrange && row.pieces >= 3);
  if (row.apostrophe) return false;
  if (row.spaced) return row.singlePieces >= 2 && row.longest <= 3 && letters >= 4;
  const before = stretch.gapChars[from] ?? 0;
  const after = stretch.gapChars[last + 1] ?? 0;
  return (
    (before !== row.innerGap || (stretch.gaps[from] ?? NONE) >= BY_SPACE) &&
    (after !== row.innerGap || (stretch.gaps[last + 1] ?? NONE) >= BY_SPACE)
  );
}

/** `f*ck`, `s**t`: first and last letter are shown, at least half of all are, and at most two are hidden. */
function isMasked(stretch: Stretch, from: number, last: number): boolean {
  let hidden = 0;
  let shown = 0;
  for (let at = from; at <= last; at++) {
    const cell = stretch.cells[at];
    if (cell === undefined) return false;
    if ((cell.entry & LETTER) !== 0) shown++;
    else if (isDigit(cell)) return false;
    else hidden++;
  }
  const edges = (stretch.cells[from]?.entry ?? 0) & (stretch.cells[last]?.entry ?? 0) & LETTER;
  return hidden > 0 && hidden <= HIDDEN_MAX && shown >= 2 && shown >= hidden && edges !== 0;
}

/**
 * Whether no single letter stands next to a spelled row, save the words a, i and u. Beyond a space only a row that has
 * spaces itself could go on.
 */
function standsAlone(stretch: Stretch, from: number, to: number, spaced: boolean): boolean {
  const before = isEdge(stretch, from, spaced) || isNotSingle(stretch, from - 1);
  return before && (isEdge(stretch, to, spaced) || isNotSingle(stretch, to));
}

/** Whether a row cannot go on across the gap before `at`. */
function isEdge(stretch: Stretch, at: number, spaced: boolean): boolean {
  const gap = stretch.gaps[at] ?? BY_DENSE;
  return at === 0 || gap === BY_DENSE || (gap === BY_SPACE && !spaced);
}

/** Whether the letter at `at` is a word by itself or part of a longer piece. */
function isNotSingle(stretch: Stretch, at: number): boolean {
  if (LONE_WORDS.has(stretch.cells[at]?.ch.toLowerCase() ?? '')) return true;
  const begins = at === 0 || stretch.gaps[at] !== NONE;
  const ends = at + 1 >= stretch.cells.length || stretch.gaps[at + 1] !== NONE;
  return !(begins && ends);
}
