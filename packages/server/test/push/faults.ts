/** The faults that a broadcast must survive. A few rounds in `npm test`, many in `npm run fault:push`. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, startSimulator } from '@gatehouse/courier/simulator';
import { type Service, startService } from './service.ts';
import { newDeviceToken } from './vendors.ts';

const program = join(import.meta.dirname, '../../dist/cli/main.js');

export interface Storm {
  simulator: Simulator;
  folder: string;
  environment: Record<string, string>;
  tokens: string[];
  appId: string;
  apiKey: string;
  start(): Promise<Service>;
  call(service: Service, path: string, body?: unknown): Promise<Answer>;
  broadcast(service: Service): Promise<string>;
  /** Waits until the notification is finished, asking whichever service `current` answers with. */
  finished(current: () => Service, id: string): Promise<Answer>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: read from the wire; the assertions are the types.
type Answer = any;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A service with `count` devices of one provider, in processes that can be killed. */
export async function makeStorm(count: number, more: Record<string, string> = {}): Promise<Storm> {
  const simulator = await startSimulator({ keepLatest: 0, faults: { latencyMs: 2 } });
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-storm-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, simulator.ca);
  const environment = {
    GATEHOUSE_DATA: folder,
    GATEHOUSE_APNS_HOST: simulator.apns.host,
    GATEHOUSE_PUSH_CA: caFile,
    GATEHOUSE_LEASE_SECONDS: '2',
    ...more,
  };
  const start = (): Promise<Service> => startService(environment);
  const service = await start();
  const { appId, apiKeys } = service.first ?? { appId: '', apiKeys: { fullAccess: '' } };
  const call: Storm['call'] = async (to, path, body) => {
    const answer = await fetch(`${to.url}/v3/notifications/push/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { apikey: apiKeys.fullAccess, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${text}`);
    return JSON.parse(text).data;
  };
  const { keyId, teamId, bundleId, p8Key } = simulator.apns;
  await call(service, '/providers/apns', { providerId: 'apns-storm', keyId, teamId, bundleId, p8Key });
  await service.stop();
  const tokens = Array.from({ length: count }, newDeviceToken);
  const file = join(folder, 'tokens.jsonl');
  writeFileSync(
    file,
    tokens
      .map((pushToken, i) =>
        JSON.stringify({ uid: `u${i}`, platform: 'apns_ios_device', pushToken, providerId: 'apns-storm' }),
      )
      .join('\n'),
  );
  execFileSync(process.execPath, [program, 'tokens', 'import', appId, file], {
    env: { ...process.env, ...environment },
    stdio: 'pipe',
  });
  return {
    simulator,
    folder,
    environment,
    tokens,
    appId,
    apiKey: apiKeys.fullAccess,
    start,
    call,
    broadcast: async (to) => (await call(to, '/notifications', { to: { all: true }, title: 'storm' })).id,
    finished: async (current, id) => {
      for (;;) {
        const state = await call(current(), `/notifications/${id}`).catch(() => undefined);
        if (state?.state === 'finished') return state;
        await sleep(100);
      }
    },
    close: async () => {
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface KillReport {
  kills: number;
  broadcasts: number;
  sent: number;
  accepted: number;
  duplicated: number;
  missing: number;
  strange: number;
}

/** Kills the service at random moments of a broadcast (and of another, until it was killed often enough), and looks at what the vendor got. */
export async function killStorm(storm: Storm, kills: number, everyMs: () => number): Promise<KillReport> {
  storm.simulator.apns.records.clear();
  let service = await storm.start();
  let killed = 0;
  let broadcasts = 0;
  const total = { sent: 0, failed: 0 };
  while (killed < kills) {
    let isDone = false;
    broadcasts++;
    const done = storm
      .finished(() => service, await storm.broadcast(service))
      .then(({ counts }) => {
        total.sent += counts.sent;
        total.failed += counts.failed;
        isDone = true;
      });
    while (killed < kills && !isDone) {
      await sleep(everyMs());
      if (isDone) break;
      await service.kill();
      killed++;
      service = await storm.start();
    }
    await done;
  }
  await service.stop();
  const { records } = storm.simulator.apns;
  const ids = [...records.acceptedIds()];
  const { accepted, duplicated } = records.counts();
  return {
    kills: killed,
    broadcasts,
    sent: total.sent,
    accepted,
    duplicated,
    // Every token has its own id in each broadcast, the same however often it is sent to.
    missing: storm.tokens.length * broadcasts - ids.length,
    // The demo has two devices whose providers nobody added.
    strange: total.failed - 2 * broadcasts,
  };
}
