/** Listing every push token takes no more memory however many there are. `npm run soak:tokens` does it with a million. */
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { stores } from '../gatehouse.ts';
import { makePlace, type Place } from '../store/place.ts';
import { type Service, startService } from './service.ts';
import { runSql } from './sql.ts';

const tokens = Number(process.env.TOKENS ?? 50_000);
const addedMbMax = 100;
const path = '/v3/notifications/push/v1/tokens';

/** In MB, of a process of Linux: what it holds now, or the most it held since the last reset. */
function memory(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

/** Counts the records without holding them; stops for a while in the middle, as a slow reader does. */
async function countTokens(url: string, apikey: string): Promise<{ count: number; bytes: number }> {
  const response = await fetch(url + path, { headers: { apikey } });
  expect(response.status).toBe(200);
  let [count, bytes, rest] = [0, 0, ''];
  let hasWaited = false;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    const text = rest + Buffer.from(chunk).toString('latin1');
    count += text.split('"pushToken":').length - 1;
    rest = text.slice(Math.max(text.lastIndexOf('"pushToken":') + 12, text.length - 11));
    if (!hasWaited) await new Promise((resolve) => setTimeout(resolve, 300));
    hasWaited = true;
  }
  return { count, bytes };
}

describe.each(stores)(`listing ${tokens} push tokens on %s`, (dialect) => {
  let place: Place;
  let service: Service | undefined;
  afterEach(async () => {
    await service?.stop('SIGKILL');
    await place.remove();
  });

  it(`streams all of them in less than ${addedMbMax} MB of added memory`, { timeout: 900_000 }, async () => {
    place = await makePlace(dialect);
    service = await startService(place.environment, '--json');
    const { appId, apiKeys } = JSON.parse(service.stdout());
    const numbers = `WITH RECURSIVE seq(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM seq WHERE n < ${tokens})`;
    await runSql(place, [
      `${numbers} INSERT INTO auth_tokens (app_id, auth_token, uid, created_at) SELECT '${appId}', 'user-' || n || '_1', 'user-' || n, 1 FROM seq`,
      `${numbers} INSERT INTO push_tokens (app_id, token_hash, push_token, auth_token, uid, kind, platform, provider_id, created_at, updated_at, last_seen_at)
         SELECT '${appId}', 'hash-' || n, 'device-token-with-a-usual-length-of-some-hundred-and-forty-characters-which-is-what-android-gives-out-to-apps-nowadays-' || n,
         'user-' || n || '_1', 'user-' || n, 'fcm', 'fcm_android', 'fcm-main', 1, 1, 1 FROM seq`,
    ]);
    const { pid } = service.process;
    for (let i = 0; i < 5; i++) {
      const page = await fetch(`${service.url}${path}?limit=1000`, { headers: { apikey: apiKeys.fullAccess } });
      await page.text();
    }
    const before = memory(pid, 'VmRSS');
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const { count, bytes } = await countTokens(service.url, apiKeys.fullAccess);
    const added = memory(pid, 'VmHWM') - before;
    // The demo has two tokens of its own.
    expect(count).toBe(tokens + 2);
    expect(added).toBeLessThan(addedMbMax);
    process.stdout.write(`${dialect}: ${count} tokens, ${Math.round(bytes / 1e6)} MB, ${Math.round(added)} MB added\n`);
  });
});
