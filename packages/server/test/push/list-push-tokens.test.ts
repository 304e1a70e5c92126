import { createECDH } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apnsProvider, fcmProvider } from '../contract/signing-keys.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const base = '/v3/notifications/push/v1';
const path = `${base}/tokens`;

describe.each(stores)('listPushTokens on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  it('answers 200 with an empty list for an app without tokens', async () => {
    const answer = await gatehouse.asApp(path);
    expect(answer.body).toEqual({ data: { pushTokens: [] } });
    expect(answer.status).toBe(200);
    expect((await gatehouse.asApp(`${path}?authToken=${await gatehouse.newUser('ada')}`)).text).toBe(
      '{"data":{"pushTokens":[]}}',
    );
  });

  it('lists the same tokens of an auth token read as one text and as a page, whatever they hold', async () => {
    await gatehouse.asApp(`${base}/providers/apns`, { body: apnsProvider('apns main') });
    await gatehouse.asApp(`${base}/providers/fcm`, { body: fcmProvider('fcm main') });
    await gatehouse.asApp(`${base}/providers/webpush`, {
      body: { providerId: 'web', subject: 'mailto:a@example.org' },
    });
    const token = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map(String.fromCharCode), minLength: 1 });
    const pair = createECDH('prime256v1');
    const key = pair.generateKeys('base64url');
    let n = 0;
    const check = async (device: string, place: string): Promise<void> => {
      const authToken = await gatehouse.newUser(`user-${n++}`);
      const voip = n.toString(16).padStart(64, '0');
      // A step that is only dots would be walked by whoever reads the address.
      const endpoint = `https://push.example.org/at-${encodeURIComponent(place)}/${n}`;
      const sent = [
        { platform: 'fcm_android', fcmToken: `${n}${device}`, providerId: 'fcm main' },
        { platform: 'apns_ios_voip', voipToken: voip, providerId: 'apns main' },
        {
          platform: 'webpush',
          webPushSubscription: { endpoint, keys: { p256dh: key, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } },
          providerId: 'web',
        },
      ];
      for (const body of sent)
        expect((await gatehouse.asApp(path, { body: { ...body, authToken } })).body).toEqual({
          data: { success: true },
        });
      const whole = (await gatehouse.asApp(`${path}?authToken=${authToken}`)).body.data.pushTokens;
      const page = (await gatehouse.asApp(`${path}?authToken=${authToken}&limit=10`)).body.data.pushTokens;
      const byToken = (a: { pushToken: string }, b: { pushToken: string }) => (a.pushToken < b.pushToken ? -1 : 1);
      expect(whole.toSorted(byToken)).toEqual(page.toSorted(byToken));
      expect(whole.map(({ pushToken }: { pushToken: string }) => pushToken).toSorted()).toEqual(
        [`${n}${device}`, voip, endpoint].toSorted(),
      );
    };
    await check('\\"', '"');
    await check('"\\"', '');
    await fc.assert(fc.asyncProperty(token, fc.string(), check), { numRuns: 25 });
  });
});
