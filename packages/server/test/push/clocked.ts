/** A service in a process of its own whose clock a test sets, and vendors who live by the same clock or by the true one. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Simulator, startSimulator } from '@gatehouse/courier/simulator';
import { inject } from 'vitest';
import { createDatabase } from '../postgres-cluster.ts';
import { type Service, startService } from './service.ts';
import { newDeviceToken, until } from './vendors.ts';

// biome-ignore lint/suspicious/noExplicitAny: read from the wire; the assertions are the types.
type Json = any;

export interface Clocked {
  simulator: Simulator;
  /** What the service takes for the time. */
  now(): number;
  /** Sets the clock forward, or back. */
  shift(ms: number): Promise<void>;
  /** Whether the vendors' clock is set with the service's, or stays as it is. */
  takeVendorsAlong(along: boolean): void;
  ask(path: string, body?: unknown, method?: string): Promise<Json>;
  /** What `gatehouse queue --json` prints. */
  queue(): Json;
  metrics(): Promise<string>;
  newDevice(uid: string, platform: 'apns_ios_device' | 'fcm_android', timezone?: string): Promise<string>;
  send(body: Record<string, unknown>): Promise<string>;
  notification(id: string): Promise<Json>;
  finished(id: string): Promise<Json>;
  /** How often the device was sent to, whatever came of it. */
  sentTo(token: string): number;
  service: Service;
  start(): Promise<void>;
  close(): Promise<void>;
}

const push = '/notifications/push/v1';
const program = join(import.meta.dirname, '../../dist/cli/main.js');
const preload = pathToFileURL(join(import.meta.dirname, 'shifted-clock.mjs')).href;

export async function startClocked(store: 'sqlite' | 'postgres', more: Record<string, string> = {}): Promise<Clocked> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clocked-'));
  const database = store === 'postgres' ? await createDatabase(inject('clusterUrl')) : undefined;
  const clockFile = join(folder, 'clock');
  let shifted = 0;
  let vendorsBehind: number | undefined;
  const set = (ms: number): void => {
    shifted = ms;
    writeFileSync(`${clockFile}.new`, String(ms));
    renameSync(`${clockFile}.new`, clockFile);
  };
  set(0);
  const simulator = await startSimulator({
    clock: {
      now: () => performance.now(),
      epochMs: () => Date.now() + (vendorsBehind ?? shifted),
      every: (ms, act) => {
        const timer = setInterval(act, ms).unref();
        return () => clearInterval(timer);
      },
      after: (ms, act) => {
        const timer = setTimeout(act, ms);
        return () => clearTimeout(timer);
      },
    },
  });
  writeFileSync(join(folder, 'ca.pem'), simulator.ca);
  const environment = {
    GATEHOUSE_DATA: folder,
    GATEHOUSE_APNS_HOST: simulator.apns.host,
    GATEHOUSE_FCM_HOST: new URL(simulator.fcm.endpoint).host,
    GATEHOUSE_PUSH_CA: join(folder, 'ca.pem'),
    ...(database && { DATABASE_URL: database.url }),
    NODE_OPTIONS: `--import=${preload}`,
    SHIFTED_CLOCK: clockFile,
    ...more,
  };
  const service = await startService(environment);
  const apikey = service.first?.apiKeys.fullAccess ?? '';
  const clocked: Clocked = {
    simulator,
    service,
    now: () => Date.now() + shifted,
    shift: async (ms) => {
      set(shifted + ms);
      // Both threads of the service have looked by then.
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
    takeVendorsAlong: (along) => {
      vendorsBehind = along ? undefined : shifted;
    },
    ask: async (path, body, method) => {
      const answer = await fetch(`${clocked.service.url}/v3${path}`, {
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        headers: { apikey, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return answer.json();
    },
    queue: () =>
      JSON.parse(
        execFileSync(process.execPath, [program, 'queue', '--json'], {
          env: { ...process.env, ...environment },
        }).toString(),
      ),
    metrics: async () => (await fetch(`${clocked.service.url}/metrics`)).text(),
    newDevice: async (uid, platform, timezone) => {
      const { data } = await clocked.ask(`/users/${uid}/auth_tokens`, {});
      const token = platform === 'fcm_android' ? `android-${newDeviceToken()}` : newDeviceToken();
      const field = platform === 'fcm_android' ? 'fcmToken' : 'deviceToken';
      const body = { platform, [field]: token, authToken: data.authToken, ...(timezone && { timezone }) };
      const answer = await clocked.ask(`${push}/tokens`, body);
      if (answer.error) throw new Error(JSON.stringify(answer));
      return token;
    },
    send: async (body) => {
      const answer = await clocked.ask(`${push}/notifications`, body);
      if (answer.error) throw new Error(JSON.stringify(answer));
      return answer.data.id;
    },
    notification: async (id) => (await clocked.ask(`${push}/notifications/${id}`)).data,
    finished: async (id) => {
      await until(async () => (await clocked.notification(id)).state === 'finished');
      return clocked.notification(id);
    },
    sentTo: (token) =>
      [...simulator.apns.records.latest(), ...simulator.fcm.records.latest()].filter(({ target }) => target === token)
        .length,
    start: async () => {
      clocked.service = await startService(environment);
    },
    close: async () => {
      await clocked.service.stop();
      await simulator.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  const { keyId, teamId, bundleId, p8Key } = simulator.apns;
  await clocked.ask(`${push}/providers/apns`, { providerId: 'apns-main', keyId, teamId, bundleId, p8Key });
  await clocked.ask(`${push}/providers/apns/default/apns-main`, undefined, 'PUT');
  const serviceAccountCreds = simulator.fcm.serviceAccount;
  await clocked.ask(`${push}/providers/fcm`, { providerId: 'fcm-main', serviceAccountCreds });
  await clocked.ask(`${push}/providers/fcm/default/fcm-main`, undefined, 'PUT');
  return clocked;
}
