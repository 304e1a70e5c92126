// The fault table: what each library says of 10,000 pushes through GOAWAYs, cut sockets and refused streams, beside what the server took.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApnsSender } from '../../packages/courier/dist/index.js';
import { peers } from './peers.mjs';

const PUSHES = 10_000;
const WINDOW = 300;
/** No answer for this long: lost. The clients' own time-out is 3 s. */
const LOST_MS = 6_000;
/** What a client has not even tried by then stays untried. */
const TRIAL_MS = 45_000;
const here = new URL('.', import.meta.url).pathname;
const token = (i) => i.toString(16).padStart(64, '0');

async function oursAsPeer(server) {
  const sender = createApnsSender({ ...server.apns, production: false, ca: server.ca });
  const message = sender.prepare({ title: 'New message', body: 'Hello', collapseId: 'c' });
  const sendTo = async (to) => {
    const id = crypto.randomUUID();
    for (;;) {
      const outcome = await sender.sendOne(to, message, id);
      // What a caller does with a retry: send it again under the same id.
      if (outcome.kind !== 'retry') return outcome.kind === 'sent';
    }
  };
  return { sendTo, close: () => sender.close() };
}

async function trial(name) {
  const ports = process.getuid?.() === 0 ? { apns: 443 } : {};
  const faults = { latencyMs: 1, jitterMs: 3, goawayEvery: 1_999, cutEvery: 1_850, refusedShare: 0.02 };
  const child = fork(join(here, 'server.mjs'), [JSON.stringify({ keepLatest: 40_000, seed: 5, ports, faults })]);
  const [server] = await once(child, 'message');
  const file = join(mkdtempSync(join(tmpdir(), 'courier-')), 'ca.pem');
  writeFileSync(file, server.ca);
  const worker = fork(join(here, 'faults.mjs'), [name], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  worker.send(server);
  const [told] = await Promise.race([once(worker, 'message'), once(worker, 'exit').then(() => [undefined])]);
  child.send('targets');
  const [{ accepted }] = await once(child, 'message');
  child.send('stop');
  worker.kill();
  if (!Array.isArray(told)) return { name, error: 'the process died | | | | | ' };
  const taken = new Map();
  for (const target of accepted) taken.set(target, (taken.get(target) ?? 0) + 1);
  const row = { name, sent: 0, failed: 0, lost: 0, untried: 0, wrong: 0, duplicates: 0 };
  told.forEach((result, i) => {
    const times = taken.get(token(i)) ?? 0;
    if (result === 'sent') row.sent++;
    else if (result === 'failed') row.failed++;
    else if (result === 'lost') row.lost++;
    else row.untried++;
    if ((result === 'sent' && times === 0) || (result === 'failed' && times > 0)) row.wrong++;
    if (times > 1) row.duplicates++;
  });
  return row;
}

async function work(name) {
  const [server] = await once(process, 'message');
  process.on('uncaughtException', () => undefined);
  const peer = name === 'ours' ? await oursAsPeer(server) : await peers[name](server);
  const told = Array.from({ length: PUSHES }, () => 'untried');
  let next = 0;
  const lane = async () => {
    while (next < PUSHES) {
      const i = next++;
      told[i] = 'lost';
      const answer = await Promise.race([
        peer.sendTo(token(i)).then(
          (ok) => (ok ? 'sent' : 'failed'),
          () => 'failed',
        ),
        new Promise((resolve) => setTimeout(resolve, LOST_MS, 'lost').unref()),
      ]);
      told[i] = answer;
    }
  };
  const watchdog = new Promise((resolve) => setTimeout(resolve, TRIAL_MS));
  await Promise.race([Promise.all(Array.from({ length: WINDOW }, lane)), watchdog]);
  process.send(told);
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.exit(0);
}

if (process.argv[2] !== undefined) await work(process.argv[2]);
else {
  const rows = [];
  for (const name of ['ours', '@parse/node-apn', 'apns2']) rows.push(await trial(name));
  console.log(JSON.stringify(rows));
  process.exit(0);
}
