// npm run bench:push -- [--tokens 1000000] [--singles 20000] [--vendor nghttpd|simulator]; with DATABASE_URL on that (empty) PostgreSQL.
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { quantile, sleep, startService, startVendor, writeTokens } from './service.mjs';

const { values: options } = parseArgs({
  options: {
    tokens: { type: 'string', default: '1000000' },
    vendor: { type: 'string', default: 'nghttpd' },
    singles: { type: 'string', default: '20000' },
    profile: { type: 'boolean', default: false },
  },
});
const count = Number(options.tokens);
const round = (n) => Math.round(n).toLocaleString('en');

async function broadcast(service) {
  const latencies = [];
  let running = true;
  const probe = (async () => {
    while (running) {
      const began = performance.now();
      await service.call(`/notifications/push/v1/tokens?uid=user-${Math.floor(Math.random() * count)}`);
      latencies.push(performance.now() - began);
      await sleep(20);
    }
  })();
  const cpu = service.cpuSeconds();
  const began = performance.now();
  const {
    data: { id },
  } = await service.call('/notifications/push/v1/notifications', {
    to: { all: true },
    title: 'New message',
    body: 'Hello there, how are you doing today?',
  });
  let state;
  for (;;) {
    state = (await service.call(`/notifications/push/v1/notifications/${id}`)).data;
    if (state.state === 'finished') break;
    await sleep(100);
  }
  const seconds = (performance.now() - began) / 1000;
  running = false;
  await probe;
  return {
    seconds,
    counts: state.counts,
    p99: quantile(latencies, 0.99),
    perSecond: state.counts.sent / seconds,
    cpuUs: ((service.cpuSeconds() - cpu) * 1e6) / state.counts.sent,
  };
}

/** Many callers at once, each waiting for its answer: how many are taken a second, and until all have arrived. */
async function singles(service, total, callers) {
  let sent = 0;
  const latencies = [];
  const cpu = service.cpuSeconds();
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (sent < total) {
        sent++;
        const at = performance.now();
        await service.call('/notifications/push/v1/notifications', {
          to: { uids: [`user-${sent % 1000}`] },
          title: 'Ada',
          body: `Message ${sent}`,
        });
        latencies.push(performance.now() - at);
      }
    }),
  );
  const accepted = (performance.now() - began) / 1000;
  return {
    cpuUs: ((service.cpuSeconds() - cpu) * 1e6) / total,
    perSecond: total / accepted,
    median: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
  };
}

const vendor = await startVendor(options.vendor);
const service = await startService(vendor, {
  flags: options.profile ? ['--cpu-prof', `--cpu-prof-dir=${join(tmpdir(), 'gatehouse-bench-profile')}`] : [],
});
const file = join(tmpdir(), 'gatehouse-bench-tokens.csv');
await writeTokens(file, count, 2);
const importBegan = performance.now();
service.import(file);
console.log(`import: ${count} tokens in ${((performance.now() - importBegan) / 1000).toFixed(1)} s`);
for (let i = 0; i < 2; i++) {
  const result = await broadcast(service);
  console.log(
    `broadcast: ${round(result.perSecond)} pushes/s (${result.seconds.toFixed(1)} s), ${result.cpuUs.toFixed(1)} us of CPU a push, API p99 ${result.p99.toFixed(1)} ms, peak memory ${round(service.memoryMb())} MB, ${JSON.stringify(result.counts)}`,
  );
}
const single = await singles(service, Number(options.singles), 64);
console.log(
  `singles: ${round(single.perSecond)} calls/s (2 devices each), ${round(single.cpuUs)} us of CPU a call, median ${single.median.toFixed(1)} ms, p99 ${single.p99.toFixed(1)} ms`,
);
const peer = JSON.parse(
  execFileSync(
    process.execPath,
    [new URL('./peer.mjs', import.meta.url).pathname, JSON.stringify([{ apns: vendor.apns }, Math.min(count, 50_000)])],
    { env: { ...process.env, NODE_EXTRA_CA_CERTS: join(service.data, 'ca.pem') } },
  ).toString(),
);
console.log(
  `@parse/node-apn, a list in memory: ${round(peer.perSecond)} pushes/s, ${peer.cpuUs.toFixed(1)} us of CPU a push, ${peer.sent} sent`,
);
await service.stop();
vendor.stop();
