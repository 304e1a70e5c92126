// npm run bench:patterns: what a ruleset of patterns costs in each engine we could have taken, same patterns and texts.
// Rounds are interleaved; for each slice of messages the best round counts. Native engines take part where installed.
import { RE2JS, RE2Set } from '../../node_modules/re2js/build/index.js';
import { compile } from '../../packages/judge/dist/index.js';
import { makeMessages, makeWords } from './corpus.mjs';
import { writeResults } from './results.mjs';

const stems = makeWords(3000, 99);
const words = makeWords(10_000);
const shapes = [
  (a, b) => `(?i)\\b${a}\\s+${b}\\b`,
  (a, b) => `${a}[a-z]*${b}`,
  (a) => `(?i)${a}\\d{2,4}`,
  (a, b) => `(${a}|${b})\\W+\\w+`,
];
const patternsOf = (count) =>
  Array.from({ length: count }, (_, i) => shapes[i % shapes.length](stems[2 * i], stems[2 * i + 1]));

function filtered(patterns) {
  const judge = compile({
    lists: [{ id: 'patterns', category: 'pattern', terms: patterns }],
    rules: [
      {
        id: 'patterns',
        name: 'patterns',
        enabled: true,
        action: ['blockMessage'],
        filters: [],
        conditions: [
          {
            id: 1,
            isKeywordsReferencePresent: true,
            entity: 'message',
            operand: 'text',
            category: 'pattern',
            operator: 'contains',
            value: ['patterns'],
          },
        ],
      },
    ],
  });
  return (text) => judge.judge({ text }).matches.length > 0;
}

function oneByOne(patterns) {
  const compiled = patterns.map((pattern) => RE2JS.compile(pattern));
  return (text) => {
    let hit = false;
    for (const regex of compiled) if (regex.matcher(text).find()) hit = true;
    return hit;
  };
}

function v8(patterns) {
  const compiled = patterns.map((pattern) =>
    pattern.startsWith('(?i)') ? new RegExp(pattern.slice(4), 'iu') : new RegExp(pattern, 'u'),
  );
  return (text) => {
    let hit = false;
    for (const regex of compiled) if (regex.test(text)) hit = true;
    return hit;
  };
}

function asSet(patterns) {
  const set = new RE2Set(RE2Set.UNANCHORED);
  for (const pattern of patterns) set.add(pattern);
  set.compile();
  return (text) => set.match(text).length > 0;
}

const ENGINES = [
  ['re2js behind our literals (what we ship)', filtered, 4000],
  ['re2js one by one', oneByOne, 400],
  ["V8's own, one by one (not linear)", v8, 400],
  ['re2js Set', asSet, 100],
];
const COUNTS = [10, 100, 1000];
const SLICE = 50;

/** Messages a second over the first `count` messages: the sum of the best round of each slice. */
function rate(check, messages, rounds) {
  let total = 0;
  for (let from = 0; from < messages.length; from += SLICE) {
    const slice = messages.slice(from, from + SLICE);
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      for (const text of slice) check(text);
      best = Math.min(best, performance.now() - start);
    }
    total += best;
  }
  return (messages.length / total) * 1000;
}

const lines = [`| Messages/s by engine and number of patterns | ${COUNTS.join(' | ')} |`, '|---|---|---|---|'];
const all = makeMessages(4000, words);
for (const [name, make, size] of ENGINES) {
  const cells = COUNTS.map((count) => {
    const messages = all.slice(0, count >= 1000 && size <= 100 ? SLICE : size);
    return Math.round(rate(make(patternsOf(count)), messages, size <= 400 ? 2 : 5)).toLocaleString('en-US');
  });
  lines.push(`| ${name} | ${cells.join(' | ')} |`);
  console.log(lines.at(-1));
}
writeResults(
  'Pattern engines',
  `\`npm run bench:patterns\`: one core, patterns alone without keywords, best round of each slice; native engines are not installed here.\n\n${lines.join('\n')}`,
);
