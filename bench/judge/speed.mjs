// npm run bench:judge: messages per second on one core, ours beside the npm filters and Hyperscan, same words and texts.
// The rounds are interleaved, and for each slice of messages the best round counts, so that figures and ratios hold on a
// busy machine; Hyperscan's are taken in the same way. `--quick` for a look.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../../packages/judge/dist/index.js';
import { makeMessages, makeWords } from './corpus.mjs';
import { makeList } from './lists.mjs';
import { PEERS } from './peers.mjs';
import { writeResults } from './results.mjs';

const quick = process.argv.includes('--quick');
const MESSAGES = quick ? 20_000 : 100_000;
/** For the tables that are about ours alone. */
const FEWER = 20_000;
const ROUNDS = quick ? 8 : 20;
/** Short enough to fit between two turns of a busy scheduler. */
const SLICE = 250;
const folder = mkdtempSync(join(tmpdir(), 'judge-bench-'));
const lines = [];
const say = (line) => {
  console.log(line);
  lines.push(line);
};
const rounded = (value) => Math.round(value).toLocaleString('en-US');

const condition = (category, value, reference) => ({
  id: 1,
  isKeywordsReferencePresent: reference,
  entity: 'message',
  operand: 'text',
  category,
  operator: 'contains',
  value,
});
const rule = (id, conditions) => ({ id, name: id, enabled: true, action: ['blockMessage'], filters: [], conditions });

function wordJudge(words) {
  return compile({
    lists: [{ id: 'list', category: 'word', terms: words }],
    rules: [rule('words', [condition('word', ['list'], true)])],
  });
}

function take(check, messages) {
  const start = performance.now();
  for (const text of messages) check(text);
  return performance.now() - start;
}

/** Messages a second for each check. A slow one gets fewer messages, in shorter slices. */
function race(checks, messages, rounds = ROUNDS) {
  const runs = checks.map(({ name, check }) => {
    // Warm: until it has been given its time, or all messages once.
    const until = performance.now() + 300;
    for (let at = 0; at < messages.length && performance.now() < until; at += 10) {
      take(check, messages.slice(at, at + 10));
    }
    const took = Math.min(take(check, messages.slice(0, 20)), take(check, messages.slice(0, 20))) / 20;
    const size = took > 0.2 ? 10 : SLICE;
    const count = Math.min(messages.length, Math.max(50, Math.ceil(400 / took)));
    const slices = [];
    for (let at = 0; at < count; at += size) slices.push(messages.slice(at, Math.min(count, at + size)));
    return { name, check, count, rounds: took > 0.2 ? 3 : rounds, slices, best: slices.map(() => Infinity) };
  });
  for (let round = 0; round < rounds; round++) {
    for (const run of runs) {
      if (round >= run.rounds) continue;
      run.slices.forEach((slice, i) => {
        run.best[i] = Math.min(run.best[i], take(run.check, slice));
      });
    }
  }
  return new Map(runs.map(({ name, count, best }) => [name, (count / best.reduce((a, b) => a + b)) * 1000]));
}

function buildHyperscan() {
  const program = join(folder, 'hyperscan');
  const built = spawnSync(
    'cc',
    ['-O2', '-o', program, fileURLToPath(new URL('hyperscan.c', import.meta.url)), '-lhs'],
    { encoding: 'utf8' },
  );
  if (built.status === 0) return program;
  if (
    process.getuid?.() === 0 &&
    spawnSync('apt-get', ['install', '-y', '-qq', 'libhyperscan-dev', 'gcc']).status === 0
  ) {
    if (
      spawnSync('cc', ['-O2', '-o', program, fileURLToPath(new URL('hyperscan.c', import.meta.url)), '-lhs']).status ===
      0
    )
      return program;
  }
  console.log('Hyperscan: a C compiler or libhyperscan-dev is missing; left out');
  return undefined;
}

function hyperscan(program, words, messages) {
  writeFileSync(join(folder, 'words'), `${words.join('\n')}\n`);
  writeFileSync(join(folder, 'messages'), `${messages.join('\n')}\n`);
  const [rate, hits, matches] = execFileSync(
    program,
    [join(folder, 'words'), join(folder, 'messages'), String(ROUNDS)],
    { encoding: 'utf8', timeout: 300_000 },
  )
    .split(' ')
    .map(Number);
  return { rate, hits, matches };
}

function bytesOf({ keywords }) {
  return Object.values(keywords).reduce((sum, table) => sum + (table.byteLength ?? 0), 0);
}

const list = makeList(1_000_000);
const program = buildHyperscan();

