// A million pushes waiting in one sender whose provider does not answer.
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:net';
import { createApnsSender } from '../../packages/courier/dist/index.js';

const server = createServer(() => undefined);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const p8Key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const sender = createApnsSender({
  keyId: 'KEY',
  teamId: 'TEAM',
  bundleId: 'com.example',
  p8Key,
  production: false,
  host: `127.0.0.1:${server.address().port}`,
  queueMax: 1_000_000,
  timeoutMs: 600_000,
});
const message = sender.prepare({ title: 'New message', body: 'Hello there' });
const before = process.memoryUsage().rss;
let taken = 0;
const done = () => undefined;
while (sender.send(taken.toString(16).padStart(64, '0'), message, taken, done)) {
  taken++;
  if (taken % 50_000 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}
await new Promise((resolve) => setTimeout(resolve, 500));
const after = process.memoryUsage().rss;
console.log(
  JSON.stringify({ queued: taken, rssMb: Math.round(after / 1e6), growthMb: Math.round((after - before) / 1e6) }),
);
process.exit(0);
