/** npm run bench:api: what auth, limits, metrics, log line, schema and store cost, as a ratio to a server that has none of them. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { best, installWrk, median, round, wrk } from '../load.mjs';
import { writeSection } from '../results.mjs';
import { apnsProvider, fillTokens, startBare, startService } from './service.mjs';

const turns = Number(process.env.TURNS ?? 8);
const seconds = Number(process.env.SECONDS ?? 4);
const many = Number(process.env.TOKENS ?? 1_000_000);
installWrk();
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
const lines = [];
const say = (line) => {
  lines.push(line);
  console.log(line);
};

async function prepare(count) {
  const data = join(folder, `store-${count}`);
  const first = await startService(data);
  await first.stop();
  await fillTokens(data, first.summary.appId, count);
  return { data, ...first.summary };
}

async function compare(name, url, headers) {
  const response = await fetch(url, { headers });
  const text = await response.text();
  const file = join(folder, 'answer.json');
  // Date and connection headers are node:http's own, there and here.
  const own = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);
  writeFileSync(
    file,
    JSON.stringify({
      headers: Object.fromEntries([...response.headers].filter(([name]) => !own.has(name))),
      body: text,
    }),
  );
  const bare = await startBare(file);
  const [ours, theirs] = [[], []];
  for (let turn = 0; turn < turns; turn++) {
    theirs.push(wrk(bare.url, { headers, seconds }));
    ours.push(wrk(url, { headers, seconds }));
  }
  bare.stop();
  const [a, b] = [best(ours), best(theirs)];
  say(
    `| ${name} (${round(text.length)} bytes) | ${round(a.perSecond)} | ${round(b.perSecond)} | **${round(a.perSecond / b.perSecond, 2)}** | ${round(median(ours.map(({ p99 }) => p99)), 2)} ms | ${round(median(theirs.map(({ p99 }) => p99)), 2)} ms |`,
  );
}

const small = await prepare(1000);
const large = await prepare(many);
const service = await startService(large.data);
const url = service.summary.baseUrl;
const key = { key: large.key, secret: large.secret };
const apikey = { apikey: large.apiKeys.fullAccess };
const tokensOf = (base, n) => `${base}/v3/notifications/push/v1/tokens?authToken=owner${n}_1767225600000abcdef`;

say('| operation, everything on | ours/s | bare node:http/s | ratio | our p99 | bare p99 |');
say('|---|---|---|---|---|---|');
await compare('list rules, 8 rules', `${url}/apps/${large.appId}/moderation/rules`, key);
await compare(`list 5 tokens of an auth token out of ${round(many)}`, tokensOf(url, 77), apikey);

const smallService = await startService(small.data);
const smallRuns = [];
const manyRuns = [];
for (let turn = 0; turn < turns; turn++) {
  smallRuns.push(
    wrk(tokensOf(smallService.summary.baseUrl, 77), { headers: { apikey: small.apiKeys.fullAccess }, seconds }),
  );
  manyRuns.push(wrk(tokensOf(url, 77), { headers: apikey, seconds }));
}
await smallService.stop();
say('');
say(
  `Reads at ${round(many)} rows take ${round(best(smallRuns).perSecond / best(manyRuns).perSecond, 2)} of the time at 1,000 rows.`,
);

await fetch(`${url}/v3/notifications/push/v1/providers/apns`, {
  method: 'POST',
  headers: { ...apikey, 'content-type': 'application/json' },
  body: JSON.stringify(apnsProvider()),
});
await service.loopDelay();
const registered = [];
const delays = [];
for (let turn = 0; turn < turns; turn++) {
  registered.push(
    wrk(url, {
      headers: { ...apikey, 'content-type': 'application/json' },
      seconds,
      script: join(import.meta.dirname, 'register.lua'),
    }),
  );
  delays.push(await service.loopDelay());
}
const register = best(registered);
say(
  `Registering tokens, durable, 64 callers, embedded: ${round(register.perSecond)}/s, p99 ${round(median(registered.map(({ p99 }) => p99)), 1)} ms; event loop held up p99 ${round(Math.min(...delays.map(({ p99 }) => p99)), 1)} ms (resolution 1 ms).`,
);
await service.stop();

const starts = [];
for (let turn = 0; turn < 5; turn++) {
  const again = await startService(large.data);
  starts.push(again.readyMs);
  await again.stop();
}
say(
  `From \`gatehouse serve\` to ready on that store: ${round(Math.min(...starts))} ms (best of 5), ${round(Math.max(...starts))} ms (worst).`,
);
rmSync(folder, { recursive: true });
writeSection('API', [
  `\`npm run bench:api\`: wrk with 64 connections on one core, the service on the other, everything on (auth, limits, log line, metrics); the bare server answers the same bytes with the same headers and runs with the same flags of Node. Best of ${turns} runs of ${seconds} s, ours and the peer's in turns, p99 their median; the embedded store.`,
  '',
  ...lines,
]);
