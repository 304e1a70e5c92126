import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CustomApi } from '../../src/moderation/custom-api.ts';
import type { EvidenceRequest } from '../../src/moderation/evidence.ts';
import { GatheredEvidence } from '../../src/moderation/gather-evidence.ts';
import { SettingsOfApps } from '../../src/moderation/settings.ts';
import { rotateMasterKey } from '../../src/rotate-master-key.ts';
import { Outside } from '../../src/webhooks/outside.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';
import { noMedia } from './no-media.ts';

const json = (body: unknown, status = 200) => answer(status, JSON.stringify(body));
const yes = { isMatchingCondition: true, confidence: 0.9, reason: 'A threat.' };

describe.each(stores)('custom-api conditions on %s', (store) => {
  let gatehouse: Gatehouse;
  let receiver: Receiver;
  let outside: Outside;
  let evidence: GatheredEvidence;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;

  beforeAll(async () => {
    receiver = await startReceiver();
    gatehouse = await startGatehouse(store, { GATEHOUSE_PRIVATE_HOSTS: receiver.host });
    outside = new Outside([receiver.host]);
    await gatehouse.asApp('/v3/moderation/settings', {
      method: 'PATCH',
      body: { customApi: { url: `${receiver.url}/judge`, secret, contextMessages: 2 } },
    });
  });
  afterAll(async () => {
    outside.close();
    await gatehouse.close();
    await receiver.close();
  });
  beforeEach(() => {
    receiver.received.length = 0;
    receiver.behave(json(yes));
    evidence = newEvidence();
  });

  const newEvidence = (concurrency = 4): GatheredEvidence => {
    const { store: opened, keyring, events } = gatehouse.app;
    const settings = new SettingsOfApps(opened, keyring, outside);
    const customApi = new CustomApi(settings, outside, events, { concurrency });
    return new GatheredEvidence(settings, customApi, noMedia, events);
  };
  const request = (value: string[] = ['threats'], appId = gatehouse.appId): EvidenceRequest => ({
    appId,
    message: { id: 'm1', sender: 'ann', receiver: 'bob', receiverType: 'user', data: { text: 'I will find you' } },
    outside: [{ ruleId: 'r', conditionId: 1, operand: 'text', category: 'custom-api', value }],
    media: [],
    context: async (max) =>
      [
        { uid: 'ann', text: 'hi' },
        { uid: 'bob', text: 'hello' },
      ].slice(0, max),
  });

  it('ask with the conversation and the message, signed, and match on yes', async () => {
    const found = await evidence.gather(request());
    expect(found.outside).toEqual([{ ruleId: 'r', conditionId: 1, reason: 'A threat.' }]);
    expect(found.failures).toEqual([]);
    const [got] = receiver.received;
    expect(got && new Webhook(secret).verify(got.body, got.headers)).toEqual({
      contextMessages: [{ ann: 'hi' }, { bob: 'hello' }, { ann: request().message }],
    });
    expect(got).toMatchObject({ method: 'POST', path: '/judge' });
  });

  it('match only on yes, and above the confidence that the condition asks for', async () => {
    receiver.behave(json({ isMatchingCondition: false, confidence: 1 }));
    expect((await evidence.gather(request())).outside).toEqual([]);
    receiver.behave(json({ isMatchingCondition: true, confidence: 0.7 }));
    expect((await evidence.gather(request(['confidence_greaterThan_70']))).outside).toEqual([]);
    expect((await evidence.gather(request(['confidence_greaterThan_69.9']))).outside).toHaveLength(1);
    receiver.behave(json({ isMatchingCondition: true, confidence: 0 }));
    expect((await evidence.gather(request())).outside).toHaveLength(1);
  });

  it('are asked once for a message, however many conditions want to know', async () => {
    const asking = request();
    const [condition] = asking.outside;
    if (condition === undefined) throw new Error('no condition');
    const found = await evidence.gather({ ...asking, outside: [condition, { ...condition, ruleId: 's' }] });
    expect(found.outside.map(({ ruleId }) => ruleId)).toEqual(['r', 's']);
    expect(receiver.received.length).toBe(1);
  });

  it('fail, and never match, on any other answer', async () => {
    const answers = [
      json(yes, 201),
      json(yes, 500),
      answer(302, '', { location: '/judge' }),
      answer(200, 'yes'),
      answer(200, ''),
      json([yes]),
      json({ isMatchingCondition: 'true', confidence: 1 }),
      json({ isMatchingCondition: true }),
      json({ isMatchingCondition: true, confidence: 1.5 }),
      json({ isMatchingCondition: true, confidence: -1 }),
      json({ ...yes, padding: 'x'.repeat(70_000) }),
    ];
    for (const behaviour of answers) {
      receiver.behave(behaviour);
      const found = await newEvidence().gather(request());
      expect(found.outside).toEqual([]);
      expect(found.failures).toMatchObject([
        { what: 'custom-api', ruleId: 'r', conditionId: 1, onError: 'approve-message' },
      ]);
      expect(found.failures[0]?.reason).toMatch(/^The custom API .*\.$/);
    }
    expect(receiver.received.length).toBe(answers.length);
  });

  it("follow the app's on-error setting when the service is cut off, slow or gone", async () => {
    receiver.behave((_, response) => void response.socket?.destroy());
    const settingsPath = '/v3/moderation/settings';
    await gatehouse.asApp(settingsPath, { method: 'PATCH', body: { onError: 'drop-message' } });
    const cut = await newEvidence().gather(request());
    expect(cut.failures).toMatchObject([{ reason: 'The connection was cut.', onError: 'drop-message' }]);
    await gatehouse.asApp(settingsPath, { method: 'PATCH', body: { onError: 'approve-message' } });
    receiver.behave(() => {});
    const slow = await newEvidence().gather(request());
    expect(slow.failures[0]?.reason).toMatch(/^No whole answer within \d+ ms\.$/);
    expect(slow.failures[0]?.onError).toBe('approve-message');
  });

  it('leave a service alone that fails again and again, and notice when it is well', async () => {
    receiver.behave((_, response) => void response.socket?.destroy());
    for (let i = 0; i < 5; i++) await evidence.gather(request());
    const calls = receiver.received.length;
    receiver.behave(json(yes));
    const left = await evidence.gather(request());
    expect(left.failures[0]?.reason).toContain('left alone');
    expect(receiver.received.length).toBe(calls);
    expect(gatehouse.logs()).toContain('custom api left alone');
    await expect
      .poll(async () => (await evidence.gather(request())).outside.length, { timeout: 10_000, interval: 100 })
      .toBe(1);
    expect((await evidence.gather(request())).failures).toEqual([]);
  });

  it('are asked so many at a time, and the rest in turn', async () => {
    let inside = 0;
    let insideMax = 0;
    receiver.behave((got, response) => {
      insideMax = Math.max(insideMax, ++inside);
      setTimeout(() => {
        inside--;
        json(yes)(got, response);
      }, 10);
    });
    const bounded = newEvidence(2);
    const all = await Promise.all(Array.from({ length: 10 }, () => bounded.gather(request())));
    expect(all.flatMap(({ failures }) => failures)).toEqual([]);
    expect(receiver.received.length).toBe(10);
    expect(insideMax).toBe(2);
    const crowd = await Promise.all(Array.from({ length: 30 }, () => bounded.gather(request())));
    const turnedAway = crowd.flatMap(({ failures }) => failures);
    expect(turnedAway).toHaveLength(20);
    expect(turnedAway[0]?.reason).toBe('Too many messages wait for the custom API.');
  });

  it('never reach an address that is private by now, though its name was accepted', async () => {
    const strict = new Outside([]);
    const { store: opened, keyring, events } = gatehouse.app;
    const settings = new SettingsOfApps(opened, keyring, strict);
    const customApi = new CustomApi(settings, strict, events, { concurrency: 1 });
    const found = await new GatheredEvidence(settings, customApi, noMedia, events).gather(request());
    expect(found.failures).toHaveLength(1);
    expect(receiver.received).toEqual([]);
    strict.close();
  });

  it('are signed with the same secret after the master key was rotated', async () => {
    const { store: opened, keyring } = gatehouse.app;
    await rotateMasterKey(opened, keyring, 'test');
    expect((await newEvidence().gather(request())).failures).toEqual([]);
    const [got] = receiver.received;
    expect(got && new Webhook(secret).verify(got.body, got.headers)).toBeTruthy();
  });

  it('say that nothing is configured in an app without a service', async () => {
    const other = await gatehouse.newApp();
    const found = await evidence.gather(request(['x'], other.appId));
    expect(found.failures).toMatchObject([{ what: 'custom-api', reason: expect.stringContaining('No custom API') }]);
  });
});
