import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { keepApproved } from '../../src/moderation/outcomes.ts';
import { type Gatehouse, startGatehouse, stores, type Tenant } from '../gatehouse.ts';

interface Said {
  id: string;
  text: string;
  outcome: string;
}

describe.each(stores)('what was said around a message on %s', (store) => {
  let gatehouse: Gatehouse;
  let tenant: Tenant;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  beforeEach(async () => {
    tenant = await gatehouse.newApp();
  });
  afterAll(() => gatehouse.close());

  const ask = (path: string, method = 'GET', body?: object, headers: Record<string, string> = {}) =>
    gatehouse.ask(`/v3${path}`, { method, headers: { apikey: tenant.fullAccess, ...headers }, ...(body && { body }) });
  let at = 0;
  const say = async (id: string, sender: string, receiver: string, text: string, more: object = {}) => {
    at++;
    const body = { id, sender, receiver, receiverType: 'user', sentAt: 1_700_000_000 + at, data: { text }, ...more };
    expect((await ask('/moderation/messages', 'POST', body)).status).toBe(200);
  };
  const inGroup = { receiverType: 'group' };
  const around = async (id: string, query = '') => (await ask(`/moderation/messages/${id}/around?${query}`)).body.data;
  const idsOf = (said: readonly Said[]) => said.map(({ id }) => id);

  it('shows what two users wrote to each other, oldest first, and nobody else', async () => {
    await say('p-1', 'ada', 'grace', 'Did you see it?');
    await say('p-2', 'grace', 'ada', 'Not yet');
    await say('other-1', 'ada', 'linus', 'Did you see it?');
    await say('p-3', 'ada', 'grace', 'then fuck off');
    await say('other-2', 'grace', 'grace', 'a note to myself');
    await say('other-3', 'ada', 'grace', 'to a group of that name', inGroup);
    await say('p-4', 'grace', 'ada', 'What?');
    const found = await around('p-3');
    expect(idsOf(found.before)).toEqual(['p-1', 'p-2']);
    expect(idsOf(found.after)).toEqual(['p-4']);
    expect(found).toMatchObject({ hasMoreBefore: false, hasMoreAfter: false, deliveredKeptHours: 24 });
    expect(found.before[1]).toEqual({
      id: 'p-2',
      sender: 'grace',
      receiver: 'ada',
      receiverType: 'user',
      type: 'text',
      sentAt: expect.any(Number),
      outcome: 'delivered',
      text: 'Not yet',
      isCut: false,
      attachmentsCount: 0,
    });
  });

  it('shows what everybody wrote to a group, and what became of it', async () => {
    await ask('/moderation/rules', 'POST', {
      id: 'dropper',
      name: 'Dropper',
      action: ['dropMessage'],
      conditions: [{ operand: 'text', category: 'word', value: ['dropword'] }],
    });
    const now = { ...inGroup, sentAt: undefined };
    await say('0-first', 'ada', 'room', 'hello', now);
    await say('1-blocked', 'grace', 'room', 'fuck this', now);
    await say('2-told', 'linus', 'room', 'cheap watches', now);
    await say('3-dropped', 'linus', 'room', 'dropword', now);
    await say('4-middle', 'ken', 'room', 'fuck that', now);
    await say('9-other', 'ken', 'another-room', 'hello', now);
    await ask('/messages/2-told/flagged', 'POST', { reasonId: 'spam' }, { onbehalfof: 'ada' });
    const { before } = await around('4-middle');
    expect(before.map(({ id, outcome, text }: Said) => [id, outcome, text])).toEqual([
      ['0-first', 'delivered', 'hello'],
      ['1-blocked', 'blocked', 'fuck this'],
      ['2-told', 'flagged', 'cheap watches'],
      ['3-dropped', 'dropped', ''],
    ]);
    // The dropped one has a conversation too, though nothing of it is kept.
    expect(idsOf((await around('3-dropped')).after)).toEqual(['4-middle']);
  });

  it('finds a flagged message after it is no longer kept elsewhere', async () => {
    await say('k-1', 'ada', 'grace', 'cheap watches');
    await ask('/messages/k-1/flagged', 'POST', { reasonId: 'spam' }, { onbehalfof: 'grace' });
    await say('k-2', 'ada', 'grace', 'fuck');
    await ask('/moderation/messages/k-1', 'DELETE');
    expect((await around('k-2')).before).toMatchObject([{ id: 'k-1', outcome: 'flagged', text: 'cheap watches' }]);
    expect((await around('k-1')).after).toMatchObject([{ id: 'k-2', outcome: 'blocked' }]);
  });

  it('gives as many on either side as are asked for, the nearest, and says when there are more', async () => {
    for (let i = 0; i < 30; i++) await say(`n-${String(i).padStart(2, '0')}`, 'ada', 'grace', `number ${i}`);
    const standard = await around('n-15');
    expect(idsOf(standard.before)).toEqual(Array.from({ length: 10 }, (_, i) => `n-${String(i + 5).padStart(2, '0')}`));
    expect(standard.after).toHaveLength(10);
    expect(standard).toMatchObject({ hasMoreBefore: true, hasMoreAfter: true });
    const some = await around('n-15', 'before=2&after=0');
    expect(idsOf(some.before)).toEqual(['n-13', 'n-14']);
    expect(some).toMatchObject({ after: [], hasMoreBefore: true, hasMoreAfter: true });
    const all = await around('n-15', 'before=15&after=100');
    expect([all.before.length, all.after.length]).toEqual([15, 14]);
    expect(all).toMatchObject({ hasMoreBefore: false, hasMoreAfter: false });
  });

  it('finds the conversation among thousands of messages of others', async () => {
    await say('far-1', 'ada', 'grace', 'long ago');
    const noise = Array.from({ length: 2500 }, (_, i) => {
      const other = { id: `noise-${i}`, sender: `u${i % 50}`, receiver: 'room', receiverType: 'group' as const };
      return JSON.stringify({ ...other, sentAt: 1_700_000_000 + ++at, data: { text: 'hello' } });
    });
    await gatehouse.app.store.change(keepApproved, {
      approved: [{ appId: tenant.appId, bodies: noise, times: noise.map(() => Date.now()) }],
    });
    await say('far-2', 'grace', 'ada', 'now');
    expect(idsOf((await around('far-2')).before)).toEqual(['far-1']);
    expect(idsOf((await around('far-1')).after)).toEqual(['far-2']);
  });

  it('shows the beginning of a long text, and no half characters', async () => {
    await say('l-1', 'ada', 'grace', `${'x'.repeat(999)}😀 and more`);
    await say('l-2', 'ada', 'grace', 'short', {
      data: { text: 'short', attachments: [{ url: 'https://example.org/1.png' }] },
    });
    await say('l-3', 'ada', 'grace', 'fuck');
    expect((await around('l-3')).before).toMatchObject([
      { text: 'x'.repeat(999), isCut: true },
      { text: 'short', isCut: false, attachmentsCount: 1 },
    ]);
  });

  it('answers 404 for a message that is not here, also when another app has it, and 400 for too many', async () => {
    await say('a-1', 'ada', 'grace', 'hello');
    expect((await ask('/moderation/messages/none/around')).body.error.code).toBe('ERR_MESSAGE_ID_NOT_FOUND');
    expect((await ask('/moderation/messages/a-1/around?before=101')).status).toBe(400);
    expect((await ask('/moderation/messages/a-1/around?beside=1')).status).toBe(400);
    const other = await gatehouse.newApp();
    const theirs = await ask('/moderation/messages/a-1/around', 'GET', undefined, { apikey: other.fullAccess });
    expect(theirs.status).toBe(404);
  });

  it('answers 401 without a key, 403 to a key for auth tokens only, and the account by its own address', async () => {
    await say('r-1', 'ada', 'grace', 'hello');
    const path = '/v3/moderation/messages/r-1/around';
    expect((await gatehouse.ask(path)).status).toBe(401);
    expect((await gatehouse.ask(path, { headers: { apikey: tenant.authOnly } })).status).toBe(403);
    await gatehouse.asManager('/moderation/messages', {
      body: { id: 'm-1', sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text: 'hello' } },
    });
    const asked = await gatehouse.asManager('/moderation/messages/m-1/around');
    expect([asked.status, asked.body.data.before]).toEqual([200, []]);
  });

  it('says that messages let through are not kept, where they are not', async () => {
    const other = await startGatehouse(store, { GATEHOUSE_APPROVED_HOURS: '0', GATEHOUSE_BACKTEST_DAYS: '0' });
    const body = { sender: 'ada', receiver: 'grace', receiverType: 'user' };
    for (const text of ['hello', 'fuck', 'bye'])
      await other.asManager('/moderation/messages', { body: { ...body, id: text, data: { text } } });
    expect((await other.asManager('/moderation/messages/fuck/around')).body.data).toEqual({
      before: [],
      after: [],
      hasMoreBefore: false,
      hasMoreAfter: false,
      deliveredKeptHours: 0,
    });
    await other.close();
  });
});
