// npm run bench:push -- [--tokens 1000000] [--seconds 10] [--vendor simulator|nghttpd] [--store embedded|postgres|both] [--singles-only]
// From the HTTP call to the vendor's answer settled in the store; the vendor and the load run on the same machine.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installWrk, round, wrk } from '../load.mjs';
import { writeSection } from '../results.mjs';
import { startPostgres } from './postgres.mjs';
import { quantile, sleep, startService, startVendor, writeTokens } from './service.mjs';

const { values: options } = parseArgs({
  options: {
    tokens: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    vendor: { type: 'string', default: 'simulator' },
    store: { type: 'string', default: 'both' },
    // While working on them: nothing else is measured, and nothing written to the results.
    'singles-only': { type: 'boolean', default: false },
  },
});
const count = Number(options.tokens);
const seconds = Number(options.seconds);
const isWhole = !options['singles-only'];
const api = '/notifications/push/v1';
const lines = [];
const say = (line) => {
  lines.push(line);
  console.log(line);
};
const million = (n) => Number(n).toLocaleString('en');

async function broadcast(service) {
  const latencies = [];
  let running = true;
  const probe = (async () => {
    while (running) {
      const began = performance.now();
      await service.call(`${api}/tokens?uid=user-${Math.floor((Math.random() * count) / 2)}`);
      latencies.push(performance.now() - began);
      await sleep(20);
    }
  })();
  const cpu = service.cpuSeconds();
  const began = performance.now();
  const sent = await service.call(`${api}/notifications`, {
    to: { all: true },
    title: 'New message',
    body: 'Hello there, how are you doing today?',
  });
  let state;
  do {
    await sleep(100);
    state = (await service.call(`${api}/notifications/${sent.data.id}`)).data;
  } while (state.state !== 'finished');
  const took = (performance.now() - began) / 1000;
  running = false;
  await probe;
  return {
    perSecond: state.counts.sent / took,
    cpuUs: ((service.cpuSeconds() - cpu) * 1e6) / state.counts.sent,
    p99: quantile(latencies, 0.99),
    counts: state.counts,
  };
}

/** Pushes that have ended, by the service's own metrics. */
async function ended(service) {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return [...text.matchAll(/^gatehouse_pushes_total\{.*\} (\d+)/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
}

/** 64 callers, each waiting for its answer; the time runs until the last push is settled. */
async function singles(service) {
  const before = await ended(service);
  const cpu = service.cpuSeconds();
  const began = performance.now();
  const load = wrk(`${service.url}/v3${api}/notifications`, {
    headers: service.headers,
    seconds,
    script: join(import.meta.dirname, 'singles.lua'),
  });
  const calls = load.requests;
  while ((await ended(service)) < before + 2 * calls) await sleep(20);
  const took = (performance.now() - began) / 1000;
  return { perSecond: calls / took, cpuUs: ((service.cpuSeconds() - cpu) * 1e6) / calls, p50: load.p50, p99: load.p99 };
}

/** One caller now and then, and when the simulated vendor saw the first of the two pushes. */
async function toTheWire(env) {
  const vendor = await startVendor('simulator', 1000);
  const service = await startService(vendor, { env });
  await importTokens(service, 1000);
  const called = [];
  const rounds = 400;
  for (let i = 0; i < rounds + 20; i++) {
    if (i === 20) await vendor.state();
    const at = Date.now();
    await service.call(`${api}/notifications`, { to: { uids: [`user-${i}`] }, title: 'Ada', body: `Message ${i}` });
    if (i >= 20) called.push(at);
    await sleep(15);
  }
  await sleep(500);
  const { latest } = await vendor.state();
  const waits = called.map((at, i) => (latest[2 * i]?.atMs ?? Number.NaN) - at);
  await service.stop();
  vendor.stop();
  return { p50: quantile(waits, 0.5), p99: quantile(waits, 0.99), seen: latest.length };
}

async function importTokens(service, tokens) {
  const file = join(tmpdir(), `gatehouse-bench-tokens-${process.pid}.csv`);
  await writeTokens(file, tokens, 2);
  const began = performance.now();
  service.import(file);
  rmSync(file);
  return (performance.now() - began) / 1000;
}

async function measure(store, env) {
  const vendor = await startVendor(options.vendor);
  const service = await startService(vendor, { env });
  try {
    const imported = await importTokens(service, count);
    say(`| ${store}: import of ${million(count)} tokens | ${round(imported, 1)} s | | |`);
    for (const which of isWhole ? ['first', 'second', 'third'] : []) {
      const run = await broadcast(service);
      say(
        `| ${store}: broadcast to ${million(run.counts.sent)}, ${which} | ${round(run.perSecond)} pushes/s | ${round(run.cpuUs, 1)} us a push | others wait p99 ${round(run.p99, 1)} ms; peak memory ${round(service.memoryMb())} MB |`,
      );
    }
    for (const which of ['first', 'second', 'third']) {
      const run = await singles(service);
      say(
        `| ${store}: single pushes, two devices, 64 callers, ${which} | ${round(run.perSecond)} calls/s | ${round(run.cpuUs)} us a call | answered in ${round(run.p50, 1)} ms (median), p99 ${round(run.p99, 1)} ms |`,
      );
    }
    if (isWhole) tellPeer(peer(vendor, service));
  } finally {
    await service.stop();
    vendor.stop();
  }
}

/** The comparison of the same run: a loop with a list in memory, nothing durable. */
function peer(vendor, service) {
  const script = join(import.meta.dirname, 'peer.mjs');
  const total = Math.min(count, 50_000);
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: join(service.data, 'ca.pem') };
  return JSON.parse(
    execFileSync(process.execPath, [script, JSON.stringify([{ apns: vendor.apns }, total])], { env }).toString(),
  );
}

const head = ['| what | rate | processor time of the service | else |', '|---|---|---|---|'];
const method = `\`npm run bench:push\`: from the HTTP call to the vendor's answer settled in the store; the ${options.vendor === 'simulator' ? 'simulator (strict: checks every push)' : options.vendor}, the load and the service on one machine of 2 cores. One run.`;

function tellPeer(theirs) {
  say(
    `| @parse/node-apn, a list in memory, nothing durable | ${round(theirs.perSecond)} pushes/s | ${round(theirs.cpuUs, 1)} us a push | ${million(theirs.sent)} sent |`,
  );
}

installWrk();
if (options.store !== 'postgres') {
  await measure('embedded', {});
  if (isWhole) {
    const wire = await toTheWire({});
    say(`| embedded: a call to the wire | | | median ${round(wire.p50)} ms, p99 ${round(wire.p99)} ms |`);
    writeSection('Push', [method, '', ...head, ...lines.splice(0)]);
  }
}
if (options.store !== 'embedded') {
  const postgres = await startPostgres();
  try {
    await measure('PostgreSQL', { DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
  if (isWhole) writeSection('Push on PostgreSQL', [method, '', ...head, ...lines.splice(0)]);
}