/** Ours and Hyperscan over the same words and messages, from few words to a million. */
function compareSizes(title, terms, counts) {
  say(
    `| Keywords, ${title} | ours, messages/s | of our speed at ${rounded(counts[0])} | compile | bytes a keyword | Hyperscan, messages/s | ours / Hyperscan | messages hit: ours | Hyperscan | its matches |`,
  );
  say('|---|---|---|---|---|---|---|---|---|---|');
  let base = 0;
  for (const count of counts) {
    const words = terms.slice(0, count);
    const messages = makeMessages(MESSAGES, words);
    const start = performance.now();
    const judge = wordJudge(words);
    const compiled = performance.now() - start;
    const ours = race([{ name: 'ours', check: (text) => judge.judge({ text }) }], messages).get('ours');
    if (base === 0) base = ours;
    const hits = messages.filter((text) => judge.judge({ text }).action === 'block').length;
    const bytes = bytesOf(judge.serialise()) / count;
    const limit = program === undefined ? undefined : hyperscan(program, words, messages);
    const beside =
      limit === undefined
        ? ['missing', '', share(hits, messages), '', '']
        : [
            rounded(limit.rate),
            (ours / limit.rate).toFixed(2),
            share(hits, messages),
            share(limit.hits, messages),
            rounded(limit.matches),
          ];
    say(
      `| ${rounded(count)} | ${rounded(ours)} | ${(ours / base).toFixed(2)} | ${rounded(compiled)} ms | ${bytes.toFixed(0)} | ${beside.join(' | ')} |`,
    );
  }
  say('');
}

function share(hits, messages) {
  return `${((100 * hits) / messages.length).toFixed(1)} %`;
}

say(
  'Words as people keep them: an English dictionary without the words of the messages, every tenth term a phrase of two ordinary words; at 1,000,000 also forms and compounds of dictionary words. Hyperscan knows no word boundaries: it reports every such word inside another too.',
);
say('');
compareSizes('of a dictionary', list, [1000, 100, 10_000, 100_000, 1_000_000]);
say(
  "Made-up words of syllables, over the same messages: Hyperscan's best case, since few of them begin as a word of the messages does.",
);
say('');
compareSizes('made up', makeWords(1_000_000), [10_000, 100_000, 1_000_000]);

say('| 10,000 keywords | messages/s | ours is | folds disguises |');
say('|---|---|---|---|');
{
  const words = list.slice(0, 10_000);
  const messages = makeMessages(FEWER, words);
  const judge = wordJudge(words);
  const checks = [{ name: 'gatehouse judge', folds: true, check: (text) => judge.judge({ text }) }];
  for (const peer of PEERS) checks.push({ ...peer, check: peer.make(words) });
  const best = race(checks, messages);
  const ours = best.get('gatehouse judge');
  for (const { name, folds } of checks) {
    say(
      `| ${name} | ${rounded(best.get(name))} | ${name === 'gatehouse judge' ? '' : `${(ours / best.get(name)).toFixed(1)} times as fast`} | ${folds ? 'yes' : 'no'} |`,
    );
  }
}

say('');
say('| Patterns, beside 10,000 keywords | messages/s |');
say('|---|---|');
{
  const words = list.slice(0, 10_000);
  const messages = makeMessages(FEWER, words);
  const stems = makeWords(3000, 99);
  const shapes = [
    (a, b) => `(?i)\\b${a}\\s+${b}\\b`,
    (a, b) => `${a}[a-z]*${b}`,
    (a) => `(?i)${a}\\d{2,4}`,
    (a, b) => `(${a}|${b})\\W+\\w+`,
  ];
  for (const count of [0, 10, 100, 1000]) {
    const patterns = Array.from({ length: count }, (_, i) => shapes[i % shapes.length](stems[2 * i], stems[2 * i + 1]));
    const judge = compile({
      lists: [
        { id: 'list', category: 'word', terms: words },
        { id: 'patterns', category: 'pattern', terms: patterns },
      ],
      rules: [
        rule('words', [condition('word', ['list'], true)]),
        rule('patterns', [condition('pattern', ['patterns'], true)]),
      ],
    });
    const best = race([{ name: 'ours', check: (text) => judge.judge({ text }) }], messages).get('ours');
    say(`| ${rounded(count)} | ${rounded(best)} |`);
  }
}

say('');
say('| Rules that do not concern the message | messages/s |');
say('|---|---|');
for (const count of [10, 1000]) {
  const words = list.slice(0, 10_000);
  const messages = makeMessages(FEWER, words);
  const rules = Array.from({ length: count }, (_, i) =>
    rule(`r${i}`, [condition('word', list.slice(20_000 + i * 10, 20_010 + i * 10), false)]),
  );
  const judge = compile({ lists: [], rules });
  say(
    `| ${rounded(count)} | ${rounded(race([{ name: 'ours', check: (text) => judge.judge({ text }) }], messages).get('ours'))} |`,
  );
}

const sample = makeMessages(10_000, list);
const average = Math.round(sample.reduce((sum, text) => sum + text.length, 0) / sample.length);
const wide = sample.filter((text) => /[\u0100-\uffff]/.test(text)).length;
writeResults(
  'Speed',
  `\`npm run bench:judge\`: one core, ${rounded(MESSAGES)} messages of 20 to 500 characters (${average} on average): English words as often as people say them (74,000 words with the counts of film subtitles), chat words, numbers, emoji, other languages and scripts (${share(wide, sample)} of the messages hold more than Latin-1); a term of the list in 1 % of them. The best of ${ROUNDS} rounds of each slice of 250 messages; ours with all folding, spans and the whole verdict; Hyperscan one hs_scan a message, literals, ASCII case only, the first match of each. Load average at its end: ${loadavg()[1].toFixed(1)} on two cores.\n\n${lines.join('\n')}`,
);
