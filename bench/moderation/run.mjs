/** npm run bench:moderation: judging over HTTP with everything on, against a bare server; and what a rule change costs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../api/service.mjs';
import { makeMessages, makeWords } from '../judge/corpus.mjs';
import { installWrk, round, wrk } from '../load.mjs';
import { measureChange } from './change.mjs';
import { writeSection } from './results.mjs';

const turns = Number(process.env.TURNS ?? 5);
const seconds = Number(process.env.SECONDS ?? 4);
installWrk();
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const service = await startService(join(folder, 'data'));
const { appId, baseUrl, apiKeys } = service.summary;
const apikey = { apikey: apiKeys.fullAccess };

async function ask(path, body, method = 'POST') {
  const response = await fetch(`${baseUrl}/v3/moderation${path}`, {
    method,
    headers: { ...apikey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text.slice(0, 500)}`);
  return { text, headers: response.headers };
}

/** Text and custom conditions, words and patterns, filters: 25 rules that are all on. */
async function makeRules() {
  await ask('/keywords', { id: 'bench', searchTerms: ['placeholder'] });
  const list = { operand: 'text', category: 'word', isKeywordsReferencePresent: true, value: ['bench'] };
  for (let i = 0; i < 22; i++) {
    const pattern = { operand: 'text', category: 'pattern', value: [`(?i)\\bzz(one|two)${i}\\b`] };
    const words = { operand: 'custom', category: 'word', value: [`zzword${i}`] };
    const filters = [{ type: 'sender', entity: 'user', operand: 'role', operator: 'notEquals', value: 'staff' }];
    const rule = { id: `bench-${i}`, name: `Bench ${i}`, action: ['blockMessage'], filters };
    await ask('/rules', { ...rule, conditions: i === 0 ? [list] : [pattern, words] });
  }
  const { headers } = await ask('/check', message('hello', 0));
  return headers;
}

const message = (text, i) => ({
  sender: `user-${i % 997}`,
  receiver: 'room-1',
  receiverType: 'group',
  category: 'message',
  type: 'text',
  data: { text },
});

function bodiesFile(words, name) {
  const texts = makeMessages(5000, words);
  const file = join(folder, name);
  writeFileSync(file, `${texts.map((text, i) => JSON.stringify(message(text, i))).join('\n')}\n`);
  const script = readFileSync(join(import.meta.dirname, 'post.lua'), 'utf8');
  writeFileSync(`${file}.lua`, script.replace('BODIES', file));
  return `${file}.lua`;
}

async function startBare(headers, body) {
  const file = join(folder, 'answer.json');
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  const kept = Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
  writeFileSync(file, JSON.stringify({ headers: kept, body }));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.mjs'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.on('exit', () => child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(line).trim()}/`, stop: () => child.kill('SIGKILL') };
}

const post = (url, script) => wrk(url, { headers: apikey, seconds, script });
/** Ours and the peer in turns, and the median of the ratios: the machine changes its mind between runs. */
function inTurns(runs) {
  const seen = runs.map(() => []);
  for (let turn = 0; turn < turns; turn++) runs.forEach((run, i) => seen[i].push(run()));
  return seen;
}
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const ratio = (ours, theirs) => median(ours.map((run, i) => run.perSecond / theirs[i].perSecond));
const middle = (runs) => runs.toSorted((a, b) => a.perSecond - b.perSecond)[Math.floor(runs.length / 2)];

async function putWords(words) {
  const body = new FormData();
  body.set('file', new Blob([words.join('\n')]), 'bench.csv');
  const started = performance.now();
  const response = await fetch(`${baseUrl}/v3/moderation/keywords/bench`, { method: 'PUT', headers: apikey, body });
  await response.text();
  if (!response.ok) throw new Error(`The list was not taken: ${response.status}`);
  return performance.now() - started;
}

// Whatever ends this script ends the service, too.
process.on('uncaughtException', async (error) => {
  console.error(error);
  await service.stop();
  process.exit(1);
});

const lines = [];
const say = (line) => {
  lines.push(line);
  console.log(line);
};

const answerHeaders = await makeRules();
const answer = '{"data":{"verdict":"allow","actions":[],"matches":[],"shadow":[]}}';
const bare = await startBare(answerHeaders, answer);
const check = `${baseUrl}/v3/moderation/check`;
const judge = `${baseUrl}/v3/moderation/messages`;

const words10k = makeWords(10_000);
const bodies = bodiesFile(words10k, 'bodies.jsonl');
await putWords(words10k);
post(check, bodies);
const [checks, bares, judges] = inTurns([() => post(check, bodies), () => post(bare.url, bodies), () => post(judge, bodies)]);

const words1m = makeWords(1_000_000);
const bodies1m = bodiesFile(words1m, 'bodies-1m.jsonl');
const upload = await putWords(words1m);
post(check, bodies1m);
const [checks1m, bares1m] = inTurns([() => post(check, bodies1m), () => post(bare.url, bodies1m)]);

say('| with auth, limits, log line, metrics, schemas | requests/s | p99 | ratio | budget |');
say('|---|---|---|---|---|');
const row = (name, runs, what, value, budget) =>
  say(`| ${name} | ${round(middle(runs).perSecond)} | ${round(middle(runs).p99, 1)} ms | ${what} **${round(value, 2)}** | ${budget} |`);
row('bare node:http, the same bytes read and answered', bares, '', 1, '');
row('check, 25 rules, 10,000 keywords', checks, 'of bare', ratio(checks, bares), 'at least 0.4');
const at10k = ratio(checks, bares);
const at1m = ratio(checks1m, bares1m);
row('check, 25 rules, 1,000,000 keywords', checks1m, 'times slower than with 10,000', at10k / at1m, 'at most 1.2');
row('messages, 1 % blocked and stored durably', judges, 'of check', ratio(judges, checks), 'at least 0.8');
say('');
say(`A list of 1,000,000 entries is uploaded, stored, compiled and acting after ${round(upload / 1000, 1)} s.`);

await putWords(makeWords(100_000));
const change = await measureChange(baseUrl, apikey);
say('');
say(
  `A rule change in an app with 100,000 keywords acts after ${round(change.actsMs)} ms (median of ${change.rounds}; budget 1,000 ms). The slowest other request during a change took ${round(change.duringMs, 1)} ms, without one ${round(change.withoutMs, 1)} ms (medians of the slowest of each round): **${round(change.duringMs - change.withoutMs, 1)} ms** more (budget 10 ms).`,
);

bare.stop();
await service.stop();
rmSync(folder, { recursive: true, force: true });
writeSection('Moderation', ['`npm run bench:moderation`: messages of 20 to 500 characters, 1 % hits, one wrk thread with 64 connections beside the service on two cores, ours and the peer in turns, medians.', '', ...lines]);
