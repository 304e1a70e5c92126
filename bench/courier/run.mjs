// npm run bench:courier: CPU microseconds a push and pushes/s, ours and its peers, one run, same server, same payload.
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerOf, buildGo, runGo } from './go.mjs';
import { startNghttpd } from './nghttpd.mjs';
import { tokens } from './peers.mjs';
import { report } from './report.mjs';

/** Rounds over all clients, one after the other, so that whatever else the machine does falls on all of them. */
const ROUNDS = 3;
const here = new URL('.', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'courier-'));
const caFile = join(scratch, 'ca.pem');
const isRoot = process.getuid?.() === 0;

async function startServer(options) {
  // apns2 knows no port but 443, which only root may open.
  const child = fork(join(here, 'server.mjs'), [
    JSON.stringify({ keepLatest: 0, ports: isRoot ? { apns: 443 } : {}, ...options }),
  ]);
  const [server] = await once(child, 'message');
  const ask = async () => {
    child.send('cpu');
    return (await once(child, 'message'))[0];
  };
  return { server, ask, stop: () => child.send('stop') };
}

function measure(server, name, pushes, window) {
  writeFileSync(caFile, server.ca);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile };
  const child = spawn(process.execPath, [join(here, 'client.mjs'), name, String(pushes), String(window)], { env });
  child.stdin.end(JSON.stringify(server));
  return answerOf(child, (err) => err.split('\n').find((line) => line.includes('Error')));
}

/** h2load in C: the floor. It accounts for nothing and proves no connection first, so it is given nghttpd. */
function h2load(server, pushes) {
  if (spawnSync('which', ['h2load']).status !== 0) return { error: 'h2load is not installed (Debian: nghttp2-client)' };
  const data = join(scratch, 'body.json');
  writeFileSync(
    data,
    JSON.stringify({ aps: { alert: { title: 'New message', body: 'Hello there, how are you doing today?' } } }),
  );
  const url = `https://${server.apns.host}/3/device/${tokens[1]}`;
  const command = `TIMEFORMAT='%U %S'; time h2load -n ${pushes} -c 1 -m 1000 -d ${data} -H 'apns-topic: x' -H 'apns-push-type: alert' ${url} >/dev/null`;
  const start = performance.now();
  const done = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  const [user = 0, system = 0] = done.stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  return { cpuUs: ((user + system) * 1e6) / pushes, perSecond: (pushes / (performance.now() - start)) * 1000, bad: 0 };
}

const { server, ask, stop } = await startServer({});
const go = buildGo(scratch);
const nghttpd = await startNghttpd(scratch, server);
const own = (name, pushes, window) => [name, () => measure(server, name, pushes, window)];
const onNghttpd = (name, run) => [name, nghttpd === undefined ? () => ({ error: 'nghttpd is not installed' }) : run];
/** CPU microseconds a push that the simulator itself used while ours sent. */
const simulatorUs = [];

const plan = [
  [
    'ours',
    async () => {
      await ask();
      const result = await measure(server, 'ours', 200_000, 5_000);
      const { cpuUs, received } = await ask();
      simulatorUs.push(cpuUs / received);
      return result;
    },
  ],
  own('ours, a new message a push', 100_000, 5_000),
  own('ours, fcm', 100_000, 5_000),
  own('ours, web push', 2_000, 500),
  own('ours on node:http2', 10_000, 1_000),
  own('node:http2', 10_000, 900),
  own('@parse/node-apn', 10_000, 1_000),
  own('apns2', 5_000, 500),
  own('firebase-admin', 5_000, 500),
  own('web-push', 2_000, 100),
  [
    "Go's net/http",
    () => (go === undefined ? { error: 'no go here' } : runGo(go, scratch, server, tokens, 'speed', 50_000, 900)),
  ],
  onNghttpd('ours, to nghttpd', () => measure(nghttpd.server, 'ours', 200_000, 5_000)),
  onNghttpd('h2load, to nghttpd (C, no accounting)', () => h2load(nghttpd.server, 200_000)),
];

const rounds = new Map(plan.map(([name]) => [name, []]));
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, run] of plan) {
    const result = await run();
    console.error(round + 1, name, JSON.stringify(result));
    rounds.get(name).push(result);
  }
}
stop();
nghttpd?.stop();

/** Best and median by CPU, or why there is none. A round in which a push failed does not count. */
function summarize(results) {
  const good = results.filter((result) => result.error === undefined && result.bad === 0);
  if (good.length === 0) return { error: results[0]?.error ?? `${results[0]?.bad} pushes failed` };
  const sorted = good.sort((a, b) => a.cpuUs - b.cpuUs);
  return {
    best: sorted[0].cpuUs,
    median: sorted[Math.floor(sorted.length / 2)].cpuUs,
    perSecond: Math.max(...good.map((result) => result.perSecond)),
  };
}

const slow = await startServer({ faults: { latencyMs: 50 } });
const slowResults = [];
for (let round = 0; round < ROUNDS; round++) slowResults.push(await measure(slow.server, 'ours', 60_000, 5_000));
slow.stop();
const memory = JSON.parse(
  spawnSync(process.execPath, [join(here, 'memory.mjs')], { encoding: 'utf8' }).stdout || 'null',
);
const faults = JSON.parse(
  spawnSync(process.execPath, [join(here, 'faults.mjs')], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).stdout || 'null',
);
rmSync(scratch, { recursive: true });

const section = report(new Map([...rounds].map(([name, results]) => [name, summarize(results)])), {
  rounds: ROUNDS,
  simulatorUs: simulatorUs.sort((a, b) => a - b)[Math.floor(simulatorUs.length / 2)],
  slow: summarize(slowResults),
  memory,
  faults,
  load: loadavg()[1].toFixed(1),
});
console.log(section);
const file = new URL('../RESULTS.md', import.meta.url).pathname;
const text = readFileSync(file, 'utf8');
const replaced = text.replace(/## Courier\n[\s\S]*?(?=\n## |$)/, () => section);
writeFileSync(file, replaced === text ? `${text.trimEnd()}\n\n${section}` : replaced);
