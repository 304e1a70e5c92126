import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { stores } from '../gatehouse.ts';
import { createDatabase, startCluster } from '../postgres-cluster.ts';
import { killStorm, makeStorm, type Storm, sleep } from './faults.ts';
import type { Service } from './service.ts';

/** `npm run fault:push` asks for 100,000, 20 and 4. */
const tokens = Number(process.env.FAULT_TOKENS ?? 3000);
const kills = Number(process.env.FAULT_KILLS ?? 2);
const processes = Number(process.env.FAULT_PROCESSES ?? 2);
const timeoutMs = 60_000 + kills * 30_000;
/** How many pushes a process has in hand at most: what may be sent twice when it dies. */
const inHandMax = 8000;

let storm: Storm | undefined;
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await storm?.close();
  for (const close of closers.splice(0)) await close();
});

async function databaseFor(store: string): Promise<Record<string, string>> {
  if (store === 'sqlite') return {};
  const { url, drop } = await createDatabase(inject('clusterUrl'));
  closers.push(drop);
  return { DATABASE_URL: url };
}

describe.each(stores)('a broadcast on %s', (store) => {
  it(
    'reaches every device though the service is killed again and again, and twice only what was in hand',
    async () => {
      storm = await makeStorm(tokens, await databaseFor(store));
      const report = await killStorm(storm, kills, () => 30 + Math.random() * (tokens / 60));
      expect(report).toMatchObject({ missing: 0, strange: 0, kills });
      expect(report.duplicated).toBeLessThanOrEqual(report.kills * inHandMax);
      process.stderr.write(`${store}: ${JSON.stringify(report)}\n`);
    },
    timeoutMs,
  );
});

describe.each(stores)('a service on %s that is stopped in the middle of a broadcast', (store) => {
  it(
    'gives back whom it has not sent to, and nobody gets it twice',
    async () => {
      storm = await makeStorm(3000, await databaseFor(store));
      const { apns } = storm.simulator;
      apns.setFaults({ latencyMs: 300, streams: 30 });
      let service = await storm.start();
      const id = await storm.broadcast(service);
      while (apns.records.counts().accepted < 100) await sleep(10);
      await service.stop();
      expect(apns.records.counts().accepted).toBeLessThan(3000);
      apns.setFaults({ latencyMs: 2, streams: 1000 });
      service = await storm.start();
      expect((await storm.finished(() => service, id)).counts).toMatchObject({ sent: 3000, queued: 0 });
      expect(apns.records.counts()).toMatchObject({ accepted: 3000, duplicated: 0 });
      await service.stop();
    },
    timeoutMs,
  );

  it(
    'calls the custom provider once for everybody',
    async () => {
      const called: string[] = [];
      let answerAfterMs = 1000;
      const hook = createServer((request, response) => {
        called.push(String(request.headers['webhook-id']));
        setTimeout(() => response.writeHead(200).end(), answerAfterMs);
      });
      await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
      closers.push(async () => void hook.close());
      const { port } = hook.address() as AddressInfo;
      storm = await makeStorm(0, { GATEHOUSE_PRIVATE_HOSTS: '127.0.0.1', ...(await databaseFor(store)) });
      let service = await storm.start();
      await storm.call(service, '/providers/custom', { webhookURL: `http://127.0.0.1:${port}/` });
      const uids = Array.from({ length: 400 }, (_, i) => `user-${i}`);
      const { id } = await storm.call(service, '/notifications', { to: { uids }, title: 'x' });
      while (called.length < 100) await sleep(10);
      await service.stop();
      expect(called.length).toBeLessThan(400);
      answerAfterMs = 0;
      service = await storm.start();
      expect((await storm.finished(() => service, id)).counts).toMatchObject({ sent: 400, queued: 0 });
      expect([called.length, new Set(called).size]).toEqual([400, 400]);
      await service.stop();
    },
    timeoutMs,
  );
});

