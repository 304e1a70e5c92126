import type { KeywordTables } from './keywords.ts';
import { UNITS } from './units.ts';

/**
 * Whether a token of ASCII letters could be read as an entry at all: a cheap no for the words that merely share its
 * skeleton (been, gen). A yes only says that the exact comparison has to be asked.
 */
export function mayRead(tables: KeywordTables, entry: number, text: string, start: number, end: number): boolean {
  const { texts, offsets } = tables;
  const from = offsets[entry] ?? 0;
  const to = offsets[entry + 1] ?? 0;
  let at = from;
  for (let i = start; i < end; i++) {
    const letter = text.charCodeAt(i) | 0x20;
    const wanted = at < to ? (texts[at] ?? 0) : 0;
    if (wanted !== 0 && !isLetter(wanted)) return true;
    if (stands(letter, wanted | 0x20)) at++;
    else if (at === from || !stands(letter, (texts[at - 1] ?? 0) | 0x20)) return false;
    else if (isSpelling(tables, from, to, at) && !isRun(text, start, end, i)) return false;
  }
  return at === to || !isLetter(texts[at] ?? 0);
}

function isLetter(code: number): boolean {
  return (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
}

/** A letter reads as itself; v as u, z as s, and I as l. */
function stands(letter: number, wanted: number): boolean {
  if (letter === wanted) return true;
  return (
    (letter === 0x76 && wanted === 0x75) || (letter === 0x7a && wanted === 0x73) || (letter === 0x69 && wanted === 0x6c)
  );
}

const SHORT = 5;
/** b, c, d, e, f, g, m, n, o, p, r, t: letters that nothing but themselves stands for and that English doubles. */
const DOUBLED = [...'bcdefgmnoprt'].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) - 97)), 0);

/** Whether a letter written twice where a short entry has it once is another word's spelling: been, ben. */
function isSpelling(tables: KeywordTables, from: number, to: number, at: number): boolean {
  if (to - from >= SHORT || at === to) return false;
  const letter = (tables.texts[at - 1] ?? 0) | 0x20;
  return ((DOUBLED >>> (letter - 97)) & 1) !== 0;
}

/** Whether three letters of one skeleton stand in a row around `at`: always a repeat. */
function isRun(text: string, start: number, end: number, at: number): boolean {
  const unit = unitAt(text, at);
  let run = 1;
  for (let i = at - 1; i >= start && unitAt(text, i) === unit; i--) run++;
  for (let i = at + 1; i < end && unitAt(text, i) === unit; i++) run++;
  return run >= 3;
}

function unitAt(text: string, at: number): number {
  return (UNITS[text.charCodeAt(at)] ?? 0) >>> 16;
}
