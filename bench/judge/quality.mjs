// npm run quality: precision and recall on the quality set of packages/judge, ours beside the npm filters.
import { readFileSync } from 'node:fs';
import { builtins, compile } from '../../packages/judge/dist/index.js';
import { PEERS } from './peers.mjs';
import { writeResults } from './results.mjs';

const read = (name) =>
  readFileSync(new URL(`../../packages/judge/quality/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
const must = read('must-match.tsv').map((line) => line.split('\t'));
const mustNot = read('must-not-match.tsv').map((line) => line.split('\t')[1]);
const chat = read('chat.txt');
const words = builtins.profanity.terms.filter((term) => /^[a-z]+$/.test(term));

const judge = compile({ lists: [builtins.profanity], rules: [builtins.rules[0]] });
const ours = (text) => judge.judge({ text }).matches.length > 0;
const filters = [{ name: '**gatehouse judge**', check: ours }];
for (const peer of PEERS) {
  try {
    filters.push({ name: peer.name, check: peer.make(words) });
  } catch (error) {
    console.log(`${peer.name}: ${error.message}`);
  }
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)} %`;
const kinds = new Set(must.map(([kind]) => kind));
const rows = [
  '| Filter | recall | single disguises | mixed | kinds caught (95 %) | false alarms: innocent | false alarms: chat | precision |',
  '|---|---|---|---|---|---|---|---|',
];
for (const { name, check } of filters) {
  const hit = must.map(([, , text]) => check(text));
  const caught = hit.filter(Boolean).length;
  const mixed = must.map(([kind]) => kind.includes('+'));
  const count = (wanted, isMixed) => must.filter((_, i) => mixed[i] === isMixed && (!wanted || hit[i])).length;
  const good = [...kinds].filter((kind) => {
    const of = must.map(([k], i) => (k === kind ? i : -1)).filter((i) => i >= 0);
    return of.filter((i) => hit[i]).length >= 0.95 * of.length;
  }).length;
  const falseWords = mustNot.filter(check).length;
  const falseChat = chat.filter(check).length;
  rows.push(
    `| ${name} | ${percent(caught, must.length)} | ${percent(count(true, false), count(false, false))} | ${percent(count(true, true), count(false, true))} | ${good} of ${kinds.size} | ${falseWords} of ${mustNot.length} | ${falseChat} of ${chat.length} | ${percent(caught, caught + falseWords + falseChat)} |`,
  );
}
console.log(rows.join('\n'));
if (process.argv.includes('--misses')) {
  const misses = new Map();
  for (const [kind, word, text] of must)
    if (!ours(text)) misses.set(kind, [...(misses.get(kind) ?? []), `${word}: ${text}`]);
  for (const [kind, lines] of misses) console.log(`${kind}: ${lines.length}\n  ${lines.slice(0, 4).join('\n  ')}`);
  for (const text of [...mustNot, ...chat])
    if (ours(text))
      console.log(
        'false alarm:',
        text,
        judge
          .judge({ text })
          .matches.map((m) => `${m.entry} [${m.text}]`)
          .join(),
      );
}
writeResults(
  'Quality',
  `\`npm run quality\`: ${must.length} lines that must match (${kinds.size} kinds of disguise, single and mixed), ${mustNot.length} innocent lines, ${chat.length} lines of chat; every filter with the same ${words.length} words.\n\n${rows.join('\n')}`,
);