describe.runIf(stores.includes('postgres'))('a broadcast on several processes and one PostgreSQL', () => {
  it(
    'sends each push once, and what a killed process had is taken over',
    async () => {
      storm = await makeStorm(tokens, await databaseFor('postgres'));
      const current = storm;
      const services = await Promise.all(Array.from({ length: processes }, () => current.start()));
      const [first, second] = services as [Service, Service];
      const calm = await storm.finished(() => first, await storm.broadcast(first));
      expect(calm.counts).toMatchObject({ sent: tokens, queued: 0 });
      expect(storm.simulator.apns.records.counts()).toMatchObject({ accepted: tokens, duplicated: 0 });
      storm.simulator.apns.records.clear();
      const id = await storm.broadcast(first);
      await sleep(100);
      await second.kill();
      await current.finished(() => first, id);
      const { accepted, duplicated } = storm.simulator.apns.records.counts();
      expect(accepted - duplicated).toBe(tokens);
      expect(duplicated).toBeLessThanOrEqual(inHandMax);
      await Promise.all(services.filter((service) => service !== second).map((service) => service.stop()));
    },
    timeoutMs,
  );

  it(
    'goes on when PostgreSQL crashes in the middle and is started again',
    async () => {
      const cluster = await startCluster([]);
      const database = await createDatabase(cluster.url);
      closers.push(database.drop, cluster.stop);
      storm = await makeStorm(tokens, { DATABASE_URL: database.url });
      const service = await storm.start();
      const id = await storm.broadcast(service);
      await sleep(100);
      await (cluster.restart?.() ?? takeAway(database.url, 1500));
      await storm.finished(() => service, id);
      const { accepted, duplicated } = storm.simulator.apns.records.counts();
      expect(accepted - duplicated).toBe(tokens);
      await service.stop();
    },
    timeoutMs,
  );
});

describe('a store that cannot be written', () => {
  const whileUnwritable = async (
    made: Storm,
    service: Service,
    breakIt: () => Promise<void>,
    mendIt: () => Promise<void>,
  ) => {
    const id = await made.broadcast(service);
    await sleep(50);
    await breakIt();
    let refused = 0;
    for (let i = 0; i < 100 && refused === 0; i++) {
      await made.broadcast(service).catch((error: Error) => {
        expect(error.message).toMatch(/503.*ERR_OPERATION_FAILED/);
        refused++;
      });
      await sleep(10);
    }
    expect(refused).toBe(1);
    expect((await fetch(`${service.url}/livez`)).status).toBe(200);
    await mendIt();
    await made.finished(() => service, id);
    const last = await made.finished(() => service, await made.broadcast(service));
    expect(last.counts.sent).toBe(tokens);
    await service.stop();
  };

  it.runIf(stores.includes('sqlite'))(
    'answers 503 while the disk is full, loses nothing, and goes on when there is room again',
    async () => {
      storm = await makeStorm(tokens, {});
      const service = await storm.start();
      const limit = (bytes: string) => {
        execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${bytes}:unlimited`]);
        return Promise.resolve();
      };
      // No file may grow past a page any more: what a full disk does to a write-ahead log.
      await whileUnwritable(
        storm,
        service,
        () => limit('4096'),
        () => limit('unlimited'),
      );
    },
    timeoutMs,
  );

  it.runIf(stores.includes('postgres'))(
    'answers 503 while PostgreSQL is read-only, loses nothing, and goes on when it is not',
    async () => {
      const database = await createDatabase(inject('clusterUrl'));
      closers.push(database.drop);
      storm = await makeStorm(tokens, { DATABASE_URL: database.url });
      const name = new URL(database.url).pathname.slice(1);
      const setReadOnly = (on: boolean) =>
        asAdmin(async (client) => {
          await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${on}`);
          await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
        });
      await whileUnwritable(
        storm,
        await storm.start(),
        () => setReadOnly(true),
        () => setReadOnly(false),
      );
    },
    timeoutMs,
  );
});

async function asAdmin(work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: inject('clusterUrl') });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** What a restart looks like to those who are connected: every connection ends, and for a while none can be made. */
async function takeAway(url: string, ms: number): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await asAdmin(async (client) => {
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await sleep(ms);
    await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  });
}
