// The fault table: what each library says of 10,000 pushes through GOAWAYs, cut sockets and refused streams, beside what the server took.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApnsSender, createFcmSender } from '../../packages/courier/dist/index.js';
import { buildGo, runGo } from './go.mjs';
import { peers } from './peers.mjs';
import { TRIAL_PUSHES, trialToken } from './trial.mjs';

const WINDOW = 300;
/** No answer for this long: lost. The clients' own time-out is 3 s where it can be set. */
const LOST_MS = 6_000;
/** What a client has not even tried by then stays untried. */
const TRIAL_MS = 45_000;
const GO = "Go's net/http";
const here = new URL('.', import.meta.url).pathname;
const isFcm = (name) => name === 'ours, fcm' || name === 'firebase-admin';

/** What a caller does with a retry: send it again under the same id. */
async function sendUntilTold(sender, to, message) {
  const id = crypto.randomUUID();
  for (;;) {
    const outcome = await sender.sendOne(to, message, id);
    if (outcome.kind !== 'retry') return outcome.kind === 'sent';
  }
}

const ours = {
  ours(server) {
    const sender = createApnsSender({ ...server.apns, production: false, ca: server.ca });
    const message = sender.prepare({ title: 'New message', body: 'Hello', collapseId: 'c' });
    return { sendTo: (to) => sendUntilTold(sender, to, message) };
  },
  'ours, fcm'(server) {
    const sender = createFcmSender({ ...server.fcm, ca: server.ca, rampMs: 0 });
    const message = sender.prepare({ title: 'New message', body: 'Hello', collapseId: 'c' });
    return { sendTo: (to) => sendUntilTold(sender, to, message) };
  },
};

async function trial(name, go, scratch) {
  const ports = process.getuid?.() === 0 ? { apns: 443 } : {};
  const faults = { latencyMs: 1, jitterMs: 3 };
  const options = { keepLatest: 40_000, seed: 5, ports, faults, trial: { pushes: TRIAL_PUSHES } };
  const child = fork(join(here, 'server.mjs'), [JSON.stringify(options)]);
  const [server] = await once(child, 'message');
  const told = name === GO ? await tellGo(go, scratch, server) : await tell(name, scratch, server);
  child.send('trial');
  const [{ accepted, met }] = await once(child, 'message');
  child.send('stop');
  if (!Array.isArray(told)) return { name, error: 'the process died | | | | | | ' };
  const provider = isFcm(name) ? 'fcm' : 'apns';
  const taken = new Map();
  for (const target of accepted[provider]) taken.set(target, (taken.get(target) ?? 0) + 1);
  const row = { name, met: met[provider], sent: 0, failed: 0, lost: 0, untried: 0, wrong: 0, duplicates: 0 };
  told.forEach((result, i) => {
    const times = taken.get(targetOf(name, i)) ?? 0;
    row[result]++;
    if ((result === 'sent' && times === 0) || (result === 'failed' && times > 0)) row.wrong++;
    if (times > 1) row.duplicates++;
  });
  return row;
}

function targetOf(name, push) {
  return isFcm(name) ? `fcm-${trialToken(push)}` : trialToken(push);
}

function tellGo(go, scratch, server) {
  const tokens = Array.from({ length: TRIAL_PUSHES }, (_, push) => trialToken(push));
  return runGo(go, scratch, server, tokens, 'faults', TRIAL_PUSHES, WINDOW);
}

async function tell(name, scratch, server) {
  const file = join(scratch, 'ca.pem');
  writeFileSync(file, server.ca);
  const worker = fork(join(here, 'faults.mjs'), [name], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: file },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  worker.send(server);
  const [told] = await Promise.race([once(worker, 'message'), once(worker, 'exit').then(() => [undefined])]);
  worker.kill();
  return told;
}

async function work(name) {
  const [server] = await once(process, 'message');
  process.on('uncaughtException', () => undefined);
  const peer = await (ours[name] ?? peers[name])(server);
  const told = Array.from({ length: TRIAL_PUSHES }, () => 'untried');
  const within = (answer) =>
    Promise.race([answer, new Promise((resolve) => setTimeout(resolve, LOST_MS, 'lost').unref())]);
  const word = (ok) => (ok ? 'sent' : 'failed');
  let next = 0;
  const lane = async () => {
    while (next < TRIAL_PUSHES) {
      const push = next++;
      told[push] = 'lost';
      told[push] = await within(peer.sendTo(targetOf(name, push)).then(word, () => 'failed'));
    }
  };
  const batches = async () => {
    for (let first = 0; first < TRIAL_PUSHES; first += WINDOW) {
      const targets = told.slice(first, first + WINDOW).map((_, i) => targetOf(name, first + i));
      told.fill('lost', first, first + WINDOW);
      const oks = await within(peer.sendBatch(targets).catch(() => []));
      if (oks !== 'lost') for (const i of targets.keys()) told[first + i] = word(oks[i]);
    }
  };
  const lanes = peer.sendBatch === undefined ? Array.from({ length: WINDOW }, lane) : [batches()];
  const watchdog = new Promise((resolve) => setTimeout(resolve, TRIAL_MS));
  await Promise.race([Promise.all(lanes), watchdog]);
  process.send(told);
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.exit(0);
}

if (process.argv[2] !== undefined) await work(process.argv[2]);
else {
  const scratch = mkdtempSync(join(tmpdir(), 'courier-'));
  const go = buildGo(scratch);
  const names = ['ours', '@parse/node-apn', 'apns2', ...(go === undefined ? [] : [GO]), 'ours, fcm', 'firebase-admin'];
  const rows = [];
  for (const name of names) {
    rows.push(await trial(name, go, scratch));
    console.error(JSON.stringify(rows.at(-1)));
  }
  rmSync(scratch, { recursive: true });
  console.log(JSON.stringify(rows));
  process.exit(0);
}
