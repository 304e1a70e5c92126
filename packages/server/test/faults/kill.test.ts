/** kill -9 in the middle of a stream of registrations: nothing acknowledged is lost, and the store opens. */
import { describe, expect, it } from 'vitest';
import { type Service, startService } from '../cli/service.ts';
import { apnsProvider } from '../contract/signing-keys.ts';
import { stores } from '../gatehouse.ts';
import { makePlace, type Place, until } from '../store/place.ts';

const kills = 20;
const callers = 8;
const push = '/v3/notifications/push/v1';

interface Ledger {
  apikey: string;
  acknowledged: string[];
  /** Handed to each caller in turn, so that no registration is like another. */
  next: number;
}

async function post(url: string, apikey: string, body: unknown): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { data?: Record<string, unknown> };
  return response.status === 200 ? answer.data : undefined;
}

/** Registers one device after another until the service is gone; writes down what the service said it has. */
async function keepRegistering(service: Service, ledger: Ledger): Promise<void> {
  try {
    for (;;) {
      const n = ledger.next++;
      const deviceToken = n.toString(16).padStart(64, '0');
      const made = await post(`${service.url}/v3/users/user-${n}/auth_tokens`, ledger.apikey, {});
      const registered = await post(`${service.url}${push}/tokens`, ledger.apikey, {
        authToken: made?.authToken,
        deviceToken,
        platform: 'apns_ios_device',
      });
      if (registered?.success === true) ledger.acknowledged.push(deviceToken);
    }
  } catch {
    // The connection was cut: whether this one is kept or not, nobody was told that it is.
  }
}

async function killInTheMiddle(place: Place, ledger: Ledger): Promise<void> {
  const service = await startService({ ...place.environment, GATEHOUSE_LOG_LEVEL: 'silent' }, '--json');
  const summary = JSON.parse(service.stdout());
  if (summary.apiKeys !== undefined) {
    ledger.apikey = summary.apiKeys.fullAccess;
    await post(`${service.url}${push}/providers/apns`, ledger.apikey, apnsProvider('default'));
  }
  const enough = ledger.acknowledged.length + 5 + Math.floor(Math.random() * 20);
  const stream = Promise.all(Array.from({ length: callers }, () => keepRegistering(service, ledger)));
  await until(() => ledger.acknowledged.length >= enough, 120_000);
  expect(await service.stop('SIGKILL')).toBe('SIGKILL');
  await stream;
}

describe('a service killed in the middle of registrations', () => {
  it.concurrent.each(stores)(
    `on %s has everything that it acknowledged, ${kills} times over`,
    async (dialect) => {
      const place = await makePlace(dialect);
      const ledger: Ledger = { apikey: '', acknowledged: [], next: 0 };
      for (let round = 0; round < kills; round++) await killInTheMiddle(place, ledger);

      const store = await place.open();
      const rows = await store.all<{ push_token: string; uid: string }>('SELECT push_token, uid FROM push_tokens');
      const stored = new Set(rows.map(({ push_token }) => push_token));
      expect(ledger.acknowledged.filter((token) => !stored.has(token))).toEqual([]);
      expect(ledger.acknowledged.length).toBeGreaterThanOrEqual(kills * 5);
      // Every token with its audit row and every audit row with its token: no change was cut in two.
      const audited = await store.all<{ target: string }>(
        "SELECT target FROM audit WHERE action = 'registerPushToken'",
      );
      expect(audited.map(({ target }) => target).sort()).toEqual(rows.map(({ uid }) => uid).sort());
      if (dialect === 'sqlite') expect(await store.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
      await store.close();
      await place.remove();
    },
    900_000,
  );
});
