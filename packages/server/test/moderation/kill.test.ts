import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { pollMs } from '../../src/store/sqlite.ts';
import { stores } from '../gatehouse.ts';
import { createDatabase } from '../postgres-cluster.ts';

const main = join(import.meta.dirname, '../../dist/cli/main.js');

interface Served {
  child: ChildProcess;
  url: string;
  apikey: string;
}

describe.each(stores)('a process that is killed while it judges, on %s', (store) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-kill-'));
  let database: Awaited<ReturnType<typeof createDatabase>> | undefined;
  beforeAll(async () => {
    database = store === 'postgres' ? await createDatabase(inject('clusterUrl')) : undefined;
  });
  afterAll(async () => {
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  let apikey = '';
  const serve = async (): Promise<Served> => {
    const child = spawn(process.execPath, [main, 'serve', '--json', '--port', '0', '--data', folder], {
      env: { ...process.env, ...(database && { DATABASE_URL: database.url }) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = await once(child.stdout, 'data');
    const summary = JSON.parse(String(line)) as { baseUrl: string; apiKeys?: { fullAccess: string } };
    // The keys are shown once, on the first start.
    apikey = summary.apiKeys?.fullAccess ?? apikey;
    return { child, url: summary.baseUrl, apikey };
  };

  it('has every answered block in its log, in several rounds', async () => {
    const answered = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const { child, url } = await serve();
      const stop = { now: false };
      const judge = async (worker: number): Promise<void> => {
        for (let i = 0; !stop.now; i++) {
          const id = `r${round}-w${worker}-${i}`;
          const text = i % 3 === 0 ? 'hello' : 'what the fuck';
          const message = { id, sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } };
          try {
            const response = await fetch(`${url}/v3/moderation/messages`, {
              method: 'POST',
              headers: { apikey, 'content-type': 'application/json' },
              body: JSON.stringify(message),
            });
            const { data } = (await response.json()) as { data: { verdict: string } };
            if (data.verdict === 'block') answered.add(id);
          } catch {
            return;
          }
        }
      };
      const workers = Array.from({ length: 16 }, (_, worker) => judge(worker));
      while (answered.size < (round + 1) * 40) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill('SIGKILL');
      await once(child, 'exit');
      stop.now = true;
      await Promise.all(workers);
    }
    const { child, url } = await serve();
    const logged = new Set<string>();
    for (let cursor = ''; ; ) {
      const response = await fetch(`${url}/v3/moderation/blocked-messages?limit=1000${cursor}`, {
        headers: { apikey },
      });
      const { data, meta } = (await response.json()) as {
        data: { message: { id: string } }[];
        meta: { next?: { cursor: string } };
      };
      for (const { message } of data) logged.add(message.id);
      if (meta.next === undefined) break;
      cursor = `&cursor=${meta.next.cursor}`;
    }
    expect([...answered].filter((id) => !logged.has(id))).toEqual([]);
    expect(answered.size).toBeGreaterThanOrEqual(80);
    child.kill('SIGTERM');
    await once(child, 'exit');
  }, 180_000);

  it('passes a rule change on to another process on the same store: at once, or as often as the store is looked at', async () => {
    expect(pollMs).toBeLessThanOrEqual(500);
    const [one, two] = [await serve(), await serve()];
    const ask = async (url: string, path: string, body: object) => {
      const response = await fetch(`${url}/v3/moderation${path}`, {
        method: 'POST',
        headers: { apikey, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { data: { verdict: string } };
    };
    const message = { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text: 'a zorblax' } };
    const verdict = async (url: string) => (await ask(url, '/check', message)).data.verdict;
    expect(await verdict(two.url)).toBe('allow');
    await ask(one.url, '/rules', {
      id: 'spreads',
      name: 'Spreads',
      action: ['blockMessage'],
      conditions: [{ operand: 'text', category: 'word', value: ['zorblax'] }],
    });
    expect(await verdict(one.url)).toBe('block');
    let asked = 0;
    while ((await verdict(two.url)) === 'allow' && asked++ < 200)
      await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await verdict(two.url)).toBe('block');
    for (const { child } of [one, two]) {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  }, 60_000);
});
