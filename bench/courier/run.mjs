// npm run bench:courier: CPU microseconds a push and pushes/s, ours and its peers, one run, same server, same payload.
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { report } from './report.mjs';

const here = new URL('.', import.meta.url).pathname;
const scratch = mkdtempSync(join(tmpdir(), 'courier-'));
const caFile = join(scratch, 'ca.pem');
const isRoot = process.getuid?.() === 0;

export async function startServer(options) {
  // apns2 knows no port but 443, which only root may open.
  const child = fork(join(here, 'server.mjs'), [
    JSON.stringify({ keepLatest: 0, ports: isRoot ? { apns: 443 } : {}, ...options }),
  ]);
  const [server] = await once(child, 'message');
  writeFileSync(caFile, server.ca);
  const ask = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  return { server, ask, stop: () => child.send('stop') };
}

function measure(server, name, pushes, window, rounds) {
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: caFile };
  const child = spawn(
    process.execPath,
    [join(here, 'client.mjs'), name, String(pushes), String(window), String(rounds)],
    { env },
  );
  child.stdin.end(JSON.stringify(server));
  let out = '';
  let err = '';
  child.stdout.on('data', (part) => (out += part));
  child.stderr.on('data', (part) => (err += part));
  return new Promise((resolve) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(out));
      } catch {
        resolve({ error: err.split('\n').find((line) => line.includes('Error')) ?? 'no answer' });
      }
    });
  });
}

/** h2load in C: the floor. Its connection is refused a second stream before the first answer, as by Apple, so it gets FCM's port, which has no such rule. */
function h2load(server, pushes) {
  if (spawnSync('which', ['h2load']).status !== 0) return { error: 'h2load is not installed (Debian: nghttp2-client)' };
  const data = join(scratch, 'body.json');
  writeFileSync(
    data,
    JSON.stringify({ aps: { alert: { title: 'New message', body: 'Hello there, how are you doing today?' } } }),
  );
  const command = `TIMEFORMAT='%U %S'; time h2load -n ${pushes} -c 1 -m 100 -d ${data} -H 'apns-topic: x' -H 'apns-push-type: alert' ${server.fcm.endpoint}/3/device/${'ab'.repeat(32)} >/dev/null`;
  const start = performance.now();
  const done = spawnSync('bash', ['-c', command], { encoding: 'utf8' });
  const [user = 0, system = 0] = done.stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? [];
  const cpuUs = ((user + system) * 1e6) / pushes;
  return { best: { cpuUs, perSecond: (pushes / (performance.now() - start)) * 1000 }, median: { cpuUs }, bad: 0 };
}

const plan = [
  ['ours', 200_000, 5_000, 3],
  ['ours, a new message a push', 100_000, 5_000, 3],
  ['ours, fcm', 100_000, 5_000, 3],
  ['ours, web push', 2_000, 500, 2],
  ['ours on node:http2', 10_000, 1_000, 2],
  ['node:http2', 10_000, 900, 2],
  ['@parse/node-apn', 10_000, 1_000, 2],
  ['apns2', 5_000, 500, 2],
  ['firebase-admin', 5_000, 500, 2],
  ['web-push', 2_000, 100, 2],
];

const results = new Map();
const { server, stop } = await startServer({});
for (const [name, pushes, window, rounds] of plan) {
  results.set(name, await measure(server, name, pushes, window, rounds));
  console.error(name, JSON.stringify(results.get(name)));
}
results.set('h2load (C, no accounting)', h2load(server, 100_000));
const hasGo = spawnSync('which', ['go']).status === 0;
stop();
const slow = await startServer({ faults: { latencyMs: 50 } });
results.set('50 ms', await measure(slow.server, 'ours', 60_000, 5_000, 2));
slow.stop();
const memory = JSON.parse(
  spawnSync(process.execPath, [join(here, 'memory.mjs')], { encoding: 'utf8' }).stdout || 'null',
);
const faults = JSON.parse(
  spawnSync(process.execPath, [join(here, 'faults.mjs')], { encoding: 'utf8', maxBuffer: 1e8 }).stdout || 'null',
);
rmSync(scratch, { recursive: true });
const section = report(results, { hasGo, memory, faults, load: loadavg()[1].toFixed(1) });
console.log(section);
const file = new URL('../RESULTS.md', import.meta.url).pathname;
let text = '# Results\n';
try {
  text = readFileSync(file, 'utf8');
} catch {
  // The first to write it.
}
const others = text.replace(/\n?## Courier\n[\s\S]*?(?=\n## |$)/, '');
writeFileSync(file, `${others.trimEnd()}\n\n${section}\n`);
