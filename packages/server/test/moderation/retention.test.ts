import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepApproved } from '../../src/moderation/outcomes.ts';
import { Retention, removeOld } from '../../src/moderation/retention.ts';
import { stageTerms } from '../../src/moderation/terms.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const dayMs = 86_400_000;
const options = { reviewDays: 90, approvedHours: 24, approvedMax: 1000, backtestDays: 0 };

describe.each(stores)('retention on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  const judge = (text: string, id: string, sentAt?: number) =>
    gatehouse.asApp('/v3/moderation/messages', {
      body: { id, sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text }, ...(sentAt && { sentAt }) },
    });
  const ids = async (query = '') =>
    (await gatehouse.asApp(`/v3/moderation/messages?limit=1000${query}`)).body.data.map(({ id }: { id: string }) => id);
  const round = (more: Partial<typeof options> = {}, at = Date.now()) =>
    new Retention(gatehouse.app.store, gatehouse.app.events, { ...options, ...more }).round(at);

  it('removes approved messages after their hours and the others after their days, however many there are', async () => {
    await Promise.all(Array.from({ length: 600 }, (_, i) => judge('hello', `a-${i}`)));
    await judge('fuck', 'b-1');
    await gatehouse.asApp('/v3/messages/a-1/flagged', { body: { reasonId: 'spam' }, headers: { onbehalfof: 'eve' } });
    expect(await ids()).toHaveLength(601);
    await round();
    expect(await ids()).toHaveLength(601);
    await round({}, Date.now() + 2 * dayMs);
    expect(await ids()).toEqual(['b-1']);
    await round({ reviewDays: 0 }, Date.now() + 1000 * dayMs);
    const queue = async (name: string) => (await gatehouse.asApp(`/v3/moderation/${name}-messages`)).body.data;
    expect([await queue('blocked'), await queue('flagged')].map(({ length }) => length)).toEqual([1, 1]);
    await round({}, Date.now() + 91 * dayMs);
    expect([await ids(), await queue('blocked'), await queue('flagged')]).toEqual([[], [], []]);
  });

  it('keeps approved messages as long as rules are tried on them', async () => {
    await judge('hello', 'c-1');
    await ids();
    await round({ backtestDays: 7 }, Date.now() + 6 * dayMs);
    expect(await ids()).toEqual(['c-1']);
    await round({ backtestDays: 7 }, Date.now() + 8 * dayMs);
    expect(await ids()).toEqual([]);
  });

  it('keeps the newest of too many approved messages', async () => {
    for (let i = 0; i < 20; i++) await judge('hello', `d-${i}`, 1_700_000_000 + i);
    await ids();
    await round({ approvedMax: 5 });
    expect(await ids()).toEqual(['d-15', 'd-16', 'd-17', 'd-18', 'd-19']);
  });

  it('keeps as many approved messages as it may, of one second too, and does not count the blocked ones', async () => {
    await round({ approvedMax: 0 });
    for (let i = 0; i < 10; i++) await judge('hello', `e-${i}`, 1_700_000_000);
    for (let i = 0; i < 6; i++) await judge('fuck', `f-${i}`, 1_700_000_001);
    await ids();
    await round({ approvedMax: 5 });
    expect(await ids('&moderationStatus=approved')).toEqual(['e-5', 'e-6', 'e-7', 'e-8', 'e-9']);
    expect(await ids('&moderationStatus=disapproved')).toHaveLength(6);
    await round({ approvedMax: 0 });
    expect(await ids('&moderationStatus=approved')).toEqual([]);
  });

  it('counts thousands of approved messages in steps', async () => {
    const message = (i: number) => ({
      id: `s-${i}`,
      sender: 'ada',
      receiver: 'grace',
      receiverType: 'user',
      sentAt: i,
    });
    const bodies = Array.from({ length: 4510 }, (_, i) => JSON.stringify(message(10_000 + i)));
    const approved = [{ appId: gatehouse.appId, bodies, times: [] }];
    await gatehouse.app.store.change(keepApproved, { approved });
    await round({ approvedMax: 4500 });
    const left = await gatehouse.app.store.get(
      "SELECT COUNT(*) AS n, MIN(sent_at) AS oldest FROM messages WHERE status = 'approved'",
    );
    expect(left).toEqual({ n: 4500, oldest: 10_010 });
    await round({ approvedMax: 0 });
  });

  it('keeps a message from when it was approved, however long before it was blocked', async () => {
    const message = { id: 'g-1', sender: 'ada', receiver: 'grace', receiverType: 'user', sentAt: 1_700_000_000 };
    const approved = [{ appId: gatehouse.appId, bodies: [JSON.stringify(message)], times: [Date.now() - 3 * dayMs] }];
    await gatehouse.app.store.change(keepApproved, { approved });
    await judge('fuck', 'g-1');
    await gatehouse.asApp('/v3/moderation/blocked-messages/g-1', { method: 'PATCH', body: { status: 'approved' } });
    await round();
    expect(await ids('&moderationStatus=approved')).toEqual(['g-1']);
    await round({}, Date.now() + 2 * dayMs);
    expect(await ids('&moderationStatus=approved')).toEqual([]);
  });

  describe('of flags', () => {
    const flag = (id: string, uid: string) =>
      gatehouse.asApp(`/v3/messages/${id}/flagged`, { body: { reasonId: 'spam' }, headers: { onbehalfof: uid } });
    const flagged = async () =>
      (await gatehouse.asApp('/v3/moderation/flagged-messages')).body.data.map(
        (entry: { id: string; flaggedCount: number; flaggedBy: object[] }) => [
          entry.id,
          entry.flaggedCount,
          entry.flaggedBy.length,
        ],
      );
    const aMoment = () => new Promise((resolve) => setTimeout(resolve, 5));

    it('keeps an entry for its days after the newest reporter', async () => {
      await judge('hello', 'h-1');
      await flag('h-1', 'linus');
      await aMoment();
      const between = Date.now();
      await aMoment();
      await flag('h-1', 'alan');
      await round({}, between + options.reviewDays * dayMs);
      expect(await flagged()).toEqual([['h-1', 2, 2]]);
      await round({}, Date.now() + 91 * dayMs);
    });

    it('opens an entry again that was removed before the flags in it', async () => {
      await judge('hello', 'h-2');
      await flag('h-2', 'linus');
      const removeEntries = () =>
        gatehouse.app.store.change(removeOld, { what: 'entries', before: Date.now() + dayMs });
      await removeEntries();
      await flag('h-2', 'linus');
      expect(await flagged()).toEqual([['h-2', 1, 1]]);
      await removeEntries();
      await flag('h-2', 'alan');
      expect(await flagged()).toEqual([['h-2', 2, 2]]);
      await flag('h-2', 'grace');
      expect(await flagged()).toEqual([['h-2', 3, 3]]);
    });
  });

  it('sweeps up uploads that were cut off and leaves lists alone', async () => {
    await gatehouse.asApp('/v3/moderation/keywords', { body: { id: 'stays', searchTerms: ['a'] } });
    const place = { appId: gatehouse.appId, listId: 'cut-off', upload: 'u1' };
    await gatehouse.app.store.change(stageTerms, { place, chunks: ['x\ny'], position: 0 });
    await round({}, Date.now() + 2 * 3_600_000);
    const chunks = await gatehouse.app.store.all<{ list_id: string }>('SELECT list_id FROM keyword_chunks');
    expect(chunks).toEqual([{ list_id: 'stays' }]);
  });
});
