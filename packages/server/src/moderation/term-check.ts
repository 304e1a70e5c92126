import { checkList } from '@gatehouse/judge';
import { badField, Problems } from '../errors.ts';
import type { ListOptions } from './list-record.ts';
import { sentenceOf } from './rule.ts';
import { termsMax } from './terms.ts';

export const termLengthMax = 100;
export const patternLengthMax = 10_000;
/** How many entries are looked at before others get the thread. */
const entriesPerTurn = 250;
const mistakesTold = 10;

/** Every entry as the judge will read it; the first mistakes, not all of a million; the same entry twice is one entry. */
export async function checkTerms(
  sent: readonly unknown[],
  category: 'word' | 'pattern' | 'sentence-similarity',
  options: ListOptions = {},
  entriesMax = termsMax,
): Promise<string[]> {
  if (sent.length > entriesMax)
    throw badField('searchTerms', `Must have at most ${entriesMax.toLocaleString('en')} entries.`);
  const lengthMax = category === 'pattern' ? patternLengthMax : termLengthMax;
  const problems = new Problems();
  const terms = new Set<string>();
  let mistakes = 0;
  const wrong = (position: number, sentence: string): void => {
    if (mistakes++ < mistakesTold) problems.add(`searchTerms.${position}`, sentence);
  };
  for (let start = 0; start < sent.length; start += entriesPerTurn) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve));
    const places: number[] = [];
    const turn: string[] = [];
    for (let i = start; i < Math.min(start + entriesPerTurn, sent.length); i++) {
      const term = sent[i];
      const sentence = mistakeIn(term, lengthMax);
      if (sentence !== undefined) wrong(i, sentence);
      else if (typeof term === 'string' && !terms.has(term)) {
        terms.add(term);
        turn.push(term);
        places.push(i);
      }
    }
    for (const { position, reason } of checkList({ id: 'list', category, terms: turn }))
      wrong(places[position ?? 0] ?? start, sentenceOf(reason));
  }
  for (const { reason } of checkList({ id: 'list', category, terms: [], ...options }))
    problems.add('allow', sentenceOf(reason));
  if (mistakes > mistakesTold)
    problems.add('searchTerms', `${mistakes} entries have mistakes; the first ten are named.`);
  problems.throwIfAny();
  return [...terms];
}

function mistakeIn(term: unknown, lengthMax: number): string | undefined {
  if (typeof term !== 'string') return 'Must be a string.';
  if (term.trim() === '') return 'Must not be empty.';
  if (term.length > lengthMax) return `Must have at most ${lengthMax} characters.`;
  return /\p{Cc}/u.test(term) ? 'Must not hold control characters.' : undefined;
}
