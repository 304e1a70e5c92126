import { DRAWN } from './readings.ts';
import {
  CLASS_MASK,
  DENSE,
  DENSE_MULTI,
  DIGIT,
  expansion,
  IGNORED,
  LEET_SIGN,
  LETTER,
  MARK,
  MULTI,
  PICTURE,
  SIGN,
  SPACE,
  unitEntry,
  WORD,
} from './units.ts';
import { work } from './work.ts';

/** One character as a reader sees it: where it stands, and its entry in the table of units. */
export interface Cell {
  start: number;
  end: number;
  /** The character itself; for a drawing of several signs, the letter drawn. */
  ch: string;
  entry: number;
  /** Ignored characters stood between the cell before and this one. */
  ignoredBefore: boolean;
}

export function classOf(cell: Cell): number {
  return cell.entry & CLASS_MASK;
}

export function isWord(cell: Cell): boolean {
  const kind = cell.entry & CLASS_MASK;
  return kind === WORD || (kind === MULTI && (cell.entry & DENSE_MULTI) === 0);
}

export function isDense(cell: Cell): boolean {
  return (cell.entry & CLASS_MASK) === DENSE || (cell.entry & DENSE_MULTI) !== 0;
}

export function isDigit(cell: Cell): boolean {
  return (cell.entry & DIGIT) !== 0;
}

/** The units that a cell adds to a hash. */
export function unitsOf(entry: number): string {
  return (entry & CLASS_MASK) === MULTI ? expansion(entry) : String.fromCharCode(entry >>> 16);
}

const ENTITY = /^&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(shy|zwnj|zwj|nbsp));/;
/** A letter as addresses write it. */
const PERCENT = /^%(4[1-9a-fA-F]|5[0-9aA]|6[1-9a-fA-F]|7[0-9aA])/;
const TAG = /^(?:<\/?[a-zA-Z]{1,6}\s?\/?>|\[\/?[a-zA-Z]\])/;
/** The longest markup looked at: keeps reading linear. */
const MARKUP_MAX = 12;

/** Reads markup that a client would not show as such: `&#117;`, `%75`, `<b>`. */
function readMarkup(text: string, at: number): Cell | undefined {
  const piece = text.slice(at, at + MARKUP_MAX);
  const percent = PERCENT.exec(piece);
  const entity = percent ?? ENTITY.exec(piece);
  if (entity !== null) {
    const hex = percent?.[1] ?? entity[2] ?? 'ad';
    const code = percent === null && entity[1] !== undefined ? Number(entity[1]) : Number.parseInt(hex, 16);
    if (code > 0x10ffff) return undefined;
    const plain = unitEntry(code);
    // Written this way on purpose, a letter counts as a sign that stands for it.
    const entry = (plain & CLASS_MASK) === WORD ? (plain & ~0xffff) | LEET_SIGN | PICTURE : plain;
    return { start: at, end: at + entity[0].length, ch: String.fromCodePoint(code), entry, ignoredBefore: false };
  }
  const tag = TAG.exec(piece);
  if (tag === null) return undefined;
  return { start: at, end: at + tag[0].length, ch: '<', entry: SIGN, ignoredBefore: false };
}

const DRAWING_STARTS = new Set(DRAWN.map(([drawing]) => drawing.charCodeAt(0)));

function readDrawing(text: string, at: number): Cell | undefined {
  if (!DRAWING_STARTS.has(text.charCodeAt(at))) return undefined;
  for (const [drawing, letter] of DRAWN) {
    if (text.startsWith(drawing, at)) {
      const entry = (unitEntry(letter.charCodeAt(0)) & ~0xffff) | LEET_SIGN | PICTURE;
      return { start: at, end: at + drawing.length, ch: letter, entry, ignoredBefore: false };
    }
  }
  return undefined;
}

/**
 * The cells between two offsets. Ignored characters get no cell; marks belong to the cell they sit on.
 * `rich` also reads markup and letters drawn with several signs.
 */
export function readCells(text: string, from: number, to: number, rich: boolean): Cell[] {
  const cells: Cell[] = [];
  let ignored = false;
  let at = from;
  while (at < to) {
    work.steps++;
    const code = text.codePointAt(at) ?? 0;
    const entry = unitEntry(code);
    const kind = entry & CLASS_MASK;
    const width = code > 0xffff ? 2 : 1;
    if (kind === IGNORED) {
      const last = cells.at(-1);
      if ((entry & MARK) !== 0 && last !== undefined && last.end === at) last.end = at + width;
      ignored = true;
      at += width;
      continue;
    }
    let cell: Cell | undefined;
    if (rich && (code === 0x25 || code === 0x26 || code === 0x3c || code === 0x5b)) cell = readMarkup(text, at);
    if (rich && cell === undefined && code < 0x80 && (entry & LETTER) === 0) cell = readDrawing(text, at);
    if (cell !== undefined && cell.end > to) cell = undefined;
    if (cell !== undefined && classOf(cell) === IGNORED) {
      ignored = true;
      at = cell.end;
      continue;
    }
    cell ??= { start: at, end: at + width, ch: String.fromCodePoint(code), entry, ignoredBefore: false };
    cell.ignoredBefore = ignored;
    ignored = false;
    cells.push(cell);
    at = cell.end;
  }
  return cells;
}

export function isGap(cell: Cell): boolean {
  const kind = classOf(cell);
  return kind === SPACE || kind === SIGN || kind === LEET_SIGN;
}
