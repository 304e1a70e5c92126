import { type Cell, isDense, isDigit } from './cells.ts';
import { CASE, CONFUSABLES, EMOJI, foldChar, LEET, MARKS, MASK, NFKC, REPEATS, ZERO_WIDTH } from './fold.ts';
import { CONFUSABLE, FOREIGN, LEET as LEET_READINGS, MASKS, EMOJI as PICTURES } from './readings.ts';
import { CLASS_MASK, LEET_SIGN, LETTER, PICTURE, SIGN } from './units.ts';
import { work } from './work.ts';

/**
 * Whether a row of cells reads as an entry, exactly, under a list's fold options. This is the only place that decides;
 * hashes, filters and grams only say where to ask.
 */

/** What a cell is under some options, and what else it may be read as. */
interface Reading {
  plain: string;
  /** Letters by looks. */
  others: string;
  /** True when `others` came from a digit or sign. */
  leet: string;
}

const READINGS = new Map<number, Map<string, Reading>>();
const READINGS_MAX = 20_000;

function readingOf(ch: string, bits: number): Reading {
  const kinds = bits & (CASE | NFKC | MARKS | CONFUSABLES | LEET | EMOJI);
  let table = READINGS.get(kinds);
  if (table === undefined || table.size > READINGS_MAX) {
    table = new Map();
    READINGS.set(kinds, table);
  }
  const known = table.get(ch);
  if (known !== undefined) return known;
  const plain = foldChar(ch, bits);
  const folded = foldChar(ch, CASE | NFKC | MARKS);
  let others = '';
  if ((bits & CONFUSABLES) !== 0) {
    for (const looks of [CONFUSABLE, FOREIGN]) others += (looks.get(ch) ?? '') + (looks.get(folded) ?? '');
  }
  if ((bits & EMOJI) !== 0) others += PICTURES.get(ch) ?? '';
  const leet = (bits & LEET) !== 0 ? (LEET_READINGS.get(ch) ?? '') + (LEET_READINGS.get(folded) ?? '') : '';
  const reading = { plain, others, leet };
  table.set(ch, reading);
  return reading;
}

/** Whether a letter of the text may stand for a letter of the entry. */
function reads(reading: Reading, letter: string, bits: number, leet: boolean): boolean {
  if (reading.plain === letter || reading.others.includes(letter)) return true;
  if (leet && reading.leet.includes(letter)) return true;
  if ((bits & CONFUSABLES) === 0 || letter < '\u0080') return false;
  const looks = CONFUSABLE.get(letter);
  return looks !== undefined && reading.plain.length === 1 && looks.includes(reading.plain);
}

/** Doubled, these are ordinary spelling; a doubled a, i, u or k is not. */
const OFTEN_DOUBLED = /^[bcdefglmnoprstz]$/;
const SELDOM_DOUBLED_LAST = /^[bcdgmnprt]$/;

/** Whether the letter before `position` may be written once more than the entry has it. */
function mayRepeat(entry: string, position: number, run: number): boolean {
  if (run >= 3) return true;
  const letter = entry.charAt(position - 1);
  if (letter >= '\u0080') return entry.length >= 4;
  if (!OFTEN_DOUBLED.test(letter)) return true;
  // At the end of a word a doubled s or l makes another word: asses, assess.
  if (position === entry.length) return entry.length >= 4 && SELDOM_DOUBLED_LAST.test(letter);
  return entry.length >= 5;
}

/** How many cells in a row share the skeleton of the cell at `at`; three are as good as more. */
function runAt(cells: readonly Cell[], at: number, from: number, to: number): number {
  const unit = (cells[at]?.entry ?? 0) >>> 16;
  let run = 1;
  for (let i = at - 1; i >= from && run < 3 && (cells[i]?.entry ?? 0) >>> 16 === unit; i--) run++;
  for (let i = at + 1; i < to && run < 3 && (cells[i]?.entry ?? 0) >>> 16 === unit; i++) run++;
  return run;
}

