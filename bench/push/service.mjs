// What the push benchmarks run against: a vendor, a service in a process of its own, and the tokens of many users.
import { execFileSync, fork, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createWriteStream, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates } from '../../packages/courier/dist/simulator/index.js';
import { service } from '../program.mjs';

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** `simulator`: strict, counts every push. `nghttpd`: says yes to everything, in C. */
export async function startVendor(kind, keepLatest = 0) {
  if (kind === 'simulator') {
    const child = fork(new URL('./vendor.mjs', import.meta.url), [String(keepLatest)]);
    const ready = await new Promise((resolve) => child.once('message', resolve));
    const ask = (message) =>
      new Promise((resolve) => {
        child.once('message', resolve);
        child.send(message);
      });
    return { ...ready, pid: child.pid, state: () => ask('state'), stop: () => child.send('stop') };
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  const { ca, cert, key } = makeCertificates(['localhost'], ['127.0.0.1']);
  writeFileSync(join(folder, 'cert.pem'), cert);
  writeFileSync(join(folder, 'key.pem'), key);
  const port = await freePort();
  const child = spawn(
    'nghttpd',
    [
      '--echo-upload',
      '-m',
      '1000',
      '-n',
      '1',
      '-a',
      '127.0.0.1',
      String(port),
      join(folder, 'key.pem'),
      join(folder, 'cert.pem'),
    ],
    { stdio: 'ignore' },
  );
  await sleep(500);
  const p8Key = generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const apns = {
    host: `localhost:${port}`,
    keyId: 'SIMKEY0001',
    teamId: 'SIMTEAM001',
    bundleId: 'com.example.chat',
    p8Key,
  };
  return { ca, apns, pid: child.pid, state: async () => undefined, stop: () => child.kill() };
}

/** A service with an app, its key and the vendor as its APNS provider. */
export async function startService(vendor, { flags = [], env: further = {} } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  writeFileSync(join(data, 'ca.pem'), vendor.ca);
  const env = {
    ...process.env,
    GATEHOUSE_DATA: data,
    GATEHOUSE_PORT: '0',
    GATEHOUSE_LOG_LEVEL: 'warn',
    GATEHOUSE_RATE_PER_MINUTE: '0',
    GATEHOUSE_APNS_HOST: vendor.apns.host,
    GATEHOUSE_PUSH_CA: join(data, 'ca.pem'),
    ...further,
  };
  const child = spawn(process.execPath, [...flags, ...service, 'serve', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const summary = await new Promise((resolve) =>
    child.stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) resolve(JSON.parse(text));
    }),
  );
  const url = summary.baseUrl;
  const headers = { apikey: summary.apiKeys.fullAccess, 'content-type': 'application/json' };
  const call = async (path, body, method) => {
    const answer = await fetch(`${url}/v3${path}`, {
      method: method ?? (body ? 'POST' : 'GET'),
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const { host: _host, ...provider } = vendor.apns;
  await call('/notifications/push/v1/providers/apns', { providerId: 'apns-demo', ...provider });
  // The demo's own devices have no vendor here.
  for (const { authToken } of summary.authTokens)
    await call('/notifications/push/v1/tokens?all=true', { authToken }, 'DELETE');
  return {
    url,
    call,
    headers,
    appId: summary.appId,
    pid: child.pid,
    data,
    env,
    memoryMb: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    cpuSeconds: () => {
      // Fields 14 and 15, in hundredths of a second.
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/\(.*\)/, 'x')
        .split(' ');
      return (Number(fields[13]) + Number(fields[14])) / 100;
    },
    import: (file) =>
      execFileSync(process.execPath, [...service, 'tokens', 'import', summary.appId, file, '--json'], {
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      }).toString(),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

/** `devices` tokens a user. */
export async function writeTokens(file, count, devices = 1) {
  const out = createWriteStream(file);
  out.write('uid,platform,pushToken\n');
  for (let i = 0; i < count; i += 1000) {
    let text = '';
    for (let j = i; j < Math.min(count, i + 1000); j++)
      text += `user-${Math.floor(j / devices)},apns_ios_device,${randomBytes(32).toString('hex')}\n`;
    if (!out.write(text)) await new Promise((resolve) => out.once('drain', resolve));
  }
  await new Promise((resolve) => out.end(resolve));
}

export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}
