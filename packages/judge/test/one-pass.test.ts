import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { work } from '../src/work.ts';
import { naiveHits } from './naive.ts';
import { judgeFor, listRuleset } from './rulesets.ts';

const LETTERS = [
  'a',
  's',
  'f',
  'u',
  'k',
  'A',
  'S',
  '1',
  '5',
  '$',
  '!',
  '.',
  '-',
  ' ',
  ' ',
  "'",
  '\u200b',
  '\u0301',
  'а',
  'é',
  'ａ',
  'ⓢ',
  '🅰',
  '😀',
  '馬',
  '*',
  '_',
  'ss',
  'uu',
  '\ud83d',
];
const text = fc.array(fc.constantFrom(...LETTERS), { maxLength: 24 }).map((parts) => parts.join(''));
const word = fc
  .array(fc.constantFrom('a', 's', 'f', 'u', 'k', '5'), { minLength: 2, maxLength: 5 })
  .map((parts) => parts.join(''));
const term = fc.oneof(
  word,
  fc.tuple(word, word).map((words) => words.join(' ')),
);
/** A term as an evader might write it: letters swapped, doubled or struck through, pieces put between. */
function disguised(terms: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...terms),
      fc.constantFrom('', '', ' ', '.', '-', "'", '\u200b', ' . ', '*'),
      fc.array(fc.nat(7), { minLength: 12, maxLength: 12 }),
      fc.constantFrom('', '!', '99', '?', ' a'),
    )
    .map(([term, gap, moves, tail]) => [...term].map((ch, i) => swap(ch, moves[i] ?? 0)).join(gap) + tail);
}

const SWAPS: Readonly<Record<string, readonly string[]>> = {
  a: ['4', '@', 'а'],
  s: ['$', '5', 'ѕ'],
  u: ['v', 'ü', 'ｕ'],
  k: ['K', 'к', 'k\u0301'],
  f: ['ff', 'F', 'ƒ'],
};

function swap(ch: string, move: number): string {
  if (move === 3) return ch + ch;
  if (move === 4) return ch.repeat(3);
  return SWAPS[ch]?.[move] ?? ch;
}

const termsAndText = fc
  .uniqueArray(term, { minLength: 1, maxLength: 12 })
  .chain((terms) =>
    fc.tuple(
      fc.constant(terms),
      fc.array(fc.oneof({ weight: 3, arbitrary: disguised(terms) }, { weight: 1, arbitrary: text }), { maxLength: 5 }),
      fc.constantFrom(' ', ' ', '', ', ', '/'),
    ),
  );

