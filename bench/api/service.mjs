/** Starts and stops what is measured, and fills its store. */
import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { loadSqlite } from '../../packages/server/dist/store/sqlite-binding.js';
import { flags, service } from '../program.mjs';

const env = { ...process.env, GATEHOUSE_RATE_PER_MINUTE: '1000000000', NODE_ENV: 'production' };

export async function startService(data) {
  const started = performance.now();
  const log = `${data}.log`;
  const child = spawn(
    process.execPath,
    [
      '--import',
      join(import.meta.dirname, 'loop-delay.mjs'),
      ...service,
      'serve',
      '--json',
      '--port',
      '0',
      '--data',
      data,
    ],
    {
      env,
      // The log goes into a file, as it would in production: this process must not take the service's time by reading it.
      // Appended: once it is cut off, a plain write would go on where it was and leave a hole as large as all before.
      stdio: ['ignore', 'pipe', openSync(log, 'a')],
    },
  );
  process.once('exit', () => child.kill('SIGKILL'));
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(readFileSync(log, 'utf8').slice(-20_000)))),
  ]);
  const readyMs = performance.now() - started;
  return {
    summary: JSON.parse(String(line)),
    readyMs,
    async loopDelay() {
      truncateSync(log);
      child.kill('SIGUSR2');
      for (;;) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        const said = /LOOP (.*)\n/.exec(readFileSync(log, 'utf8'));
        if (said?.[1] !== undefined) return JSON.parse(said[1]);
      }
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export async function startBare(bodyFile) {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, 'bare.mjs'), bodyFile], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  return { url: `http://127.0.0.1:${String(line).trim()}`, stop: () => child.kill('SIGKILL') };
}

/** Written straight into the file while nobody serves it: users of five devices each, and bare users to register for. */
export async function fillTokens(data, appId, count) {
  const { DatabaseSync } = await loadSqlite();
  const db = new DatabaseSync(join(data, 'gatehouse.db'));
  db.exec('PRAGMA synchronous = OFF; BEGIN');
  const auth = db.prepare(
    'INSERT OR IGNORE INTO auth_tokens (app_id, auth_token, uid, created_at) VALUES (?, ?, ?, ?)',
  );
  const token = db.prepare(
    `INSERT INTO push_tokens (app_id, token_hash, push_token, auth_token, uid, kind, platform, provider_id, created_at, updated_at, last_seen_at)
     VALUES (?, ?, ?, ?, ?, ?, 'fcm_android', 'fcm-demo', ?, ?, ?)`,
  );
  const now = Date.now();
  // An auth token has one token of each kind, and there are five.
  const kinds = ['fcm', 'apns', 'voip', 'webpush', 'activity'];
  for (let i = 0; i < count; i++) {
    const user = `owner${Math.floor(i / 5)}`;
    const authToken = `${user}_1767225600000abcdef`;
    if (i % 5 === 0) auth.run(appId, authToken, user, now);
    const kind = kinds[i % 5];
    const name = `bench-token-${i}-${'x'.repeat(120)}`;
    const pushToken = kind === 'webpush' ? JSON.stringify({ endpoint: `https://push.example/${name}` }) : name;
    token.run(
      appId,
      createHash('sha256').update(pushToken).digest('base64url'),
      pushToken,
      authToken,
      user,
      kind,
      now,
      now,
      now,
    );
  }
  for (let i = 0; i < 100_000; i++) auth.run(appId, `user${i}_1767225600000abcdef`, `user${i}`, now);
  db.exec('COMMIT');
  db.close();
}

export function apnsProvider() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    providerId: 'bench',
    keyId: 'ABC123DEFG',
    teamId: 'TEAM123456',
    bundleId: 'org.example.chat',
    p8Key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}
