import { type Cell, isDense, isDigit, isWord, readCells, unitsOf } from '../src/cells.ts';
import { type Entry, makeEntry } from '../src/entry.ts';
import { mayJoin, mayMask } from '../src/finder.ts';
import { foldBits, MASK } from '../src/fold.ts';
import { eachJoin } from '../src/joins.ts';
import { matchesWhole } from '../src/match.ts';
import type { List } from '../src/types.ts';

/**
 * The slow, obvious judge of words: every entry of the list is tried on every token, every row of pieces and every
 * pair of tokens of the text. No hash, no filter, no gram, no suspicion: what the fast one may not miss or add.
 */
export function naiveHits(list: List, text: string): string[] {
  const bits = foldBits(list.fold);
  const cells = readCells(text, 0, text.length, false);
  const tokens = tokensOf(cells);
  const found = new Set<string>();
  for (const term of list.terms) {
    const entry = makeEntry(term, bits);
    const add = (part: readonly Cell[], from = 0, to = part.length): void => {
      found.add(`${term}@${part[from]?.start}-${part[to - 1]?.end}`);
    };
    if (entry.kind === 'word') wordHits(entry, tokens, text, bits, add);
    if (entry.kind === 'phrase') phraseHits(entry, tokens, bits, add);
  }
  return [...found].sort();
}

/** Rows of any length with any hash. */
const EVERY = { longest: 100, mayHold: (): boolean => true };

type Add = (part: readonly Cell[], from?: number, to?: number) => void;

/** Tokens with a mark where a letter of a dense script stands between two. */
function tokensOf(cells: readonly Cell[]): (Cell[] | undefined)[] {
  const tokens: (Cell[] | undefined)[] = [];
  let token: Cell[] = [];
  for (const cell of cells) {
    if (isWord(cell)) token.push(cell);
    else {
      if (token.length > 0) tokens.push(token);
      token = [];
      if (isDense(cell)) tokens.push(undefined);
    }
  }
  if (token.length > 0) tokens.push(token);
  return tokens;
}

function skeleton(cells: readonly Cell[]): string {
  const units = cells.map((cell) => unitsOf(cell.entry)).join('');
  return units.replace(/(.)\1+/gsu, '$1');
}

function entrySkeleton(word: string): string {
  return skeleton(readCells(word, 0, word.length, false));
}

function wordHits(entry: Entry, tokens: readonly (Cell[] | undefined)[], text: string, bits: number, add: Add): void {
  const word = entry.words[0] ?? '';
  const wanted = entrySkeleton(entry.term);
  const same = (part: readonly Cell[]): boolean => skeleton(part) === wanted;
  const whole = (part: readonly Cell[]): boolean => matchesWhole(part, 0, part.length, word, bits & ~MASK);
  for (const token of tokens) {
    if (token === undefined) continue;
    if (same(token) && whole(token)) add(token);
    for (const part of capitalised(token, text)) if (part.length >= 4 && same(part) && whole(part)) add(part);
    for (const part of withoutDigits(token)) if (part.length >= 3 && same(part) && whole(part)) add(part);
  }
  const cells = readCells(text, 0, text.length, true);
  for (const way of ['letters', 'gaps'] as const) {
    eachJoin(cells, way, {
      ...EVERY,
      take(row) {
        const part = row.cells.slice(row.from, row.to);
        if (mayJoin(row, entry, bits) && same(part) && whole(part)) add(part);
      },
    });
  }
  if ((bits & MASK) === 0) return;
  eachJoin(cells, 'masks', {
    ...EVERY,
    take(row) {
      if (mayMask(entry, bits) && matchesWhole(row.cells, row.from, row.to, word, bits))
        add(row.cells, row.from, row.to);
    },
  });
}

function withoutDigits(token: readonly Cell[]): (readonly Cell[])[] {
  if (!token.some(isDigit) || token.every(isDigit)) return [];
  const first = token.findIndex((cell) => !isDigit(cell));
  const last = token.findLastIndex((cell) => !isDigit(cell)) + 1;
  const front = first > 1 || (first === 1 && !'01345'.includes(token[0]?.ch ?? ''));
  const back = token.length - last > 1 || (token.length - last === 1 && !'01345'.includes(token[last]?.ch ?? ''));
  const parts: (readonly Cell[])[] = [];
  if (back) parts.push(token.slice(0, last));
  if (front) parts.push(token.slice(first));
  if (front && back) parts.push(token.slice(first, last));
  return parts;
}

/** The words of `EatShit`. */
function capitalised(token: readonly Cell[], text: string): (readonly Cell[])[] {
  const written = text.slice(token[0]?.start, token.at(-1)?.end);
  if (token.length < 5 || !/[\u0061-\uffff][A-Z]/.test(written)) return [];
  const isCapital = (cell: Cell | undefined): boolean => cell !== undefined && /^\p{Lu}$/u.test(cell.ch);
  const starts = token.flatMap((cell, at) => (at === 0 || (isCapital(cell) && !isCapital(token[at - 1])) ? [at] : []));
  const parts = starts.map((from, i) => ({ from, part: token.slice(from, starts[i + 1]) }));
  if (parts.length === 1) return [];
  return parts.filter(({ from, part }) => from === 0 || !isCapital(part[1])).map(({ part }) => part);
}

function phraseHits(entry: Entry, tokens: readonly (Cell[] | undefined)[], bits: number, add: Add): void {
  const count = entry.words.length;
  for (let at = 0; at + count <= tokens.length; at++) {
    const row = tokens.slice(at, at + count);
    const fits = row.every(
      (token, i) => token !== undefined && matchesWhole(token, 0, token.length, entry.words[i] ?? '', bits & ~MASK),
    );
    const pair = row
      .slice(-2)
      .every((token, i) => skeleton(token ?? []) === entrySkeleton(entry.words[count - 2 + i] ?? ''));
    if (fits && pair) add(row.flatMap((token) => token ?? []));
  }
}