const fold = fc.record(
  {
    case: fc.boolean(),
    marks: fc.boolean(),
    nfkc: fc.boolean(),
    zeroWidth: fc.boolean(),
    confusables: fc.boolean(),
    leet: fc.boolean(),
    repeats: fc.boolean(),
    separators: fc.boolean(),
    emoji: fc.boolean(),
    mask: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** More for a soak: `JUDGE_RUNS=100000 npx vitest run packages/judge -t naive`. */
const RUNS = Number(process.env.JUDGE_RUNS ?? 3000);

describe('the one pass', () => {
  it('finds exactly what a naive judge finds, for any words, any folding and any text', () => {
    fc.assert(
      fc.property(termsAndText, fold, ([terms, parts, glue], options) => {
        const message = parts.join(glue);
        const ruleset = listRuleset({ terms, fold: options });
        const fast = judgeFor(terms, { fold: options })
          .judge({ text: message })
          .matches.map((match) => `${match.entry}@${match.start}-${match.end}`);
        expect([...new Set(fast)].sort()).toEqual(
          naiveHits(ruleset.lists[0] ?? { id: '', category: 'word', terms }, message),
        );
      }),
      // Found by runs of their own: v stands for u, which as itself would be a word; two such words behind an apostrophe;
      // a sign behind a space or a dense letter, and the same sign in the word.
      {
        numRuns: RUNS,
        examples: [
          [[['uau', 'kkakf'], ["v'aa'v!"], ' '], {}],
          [[['uaa', 'kuku'], ["uu'aa'4"], ' '], {}],
          [[['uku'], ['馬', 'vKv', 'v K v'], '/'], {}],
          [[['ukfa'], ['a', '-uk-fa'], ' '], {}],
          [[['55us'], ["55'55'uu's!"], ' '], {}],
          [[['aas'], ['aa.@.$'], ' '], {}],
          [[['5fs', 'ss'], ['5F$', '$sss', '馬', '5ff$'], '/'], { leet: false }],
        ],
      },
    );
  }, 600_000);

  it('finds in a message what it would find had it judged no other before', () => {
    // Letters that share a skeleton (i and l, s and z, g and b): many of these words are looked up for one another.
    const twin = fc.array(fc.constantFrom('i', 'l', 's', 'z', 'g', 'b'), { minLength: 2, maxLength: 3 });
    const words = fc.uniqueArray(
      twin.map((letters) => `k${letters.join('')}`),
      { minLength: 1, maxLength: 30 },
    );
    fc.assert(
      fc.property(words, words, (terms, texts) => {
        const judge = judgeFor(terms);
        for (const message of [...texts, ...terms, ...texts]) {
          expect(judge.judge({ text: message })).toEqual(judgeFor(terms).judge({ text: message }));
        }
      }),
      { numRuns: 300 },
    );
  });

  it('names spans inside the text that never split a surrogate pair', () => {
    const judge = judgeFor(['ass', 'fuk', '*us*', '馬', 'su*', '🅰', '😀', 'a馬'], { fold: { mask: true } });
    fc.assert(
      fc.property(text, (message) => {
        for (const match of judge.judge({ text: message }).matches) {
          expect(match.start).toBeGreaterThanOrEqual(0);
          expect(match.end).toBeGreaterThan(match.start);
          expect(match.end).toBeLessThanOrEqual(message.length);
          expect(match.text).toBe(message.slice(match.start, match.end));
          expect(splits(message, match.start) || splits(message, match.end)).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('never throws, whatever the text', () => {
    const judge = judgeFor(['ass', '*us*', '馬鹿', 'バカ', 'kill you', '🖕', '씨발', 'ß*'], { fold: { mask: true } });
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 200 }),
        fc.array(fc.integer({ min: 0, max: 0xffff })),
        (a, units) => {
          judge.judge({ text: a + String.fromCharCode(...units), customData: a });
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('judges every code point there is', () => {
    const judge = judgeFor(['ass', '*us*', '馬鹿'], { fold: { mask: true } });
    for (let block = 0; block < 0x110000; block += 256) {
      // Planes of private letters and of nothing are all alike: one block in sixteen.
      if (block >= 0x20000 && block < 0xe0000 && block % 4096 !== 0) continue;
      const points = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(block + i));
      const verdict = judge.judge({ text: points.map((ch) => `a${ch}`).join(' ') });
      expect(verdict.action).toMatch(/allow|block/);
    }
  }, 60_000);

  it.each([
    ['one letter', 'a'],
    ['letters apart', 'a s '],
    ['letters apart by dots', 'a.s.'],
    ['signs that may be letters', '$!'],
    ['hits', 'ass '],
    ['hits of a wildcard in one word', 'usk'],
    ['marks', 'a\u0301'],
    ['masks', 'a*s '],
    ['dense letters', '馬'],
    ['short words', 'as it s '],
    ['markup', '<b>&#97;'],
    ['pictures', '🅰 '],
  ])('takes steps in proportion to a text of %s', (_, unit) => {
    const judge = judgeFor(['ass', 'as', '*us*', '馬馬鹿', 'as it', 'sas'], { fold: { mask: true } });
    const steps = (size: number): number => {
      work.steps = 0;
      judge.judge({ text: unit.repeat(size) });
      return work.steps;
    };
    const small = steps(500);
    const large = steps(4000);
    expect(large).toBeLessThanOrEqual(small * 8.8 + 500);
    expect(large).toBeLessThanOrEqual(4000 * unit.length * 1500);
  });

  it('judges a megabyte of one letter', () => {
    const judge = judgeFor(['ass', '*us*', 'aa']);
    expect(judge.judge({ text: 'a'.repeat(1_000_000) }).matches.length).toBe(1);
  });
});

function splits(message: string, at: number): boolean {
  const before = message.charCodeAt(at - 1);
  const after = message.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
