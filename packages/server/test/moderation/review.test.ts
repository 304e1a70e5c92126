import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores, type Tenant } from '../gatehouse.ts';

const message = (text: string, more: object = {}) => ({
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  data: { text },
  ...more,
});

describe.each(stores)('review on %s', (store) => {
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
  const judge = async (text: string, more: object = {}) =>
    (await ask('/moderation/messages', 'POST', message(text, more))).body.data;
  const list = async (queue: string, query = '') => (await ask(`/moderation/${queue}-messages?${query}`)).body.data;
  const standing = async (id: string) => (await ask(`/moderation/messages/${id}`)).body.data;
  const flag = (id: string, uid: string, body: object = { reasonId: 'spam' }) =>
    ask(`/messages/${id}/flagged`, 'POST', body, { onbehalfof: uid });

  describe('blocked messages', () => {
    const decide = (id: string, status: string, more: object = {}) =>
      ask(`/moderation/blocked-messages/${id}`, 'PATCH', { status, ...more });

    it('lets an approved message stand and lists it as reviewed, and takes that back', async () => {
      await judge('fuck', { id: 'b-1' });
      const approved = await decide('b-1', 'approved');
      expect([approved.status, approved.body.data.success]).toEqual([200, true]);
      expect((await standing('b-1')).moderation).toEqual({ status: 'approved' });
      expect(await list('reviewed')).toMatchObject([
        { message: { id: 'b-1' }, status: 'approved', reviewed: true, reviewedBy: expect.stringMatching(/^apiKey:/) },
      ]);
      await decide('b-1', 'rejected');
      expect((await standing('b-1')).moderation).toMatchObject({ status: 'disapproved' });
      expect(await list('blocked')).toMatchObject([{ status: 'rejected' }]);
    });

    it('puts an approved edit in the place of the version before, and brings that back', async () => {
      await judge('clean', { id: 'b-2' });
      await ask('/moderation/messages/b-2', 'PUT', { data: { text: 'fuck it' } });
      await decide('b-2', 'approved');
      expect((await standing('b-2')).data.text).toBe('fuck it');
      await decide('b-2', 'rejected');
      expect(await standing('b-2')).toMatchObject({ data: { text: 'clean' }, moderation: { status: 'approved' } });
    });

    it('decides the newest version of a message, and settles the older ones that wait without publishing them', async () => {
      await judge('clean', { id: 'b-4' });
      await ask('/moderation/messages/b-4', 'PUT', { data: { text: 'fuck one' } });
      await ask('/moderation/messages/b-4', 'PUT', { data: { text: 'fuck two' } });
      await decide('b-4', 'approved');
      expect((await standing('b-4')).data.text).toBe('fuck two');
      const entries = async () =>
        (await list('blocked')).map(({ message, status }: { message: { data: object }; status: string }) => [
          message.data,
          status,
        ]);
      expect(await entries()).toEqual([
        [{ text: 'fuck two' }, 'approved'],
        [{ text: 'fuck one' }, 'rejected'],
      ]);
      await decide('b-4', 'rejected');
      expect((await standing('b-4')).data.text).toBe('clean');
      expect(await list('blocked', 'status=rejected')).toHaveLength(2);
    });

    it('decides the version that can stand when a dropped one came after it, and the dropped one alone later', async () => {
      await ask('/moderation/rules', 'POST', {
        id: 'dropper',
        name: 'Dropper',
        action: ['dropMessage'],
        conditions: [{ operand: 'text', category: 'word', value: ['dropword'] }],
      });
      await judge('clean', { id: 'b-5' });
      await ask('/moderation/messages/b-5', 'PUT', { data: { text: 'fuck' } });
      await ask('/moderation/messages/b-5', 'PUT', { data: { text: 'dropword' } });
      await decide('b-5', 'approved');
      expect((await standing('b-5')).data.text).toBe('fuck');
      expect(await list('blocked', 'status=pending')).toEqual([]);
      await ask('/moderation/messages/b-5', 'PUT', { data: { text: 'dropword again' } });
      await decide('b-5', 'rejected');
      expect(await list('blocked', 'status=pending')).toEqual([]);
      expect((await standing('b-5')).data.text).toBe('fuck');
      await decide('b-5', 'rejected');
      expect((await standing('b-5')).data.text).toBe('clean');
    });

    it('leaves a newer clean version alone when the approval of an older one is taken back', async () => {
      await judge('clean', { id: 'b-6' });
      await ask('/moderation/messages/b-6', 'PUT', { data: { text: 'fuck' } });
      await decide('b-6', 'approved');
      await ask('/moderation/messages/b-6', 'PUT', { data: { text: 'cleaner' } });
      await decide('b-6', 'rejected');
      expect(await standing('b-6')).toMatchObject({ data: { text: 'cleaner' }, moderation: { status: 'approved' } });
    });

    it('marks without reviewing where that is asked for', async () => {
      await judge('fuck', { id: 'b-3' });
      await decide('b-3', 'rejected', { reviewed: false });
      expect(await list('reviewed')).toEqual([]);
      expect(await list('blocked', 'status=rejected')).toHaveLength(1);
    });

    it('answers 404 for a message that was never blocked and 400 for a decision there is not', async () => {
      expect((await decide('nothing', 'approved')).body.error.code).toBe('ERR_MESSAGE_ID_NOT_FOUND');
      expect((await decide('nothing', 'maybe')).status).toBe(400);
    });

    it('filters by date, rule, sender, receiver, text, status and action', async () => {
      await ask('/moderation/rules', 'POST', {
        id: 'dropper',
        name: 'Dropper',
        action: ['dropMessage'],
        conditions: [{ operand: 'text', category: 'word', value: ['dropword'] }],
      });
      await judge('fuck the Größe', { id: 'f-1', sender: 'ada', receiver: 'grace' });
      await judge('fuck that', { id: 'f-2', sender: 'linus', receiver: 'room', receiverType: 'group' });
      await judge('dropword', { id: 'f-3', sender: 'ada' });
      const ids = async (query: string) =>
        (await list('blocked', query)).map((entry: { message: { id: string } }) => entry.message.id);
      expect(await ids('')).toEqual(['f-3', 'f-2', 'f-1']);
      expect(await ids('ruleId=dropper')).toEqual(['f-3']);
      expect(await ids('sender=ada')).toEqual(['f-3', 'f-1']);
      expect(await ids('sender=ada&ruleId=profanity-filter')).toEqual(['f-1']);
      expect(await ids('receiver=room')).toEqual(['f-2']);
      expect(await ids(`text=${encodeURIComponent('GRÖßE')}`)).toEqual(['f-1']);
      expect(await ids('action=dropMessage')).toEqual(['f-3']);
      expect(await ids('status=approved')).toEqual([]);
      const now = Math.floor(Date.now() / 1000);
      expect(await ids(`from=${now - 60}&to=${now + 60}`)).toHaveLength(3);
      expect(await ids(`from=${(now + 60) * 1000}`)).toEqual([]);
      expect(await ids(`to=${now - 60}`)).toEqual([]);
    });

    it('pages without repeating or losing an entry while new ones arrive', async () => {
      for (let i = 0; i < 30; i++) await judge('fuck', { id: `q-${i}` });
      const seen: string[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await ask(`/moderation/blocked-messages?limit=7${cursor && `&cursor=${cursor}`}`);
        seen.push(...body.data.map((entry: { message: { id: string } }) => entry.message.id));
        await judge('fuck', { id: `late-${seen.length}` });
        if (body.meta.next === undefined) break;
        cursor = body.meta.next.cursor;
      }
      expect(seen).toEqual(Array.from({ length: 30 }, (_, i) => `q-${29 - i}`));
    });

    it('pages through what fits a filter of few', async () => {
      for (let i = 0; i < 12; i++) await judge(i % 3 === 0 ? 'fuck needle' : 'fuck', { id: `n-${i}` });
      const first = await ask('/moderation/blocked-messages?limit=3&text=needle');
      expect(first.body.data).toHaveLength(3);
      const second = await ask(
        `/moderation/blocked-messages?limit=3&text=needle&cursor=${first.body.meta.next.cursor}`,
      );
      expect(second.body.data.map((entry: { message: { id: string } }) => entry.message.id)).toEqual(['n-0']);
      expect(second.body.meta).toEqual({ current: { limit: 3, count: 1 } });
    });

    it('answers 400 for times that no store can hold', async () => {
      const huge = '99999999999999999999';
      const listed = await gatehouse.asApp(`/v3/moderation/reviewed-messages/export?from=${huge}`);
      expect([listed.status, Object.keys(listed.body.error.details)]).toEqual([400, ['from']]);
      const message = { sender: 'ada', receiver: 'grace', receiverType: 'user', sentAt: Number(huge) };
      const judged = await gatehouse.asApp('/v3/moderation/messages', { body: message });
      expect([judged.status, Object.keys(judged.body.error.details)]).toEqual([400, ['sentAt']]);
    });

    it('answers 400 for a cursor it did not make', async () => {
      for (const cursor of ['x', 'bm90IGpzb24', Buffer.from('["a","b"]').toString('base64url')]) {
        const answer = await ask(`/moderation/blocked-messages?cursor=${cursor}`);
        expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([400, ['cursor']]);
      }
    });

    it('exports as CSV that no spreadsheet runs, and as JSON lines', async () => {
      await judge('=1+1, "fuck"\nnewline', { id: 'x-1' });
      await judge('fuck', { id: 'x-2' });
      const csv = await ask('/moderation/blocked-messages/export');
      expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      const [head, ...lines] = csv.text.split('\r\n');
      expect(head).toMatch(/^createdAt,messageId,sender,/);
      expect(lines[0]).toMatch(
        /^\d{4}-.*,x-2,ada,grace,user,profanity-filter,Profanity filter,blockMessage,pending,false,0,fuck$/,
      );
      expect(lines[1]).toContain(`"'=1+1, ""fuck""\nnewline"`);
      const jsonl = await ask('/moderation/blocked-messages/export?format=jsonl&text=newline');
      expect(
        jsonl.text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).message.id),
      ).toEqual(['x-1']);
    });
  });

  it('finds and exports a message by the caption that it was blocked for', async () => {
    const attachments = [{ url: 'https://example.org/a.png', name: 'a.png', caption: 'Fuck the caption' }];
    const { verdict } = await judge('', { id: 'c-1', type: 'image', data: { attachments } });
    expect(verdict).toBe('block');
    expect(await list('blocked', 'text=the%20CAPTION')).toMatchObject([{ message: { id: 'c-1' } }]);
    expect((await ask('/moderation/blocked-messages/export')).text).toMatch(/,c-1,.*,Fuck the caption\r\n$/);
  });

  describe('flagged messages', () => {
    it('has one entry a message and counts who told, once each', async () => {
      await judge('hello', { id: 'g-1' });
      const first = await flag('g-1', 'linus', { reasonId: 'spam', remark: 'Again!' });
      expect(first.body).toMatchObject({ success: true, data: { success: true } });
      await flag('g-1', 'linus', { id: 'harassment' });
      await flag('g-1', 'alan');
      const [entry, ...rest] = await list('flagged');
      expect(rest).toEqual([]);
      expect(entry).toMatchObject({ id: 'g-1', data: { text: 'hello' }, flaggedCount: 2, status: 'pending' });
      const byUid = new Map(entry.flaggedBy.map((one: { uid: string }) => [one.uid, one]));
      expect(byUid.get('linus')).toMatchObject({ reasonId: 'harassment', reasonName: 'Harassment', remark: '' });
      expect(byUid.get('alan')).toMatchObject({ reasonId: 'spam' });
    });

    it('is settled by a moderator and opened again by a new reporter', async () => {
      await judge('hello', { id: 'g-2' });
      await flag('g-2', 'linus');
      await ask('/moderation/flagged-messages/g-2', 'PATCH', { status: 'disapproved' });
      expect((await standing('g-2')).moderation.status).toBe('disapproved');
      expect(await list('reviewed')).toMatchObject([
        { message: { id: 'g-2' }, status: 'disapproved', flaggedCount: 1 },
      ]);
      await ask('/moderation/flagged-messages/g-2', 'PATCH', { status: 'approved' });
      expect((await standing('g-2')).moderation.status).toBe('approved');
      await flag('g-2', 'linus');
      expect(await list('flagged', 'status=pending')).toEqual([]);
      await flag('g-2', 'alan');
      expect(await list('flagged', 'status=pending')).toHaveLength(1);
    });

    const decide = (queue: string, id: string, status: string) =>
      ask(`/moderation/${queue}-messages/${id}`, 'PATCH', { status });

    it('publishes what the entry showed, whatever blocked edit came since', async () => {
      await judge('okay', { id: 'g-6' });
      await flag('g-6', 'linus');
      await decide('flagged', 'g-6', 'disapproved');
      const edited = await ask('/moderation/messages/g-6', 'PUT', { data: { text: 'shit' } });
      expect(edited.body.data).toMatchObject({ verdict: 'block', data: { text: 'okay' } });
      await decide('flagged', 'g-6', 'approved');
      expect(await standing('g-6')).toMatchObject({ data: { text: 'okay' }, moderation: { status: 'approved' } });
      await decide('flagged', 'g-6', 'disapproved');
      await judge('shit', { id: 'g-6' });
      await decide('flagged', 'g-6', 'approved');
      expect(await standing('g-6')).toMatchObject({ data: { text: 'okay' }, moderation: { status: 'approved' } });
    });

    it('leaves a clean edit standing when the version before it is approved, and shows the one flagged last', async () => {
      await judge('okay', { id: 'g-7' });
      await flag('g-7', 'linus');
      await ask('/moderation/messages/g-7', 'PUT', { data: { text: 'better' } });
      await decide('flagged', 'g-7', 'approved');
      expect((await standing('g-7')).data.text).toBe('better');
      await flag('g-7', 'alan');
      expect(await list('flagged')).toMatchObject([{ data: { text: 'better' }, status: 'pending' }]);
      await decide('flagged', 'g-7', 'disapproved');
      expect((await standing('g-7')).moderation.status).toBe('disapproved');
      await decide('flagged', 'g-7', 'approved');
      expect(await standing('g-7')).toMatchObject({ data: { text: 'better' }, moderation: { status: 'approved' } });
    });

    it('says the same of a blocked message as the blocked queue, whichever of the two is decided', async () => {
      const told = async (id: string) => {
        const { moderation } = await standing(id);
        const [blocked] = await list('blocked');
        const [flagged] = await list('flagged');
        return [moderation.status, blocked.status, flagged.status, flagged.moderation.status];
      };
      await judge('shit', { id: 'g-8' });
      await flag('g-8', 'linus');
      expect(await told('g-8')).toEqual(['disapproved', 'pending', 'pending', 'disapproved']);
      await decide('flagged', 'g-8', 'approved');
      expect(await told('g-8')).toEqual(['approved', 'approved', 'approved', 'approved']);
      await decide('blocked', 'g-8', 'rejected');
      expect(await told('g-8')).toEqual(['disapproved', 'rejected', 'disapproved', 'disapproved']);
      await decide('blocked', 'g-8', 'approved');
      expect(await told('g-8')).toEqual(['approved', 'approved', 'approved', 'approved']);
      await decide('flagged', 'g-8', 'disapproved');
      expect(await told('g-8')).toEqual(['disapproved', 'rejected', 'disapproved', 'disapproved']);
    });

    it('lets a device flag as its own user', async () => {
      const authToken = await gatehouse.newUser('eve');
      await gatehouse.asApp('/v3/moderation/messages', { body: message('hi', { id: 'g-3' }) });
      const answer = await gatehouse.ask('/v3/messages/g-3/flagged', {
        body: { reasonId: 'sexual' },
        headers: { authtoken: authToken, onbehalfof: 'somebody-else' },
      });
      expect(answer.status).toBe(200);
      const { body } = await gatehouse.asApp('/v3/moderation/flagged-messages');
      expect(body.data[0].flaggedBy).toMatchObject([{ uid: 'eve' }]);
    });

    it('takes away a message that was caught once and stood again, whichever queue decides', async () => {
      const rule = (enabled: boolean) => ({
        name: 'Tulips',
        enabled,
        action: ['blockMessage'],
        conditions: [{ operand: 'text', category: 'word', value: ['tulip'] }],
      });
      await ask('/moderation/rules', 'POST', { id: 'tulips', ...rule(true) });
      await judge('a tulip', { id: 'again-1' });
      await ask('/moderation/rules/tulips', 'PUT', rule(false));
      await judge('a tulip', { id: 'again-1' });
      expect((await standing('again-1')).moderation.status).toBe('approved');
      await flag('again-1', 'linus');
      await ask('/moderation/flagged-messages/again-1', 'PATCH', { status: 'disapproved' });
      expect((await standing('again-1')).moderation.status).toBe('disapproved');
      await ask('/moderation/flagged-messages/again-1', 'PATCH', { status: 'approved' });
      expect((await standing('again-1')).moderation.status).toBe('approved');
    });

    it('brings the version before back when a version that was caught twice is turned down', async () => {
      const decide = (status: string) => ask('/moderation/blocked-messages/twice', 'PATCH', { status });
      await judge('clean', { id: 'twice' });
      const edit = () => ask('/moderation/messages/twice', 'PUT', { data: { text: 'fuck' } });
      await edit();
      await decide('approved');
      await edit();
      expect((await standing('twice')).data.text).toBe('fuck');
      await decide('rejected');
      expect(await standing('twice')).toMatchObject({ data: { text: 'clean' }, moderation: { status: 'approved' } });
      expect((await list('blocked')).map(({ status }: { status: string }) => status)).toEqual(['rejected', 'rejected']);
    });

    it('shows what a rule found only in the version that the rule flagged', async () => {
      await ask('/moderation/rules', 'POST', {
        id: 'flagger',
        name: 'Flagger',
        action: ['flagMessage'],
        conditions: [{ operand: 'text', category: 'word', value: ['tulip'] }],
      });
      await judge('a tulip', { id: 'found' });
      await flag('found', 'linus');
      expect(await list('flagged')).toMatchObject([
        { ruleId: 'flagger', matches: [{ text: 'tulip' }], flaggedCount: 1 },
      ]);
      await ask('/moderation/messages/found', 'PUT', { data: { text: 'a rose' } });
      await flag('found', 'grace');
      const [entry] = await list('flagged');
      expect(entry).toMatchObject({ data: { text: 'a rose' }, flaggedCount: 2 });
      expect([entry.ruleId, entry.matches]).toEqual([undefined, undefined]);
    });

    it('takes a message along that is not kept here', async () => {
      const unknown = await flag('g-4', 'linus');
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ERR_MESSAGE_ID_NOT_FOUND']);
      const sent = await flag('g-4', 'linus', { reasonId: 'spam', message: message('buy now') });
      expect(sent.status).toBe(200);
      expect(await list('flagged')).toMatchObject([{ id: 'g-4', data: { text: 'buy now' } }]);
    });

    it('answers 400 without a reporter or a reason and 404 for a reason there is not', async () => {
      await judge('hello', { id: 'g-5' });
      const nobody = await ask('/messages/g-5/flagged', 'POST', { reasonId: 'spam' });
      expect(Object.keys(nobody.body.error.details)).toEqual(['onBehalfOf']);
      expect(Object.keys((await flag('g-5', 'linus', {})).body.error.details)).toEqual(['reasonId']);
      expect((await flag('g-5', 'linus', { reasonId: 'boredom' })).body.error.code).toBe('ERR_REASON_NOT_FOUND');
    });
  });

  it('keeps the queues of one app from another', async () => {
    await judge('fuck', { id: 'o-1' });
    await judge('hello', { id: 'o-2' });
    await flag('o-2', 'linus');
    const headers = { apikey: gatehouse.fullAccess };
    const patch = (path: string, status: string) =>
      gatehouse.ask(`/v3/moderation/${path}`, { method: 'PATCH', body: { status }, headers });
    expect((await patch('blocked-messages/o-1', 'approved')).status).toBe(404);
    expect((await patch('flagged-messages/o-2', 'approved')).status).toBe(404);
    expect(await list('blocked', 'status=pending')).toHaveLength(1);
  });
});
