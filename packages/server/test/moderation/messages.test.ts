import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/moderation/messages';
const message = (text: string, more: object = {}) => ({
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  data: { text },
  ...more,
});
const word = (value: string) => [{ operand: 'text', category: 'word', value: [value], message: [`No ${value}.`] }];

describe.each(stores)('messages on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    for (const [id, action, value] of [
      ['dropper', 'dropMessage', 'dropword'],
      ['flagger', 'flagMessage', 'flagword'],
      ['kicker', 'kick', 'kickword'],
    ] as const)
      await gatehouse.asApp('/v3/moderation/rules', {
        body: { id, name: id, action: [action], conditions: word(value) },
      });
  });
  afterAll(() => gatehouse.close());

  const judge = async (text: string, more: object = {}) =>
    (await gatehouse.asApp(path, { body: message(text, more) })).body.data;
  const get = (id: string) => gatehouse.asApp(`${path}/${id}`);
  const edit = (id: string, data: object, more: object = {}) =>
    gatehouse.asApp(`${path}/${id}`, { method: 'PUT', body: { data, ...more } });
  const blocked = async (query = '') => (await gatehouse.asApp(`/v3/moderation/blocked-messages${query}`)).body.data;

  it('answers 200 with approved and the message as it was sent, and finds it by its id', async () => {
    const sent = message('hello', { id: 'm-1', muid: 'x', tags: ['a'], sentAt: 1_700_000_000, unknownField: 1 });
    const { status, body } = await gatehouse.asApp(path, { body: sent });
    expect(status).toBe(200);
    const { unknownField, ...kept } = sent as typeof sent & { unknownField: number };
    const stands = { ...kept, category: 'message', type: 'text', moderation: { status: 'approved' } };
    expect(body.data).toEqual({ ...stands, verdict: 'allow', actions: [], matches: [], shadow: [] });
    expect((await get('m-1')).body.data).toMatchObject(stands);
  });

  it('answers 200 with disapproved, the rule and the matches for a blocked message, and keeps it for review', async () => {
    const data = await judge('you fucker', { id: 'm-2' });
    expect(data).toMatchObject({
      id: 'm-2',
      moderation: { status: 'disapproved', rule: { id: 'profanity-filter', name: 'Profanity filter' } },
      verdict: 'block',
      actions: ['blockMessage'],
      matches: [{ text: 'fucker', start: 4, end: 10, reason: 'The text holds a profane word.' }],
    });
    expect((await get('m-2')).body.data.moderation).toEqual(data.moderation);
    expect((await blocked())[0]).toMatchObject({
      ruleId: 'profanity-filter',
      ruleName: 'Profanity filter',
      revisionId: `${gatehouse.appId}_profanity-filter_1`,
      condition: { id: 1, category: 'word', value: ['profanity-list'], weight: expect.any(Number) },
      message: { id: 'm-2', sender: 'ada', data: { text: 'you fucker' } },
      action: ['blockMessage'],
      status: 'pending',
      reviewed: false,
    });
  });

  it('keeps only the fact of a dropped message', async () => {
    const data = await judge('secretdetail and dropword', { id: 'm-3' });
    expect(data).toMatchObject({ verdict: 'drop', moderation: { status: 'disapproved', rule: { id: 'dropper' } } });
    expect((await get('m-3')).status).toBe(404);
    const [entry] = await blocked('?ruleId=dropper');
    expect(entry).toMatchObject({ message: { id: 'm-3', sender: 'ada', hash: expect.any(String) }, matches: [] });
    for (const table of ['messages', 'review_entries', 'audit'])
      expect(JSON.stringify(await gatehouse.app.store.all(`SELECT * FROM ${table}`))).not.toContain('secretdetail');
  });

  it('delivers a flagged message and puts it into the flagged queue', async () => {
    expect(await judge('a flagword', { id: 'm-4' })).toMatchObject({
      verdict: 'flag',
      moderation: { status: 'approved', rule: { id: 'flagger' } },
    });
    const { body } = await gatehouse.asApp('/v3/moderation/flagged-messages');
    expect(body.data).toMatchObject([{ id: 'm-4', flaggedBy: [], flaggedCount: 0, ruleId: 'flagger' }]);
  });

  it('hands actions on the sender through to the chat server', async () => {
    expect(await judge('a kickword fuck')).toMatchObject({
      verdict: 'block',
      actions: expect.arrayContaining(['kick']),
    });
    expect(await judge('a kickword')).toMatchObject({ verdict: 'allow', actions: ['kick'] });
  });

  it('leaves the clean version standing when an edit is blocked or dropped', async () => {
    await judge('clean', { id: 'm-5' });
    const refused = await edit('m-5', { text: 'now fuck' });
    expect(refused.body.data).toMatchObject({
      verdict: 'block',
      moderation: { status: 'disapproved', rule: { id: 'profanity-filter' } },
      data: { text: 'clean' },
    });
    expect((await get('m-5')).body.data).toMatchObject({ data: { text: 'clean' }, moderation: { status: 'approved' } });
    expect((await blocked())[0].message).toMatchObject({ id: 'm-5', data: { text: 'now fuck' } });
    await edit('m-5', { text: 'now dropword' });
    expect((await get('m-5')).body.data).toMatchObject({ data: { text: 'clean' }, moderation: { status: 'approved' } });
  });

  it('takes a clean edit, also of a message that was blocked', async () => {
    await judge('clean', { id: 'm-6' });
    expect((await edit('m-6', { text: 'cleaner' })).body.data).toMatchObject({
      verdict: 'allow',
      data: { text: 'cleaner' },
    });
    expect((await get('m-6')).body.data.data).toEqual({ text: 'cleaner' });
    await judge('fuck', { id: 'm-7' });
    await edit('m-7', { text: 'sorry' });
    expect((await get('m-7')).body.data).toMatchObject({ data: { text: 'sorry' }, moderation: { status: 'approved' } });
  });

  it('judges an edit of a message it does not know when told who wrote to whom, and else answers 404', async () => {
    const unknown = await edit('m-unknown', { text: 'fuck' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ERR_MESSAGE_ID_NOT_FOUND']);
    const parties = { sender: 'ada', receiver: 'grace', receiverType: 'user' };
    expect((await edit('m-unknown', { text: 'fuck' }, parties)).body.data).toMatchObject({ verdict: 'block' });
    expect((await get('m-unknown')).status).toBe(404);
  });

  it('lists what fits the filters and pages through it both ways', async () => {
    const other = await startGatehouse(store);
    const say = (i: number) =>
      other.asApp(path, {
        body: message(i % 4 === 0 ? 'fuck' : 'hi', {
          id: `p-${String(i).padStart(2, '0')}`,
          sender: i % 2 ? 'odd' : 'even',
          receiver: 'room',
          receiverType: 'group',
          sentAt: 1_700_000_000 + Math.floor(i / 3),
        }),
      });
    for (let i = 0; i < 25; i++) await say(i);
    const ids = async (query: string) =>
      (await other.asApp(`${path}?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await ids('sender=odd&limit=1000')).toHaveLength(12);
    expect(await ids('receiverGUID=room')).toHaveLength(25);
    expect(await ids('receiverUID=room')).toEqual([]);
    expect(await ids('moderationStatus=disapproved')).toHaveLength(7);
    expect(await ids('category=custom')).toEqual([]);
    for (const affix of ['append', 'prepend']) {
      const seen: string[] = [];
      for (let query = `affix=${affix}&limit=4`; query !== ''; ) {
        const { body } = await other.asApp(`${path}?${query}`);
        seen.push(...body.data.map(({ id }: { id: string }) => id));
        const { next } = body.meta;
        query = next ? `affix=${next.affix}&sentAt=${next.sentAt}&id=${next.id}&limit=4` : '';
      }
      const expected = Array.from({ length: 25 }, (_, i) => `p-${String(i).padStart(2, '0')}`);
      expect(seen).toEqual(affix === 'append' ? expected : expected.reverse());
    }
    expect((await other.asApp(`${path}?id=p-01`)).status).toBe(400);
    await other.close();
  });

  it('forgets a message that is deleted', async () => {
    await judge('bye', { id: 'm-8' });
    expect((await gatehouse.asApp(`${path}/m-8`, { method: 'DELETE' })).body.data).toMatchObject({ id: 'm-8' });
    expect((await get('m-8')).status).toBe(404);
    expect((await gatehouse.asApp(`${path}/m-8`, { method: 'DELETE' })).status).toBe(404);
  });

  it.each([
    ['sender', { ...message('x'), sender: undefined }],
    ['id', message('x', { id: 'with space' })],
    ['id', message('x', { id: '.' })],
    ['id', message('x', { id: '..' })],
    ['id', message('x', { id: '' })],
    ['id', message('x', { id: 'x'.repeat(101) })],
    ['data.attachments', message('x', { data: { attachments: 'no' } })],
    ['sentAt', message('x', { sentAt: 'yesterday' })],
  ])('answers 400 naming %s', async (field, body) => {
    const answer = await gatehouse.asApp(path, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toContain(field);
  });

  it.each(['...', '.a', 'a.', '..a.b', '💬'.repeat(100)])('takes the id %s and answers it again', async (id) => {
    expect(await judge('dotted', { id })).toMatchObject({ id });
    expect((await get(encodeURIComponent(id))).body.data).toMatchObject({ id });
  });

  it("does not show one app's messages to another", async () => {
    const other = await gatehouse.newApp();
    const headers = { apikey: other.fullAccess };
    await judge('mine', { id: 'm-9' });
    expect((await gatehouse.ask(`${path}/m-9`, { headers })).status).toBe(404);
    expect((await gatehouse.ask(`${path}/m-9`, { headers, method: 'DELETE' })).status).toBe(404);
    expect((await gatehouse.ask(path, { headers })).body.data).toEqual([]);
    expect((await gatehouse.ask('/v3/moderation/blocked-messages', { headers })).body.data).toEqual([]);
    expect((await get('m-9')).status).toBe(200);
  });

  it('keeps no approved message where that is switched off', async () => {
    const other = await startGatehouse(store, { GATEHOUSE_APPROVED_HOURS: '0' });
    const isKept = async (id: string) => (await other.asApp(`${path}/${id}`)).status === 200;
    await other.asApp(path, { body: message('hello', { id: 'm' }) });
    expect(await isKept('m')).toBe(false);
    for (const id of ['n-1', 'n-2']) {
      await other.asApp(path, { body: message('fuck', { id }) });
      expect(await isKept(id)).toBe(true);
      const sorry = await other.asApp(`${path}/${id}`, { method: 'PUT', body: { data: { text: 'sorry' } } });
      expect([sorry.body.data.verdict, await isKept(id)]).toEqual(['allow', false]);
      // The second time with somebody who hears of every message.
      await other.asApp('/v3/webhooks', { body: { url: 'https://chat.example.org/hook' } });
    }
    await other.asApp(path, { body: message('hello', { id: 'n-3' }) });
    expect(await isKept('n-3')).toBe(false);
    await other.close();
  });
});
