import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Retention } from '../../src/moderation/retention.ts';
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

  it('sweeps up uploads that were cut off and leaves lists alone', async () => {
    await gatehouse.asApp('/v3/moderation/keywords', { body: { id: 'stays', searchTerms: ['a'] } });
    const place = { appId: gatehouse.appId, listId: 'cut-off', upload: 'u1' };
    await gatehouse.app.store.change(stageTerms, { place, chunks: ['x\ny'], position: 0 });
    await round({}, Date.now() + 2 * 3_600_000);
    const chunks = await gatehouse.app.store.all<{ list_id: string }>('SELECT list_id FROM keyword_chunks');
    expect(chunks).toEqual([{ list_id: 'stays' }]);
  });
});
