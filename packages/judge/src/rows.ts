import { CLASS_MASK, DENSE, DENSE_MULTI, IGNORED, LEET_SIGN, MULTI, SPACE, unitEntry, WORD } from './units.ts';
import { work } from './work.ts';

/** Tokens no longer than this may be pieces of one word. */
export const PIECE_MAX = 3;

export interface Around {
  start: number;
  end: number;
  pieces: number;
}

/** The row of short tokens and signs around a single letter, not reaching back before `floor`. */
export function rowAround(text: string, start: number, end: number, floor: number): Around {
  const back = walk(text, start, -1, floor);
  const ahead = walk(text, end, 1, text.length);
  return { start: back.reach, end: ahead.reach, pieces: back.pieces + ahead.pieces + 1 };
}

/** Goes one way from token to token until one is too long; answers how far the short ones reach. */
function walk(text: string, from: number, step: 1 | -1, limit: number): { reach: number; pieces: number } {
  let at = from;
  let reach = from;
  let pieces = 0;
  let length = 0;
  while (step > 0 ? at < limit : at > limit) {
    work.steps++;
    const code = step > 0 ? (text.codePointAt(at) ?? 0) : codeBefore(text, at);
    const entry = unitEntry(code);
    const kind = entry & CLASS_MASK;
    if (kind === DENSE || (entry & DENSE_MULTI) !== 0) break;
    at += step * (code > 0xffff ? 2 : 1);
    if (kind === WORD || kind === MULTI) {
      length++;
      if (length > PIECE_MAX) return { reach, pieces };
    } else if (kind !== IGNORED) {
      if (length > 0) pieces++;
      if (length > 0) reach = at - step * (code > 0xffff ? 2 : 1);
      length = 0;
      if (kind === LEET_SIGN) {
        pieces++;
        reach = at;
      } else if (kind !== SPACE) reach = at;
    }
  }
  return length > 0 ? { reach: at, pieces: pieces + 1 } : { reach, pieces };
}

function codeBefore(text: string, at: number): number {
  const low = text.charCodeAt(at - 1);
  const high = at > 1 ? text.charCodeAt(at - 2) : 0;
  const pair = low >= 0xdc00 && low <= 0xdfff && high >= 0xd800 && high <= 0xdbff;
  return pair ? (text.codePointAt(at - 2) ?? low) : low;
}
