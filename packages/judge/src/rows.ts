import { CLASS_MASK, DENSE, DENSE_MULTI, IGNORED, LEET_SIGN, MULTI, SPACE, unitEntry, WORD } from './units.ts';
import { work } from './work.ts';

/** Tokens no longer than this may be pieces of one word. */
const PIECE_MAX = 3;

export interface Around {
  start: number;
  end: number;
  /** Single letters before this offset need not be asked about again. */
  done: number;
  pieces: number;
}

/** How far beyond a token that is too long the end of its chunk is looked for. */
const CHUNK_MAX = 64;

/** The row of short tokens and signs around a single letter. */
export function rowAround(text: string, start: number, end: number): Around {
  const back = walk(text, start, -1);
  const ahead = walk(text, end, 1);
  return { start: back.reach, end: ahead.reach, done: ahead.done, pieces: back.pieces + ahead.pieces + 1 };
}

/**
 * Goes one way from token to token until one is too long, and on to the next space: a row does not end inside a chunk,
 * so that what stands around a word is known.
 */
function walk(text: string, from: number, step: 1 | -1): { reach: number; done: number; pieces: number } {
  const limit = step > 0 ? text.length : 0;
  let at = from;
  let pieces = 0;
  let length = 0;
  let tokenAt = from;
  while (at !== limit) {
    work.steps++;
    const code = step > 0 ? (text.codePointAt(at) ?? 0) : codeBefore(text, at);
    const entry = unitEntry(code);
    const kind = entry & CLASS_MASK;
    if (kind === DENSE || (entry & DENSE_MULTI) !== 0) break;
    const long = length > PIECE_MAX;
    if (long && (kind === SPACE || Math.abs(at - tokenAt) > CHUNK_MAX)) break;
    if (kind === WORD || kind === MULTI) {
      if (length === 0) tokenAt = at;
      length++;
    } else if (kind !== IGNORED && !long) {
      if (length > 0) pieces++;
      if (kind === LEET_SIGN) pieces++;
      length = 0;
    }
    at += step * (code > 0xffff ? 2 : 1);
  }
  return { reach: at, done: length > PIECE_MAX ? tokenAt : at, pieces: length > 0 ? pieces + 1 : pieces };
}

function codeBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const high = at > 1 ? text.charCodeAt(at - 2) : 0;
  const pair = low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff;
  return pair ? (text.codePointAt(at - 2) ?? low) : low;
}