/**
 * Follows an entry through cells `from` to `to`. With `whole`, answers `to` when all of them are the entry; otherwise
 * the index after the shortest match that begins at `from`. -1 when there is none.
 */
export function follow(
  cells: readonly Cell[],
  from: number,
  to: number,
  entry: string,
  bits: number,
  whole: boolean,
  leet: boolean,
): number {
  let active = [0];
  for (let at = from; at < to; at++) {
    work.steps++;
    const cell = cells[at];
    if (cell === undefined) return -1;
    if (cell.ignoredBefore && at > from && (bits & ZERO_WIDTH) === 0) return -1;
    active = advance(active, cells, at, from, to, entry, bits, leet);
    if (active.length === 0) return -1;
    if (!whole && active.includes(entry.length)) return at + 1;
  }
  return whole && active.includes(entry.length) ? to : -1;
}

function advance(
  active: readonly number[],
  cells: readonly Cell[],
  at: number,
  from: number,
  to: number,
  entry: string,
  bits: number,
  leet: boolean,
): number[] {
  const cell = cells[at];
  const next: number[] = [];
  if (cell === undefined) return next;
  const kind = cell.entry & CLASS_MASK;
  const masked = (bits & MASK) !== 0 && (kind === SIGN || kind === LEET_SIGN) && MASKS.has(cell.ch);
  const reading = readingOf(cell.ch, bits);
  for (const position of active) {
    if (position < entry.length && (masked || reads(reading, entry.charAt(position), bits, leet))) {
      add(next, position + 1);
    }
    if (reading.plain.length > 1 && entry.startsWith(reading.plain, position)) {
      add(next, position + reading.plain.length);
    }
    if (position === 0 || (bits & REPEATS) === 0 || masked || isDense(cell)) continue;
    const again = reads(reading, entry.charAt(position - 1), bits, leet);
    if (again && mayRepeat(entry, position, runAt(cells, at, from, to))) add(next, position);
  }
  return next;
}

function add(positions: number[], position: number): void {
  if (!positions.includes(position)) positions.push(position);
}

/**
 * A word made of digits is a number, and a letter with more digits behind it is a model (A55): neither is read as
 * letters. A few digits among letters are.
 */
export function looksSpelled(cells: readonly Cell[], from: number, to: number): boolean {
  let letters = 0;
  let digits = 0;
  let lettersAfterDigit = 0;
  let digitsBeforeLetter = 0;
  for (let i = from; i < to; i++) {
    const cell = cells[i];
    if (cell === undefined) continue;
    if ((cell.entry & (LETTER | PICTURE)) !== 0) {
      letters++;
      if (digits > 0) lettersAfterDigit++;
      digitsBeforeLetter = digits;
    } else if (isDigit(cell)) digits++;
  }
  if (letters === 0 || isExclaimed(cells, from, to)) return false;
  if (digits > 0 && lettersAfterDigit === 0 && digits >= letters) return false;
  if (digits > 0 && digitsBeforeLetter === digits && lettersAfterDigit === letters && digits >= letters) return false;
  return letters * 3 >= digits;
}

/** Behind plain letters an exclamation mark is one (Ana!); only among other signs is it read as a letter (n@z!). */
function isExclaimed(cells: readonly Cell[], from: number, to: number): boolean {
  let end = to;
  while (end > from && cells[end - 1]?.ch === '!') end--;
  if (end === to) return false;
  for (let i = from; i < end; i++) if (((cells[i]?.entry ?? 0) & LETTER) === 0) return false;
  return true;
}

/** Whether cells read as an entry, whole. */
export function matchesWhole(cells: readonly Cell[], from: number, to: number, entry: string, bits: number): boolean {
  if (follow(cells, from, to, entry, bits, true, false) === to) return true;
  if ((bits & (LEET | MASK)) === 0) return false;
  return follow(cells, from, to, entry, bits, true, true) === to && looksSpelled(cells, from, to);
}
