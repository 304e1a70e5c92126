// Keyword lists as people keep them: words of an English dictionary that are not said in the messages, every tenth term
// a phrase of two ordinary words, and beyond the dictionary forms and compounds of its words. What a list's keeper does,
// is done here too: a term that would hit an ordinary word of the messages (meting, for meeting) is taken out.
import { DICTIONARY } from '../../packages/judge/dist/generated/dictionary.js';
import { compile } from '../../packages/judge/dist/index.js';
import { OTHER_WORDS, random } from './corpus.mjs';
import { VOCABULARY } from './vocabulary.mjs';

function* dictionary() {
  let last = '';
  for (const [, shared, rest] of DICTIONARY.matchAll(/([A-Z])([a-z]*)/g)) {
    last = last.slice(0, shared.charCodeAt(0) - 65) + rest;
    yield last;
  }
}

function shuffle(items, next) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

const ENDINGS = ['s', 'ed', 'ing', 'er', 'ers', 'ish', 'ness', 'ly'];

/** The dictionary, then forms and compounds of its words. */
function* singleWords(next) {
  const words = shuffle([...dictionary()], next);
  const pick = (from) => from[Math.floor(next() * from.length)];
  yield* words;
  for (;;) {
    yield pick(words) + pick(ENDINGS);
    const compound = pick(words) + pick(words);
    if (compound.length <= 20) yield compound;
  }
}

function makeTerms(count, next) {
  const said = [...VOCABULARY].filter((word) => /^[a-z]{3,}$/.test(word));
  const pick = (from) => from[Math.floor(next() * from.length)];
  const terms = new Set();
  for (const word of singleWords(next)) {
    if (terms.size % 10 === 9) terms.add(`${pick(said)} ${pick(said)}`);
    if (!VOCABULARY.has(word)) terms.add(word);
    if (terms.size >= count) break;
  }
  return [...terms];
}

/** The terms that hit none of the words, as our judge reads them. */
function withoutHits(terms, words) {
  const judge = compile({
    lists: [{ id: 'list', category: 'word', terms }],
    rules: [
      {
        id: 'rule',
        name: 'rule',
        enabled: true,
        action: ['flagMessage'],
        filters: [],
        conditions: [
          {
            id: 1,
            isKeywordsReferencePresent: true,
            entity: 'message',
            operand: 'text',
            category: 'word',
            operator: 'contains',
            value: ['list'],
          },
        ],
      },
    ],
  });
  const hit = new Set();
  for (const text of words) for (const { entry } of judge.judge({ text }).matches) hit.add(entry);
  return terms.filter((term) => !hit.has(term));
}

/** Distinct terms; a shorter list is the beginning of a longer one. */
export function makeList(count, seed = 3) {
  const next = random(seed);
  const terms = makeTerms(Math.ceil(count * 1.05), next);
  return withoutHits(terms, [...VOCABULARY, ...OTHER_WORDS]).slice(0, count);
}
