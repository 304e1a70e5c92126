/** Starts and stops what is measured, and fills its store. */
import { spawn } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { loadSqlite } from '../../packages/server/dist/store/sqlite-binding.js';

const root = join(import.meta.dirname, '../..');
const main = join(root, 'packages/server/dist/cli/main.js');
const env = { ...process.env, GATEHOUSE_RATE_PER_MINUTE: '1000000000', NODE_ENV: 'production' };

export async function startService(data) {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'loop-delay.mjs'), main, 'serve', '--json', '--port', '0', '--data', data],
    {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors = (errors + chunk).slice(-20_000);
  });
  const [line] = await Promise.race([
    once(child.stdout, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(errors))),
  ]);
  const readyMs = performance.now() - started;
  return {
    summary: JSON.parse(String(line)),
    readyMs,
    async loopDelay() {
      errors = '';
      child.kill('SIGUSR2');
      while (!errors.includes('LOOP')) await new Promise((resolve) => setTimeout(resolve, 20));
      return JSON.parse(errors.split('LOOP ')[1].split('\n')[0]);
    },
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

export async function startBare(bodyFile) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.mjs'), bodyFile], {
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
    const pushToken = `bench-token-${i}-${'x'.repeat(120)}`;
    token.run(
      appId,
      createHash('sha256').update(pushToken).digest('base64url'),
      pushToken,
      authToken,
      user,
      kinds[i % 5],
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
