/** A Gatehouse whose vendors are simulated: what is sent arrives somewhere, and can be counted. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Simulator, type SimulatorOptions, startSimulator } from '@gatehouse/courier/simulator';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';

export const base = '/v3/notifications/push/v1';

export interface Vendors extends Gatehouse {
  simulator: Simulator;
  addApns(change?: Record<string, unknown>): Promise<void>;
  addFcm(change?: Record<string, unknown>): Promise<void>;
  /** Makes a user with an iPhone and answers its auth token and device token. */
  newIphone(uid: string, platform?: string): Promise<{ authToken: string; token: string }>;
  newAndroid(uid: string): Promise<{ authToken: string; token: string }>;
  send(body: Record<string, unknown>, headers?: Record<string, string>): Promise<string>;
  /** The notification once nothing of it is under way any more. */
  finished(id: string): Promise<Shown>;
  notification(id: string): Promise<Shown>;
}

// biome-ignore lint/suspicious/noExplicitAny: read from the wire; the assertions are the types.
type Shown = any;

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

export function newDeviceToken(): string {
  return randomBytes(32).toString('hex');
}

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

export async function startVendors(
  store: 'sqlite' | 'postgres',
  options: { simulator?: SimulatorOptions; environment?: Record<string, string> } = {},
): Promise<Vendors> {
  const simulator = await startSimulator(options.simulator);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-vendors-'));
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, simulator.ca);
  const gatehouse = await startGatehouse(store, {
    GATEHOUSE_APNS_HOST: simulator.apns.host,
    GATEHOUSE_FCM_HOST: new URL(simulator.fcm.endpoint).host,
    GATEHOUSE_PUSH_CA: caFile,
    GATEHOUSE_PRIVATE_HOSTS: '127.0.0.1,localhost',
    GATEHOUSE_RATE_PER_MINUTE: '0',
    ...options.environment,
  });
  const must = async (answer: ReturnType<Gatehouse['asApp']>, status: number): Promise<Shown> => {
    const { status: got, text, body } = await answer;
    if (got !== status) throw new Error(`expected ${status}, got ${got}: ${text}`);
    return body;
  };
  const { keyId, teamId, bundleId, p8Key } = simulator.apns;
  const register = async (uid: string, platform: string, token: Record<string, string>) => {
    const authToken = await gatehouse.newUser(uid);
    await must(gatehouse.asApp(`${base}/tokens`, { body: { platform, authToken, ...token } }), 200);
    return authToken;
  };
  const notification = async (id: string): Promise<Shown> =>
    (await must(gatehouse.asApp(`${base}/notifications/${id}`), 200)).data;
  return {
    ...gatehouse,
    simulator,
    addApns: (change) =>
      must(
        gatehouse.asApp(`${base}/providers/apns`, {
          body: { providerId: 'apns-main', keyId, teamId, bundleId, p8Key, ...change },
        }),
        200,
      ),
    addFcm: (change) =>
      must(
        gatehouse.asApp(`${base}/providers/fcm`, {
          body: { providerId: 'fcm-main', serviceAccountCreds: simulator.fcm.serviceAccount, ...change },
        }),
        200,
      ),
    newIphone: async (uid, platform = 'apns_ios_device') => {
      const token = newDeviceToken();
      const field = platform.endsWith('voip') ? 'voipToken' : 'deviceToken';
      return { authToken: await register(uid, platform, { [field]: token }), token };
    },
    newAndroid: async (uid) => {
      const token = `android-${randomBytes(40).toString('base64url')}`;
      return { authToken: await register(uid, 'fcm_android', { fcmToken: token }), token };
    },
    send: async (body, headers = {}) =>
      (await must(gatehouse.asApp(`${base}/notifications`, { body, headers }), 202)).data.id,
    notification,
    finished: async (id) => {
      await until(async () => ['finished', 'cancelled'].includes((await notification(id)).state));
      return notification(id);
    },
    close: async () => {
      await gatehouse.close();
      await simulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
