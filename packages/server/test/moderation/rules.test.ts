import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/moderation/rules';
const word = (value: unknown, more: object = {}) => ({ operand: 'text', category: 'word', value, ...more });
const rule = (more: object = {}) => ({
  name: 'A rule',
  action: ['blockMessage'],
  conditions: [word(['butler'])],
  ...more,
});

describe.each(stores)('rules on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_OWN_RULES_MAX: '100' });
  });
  afterAll(() => gatehouse.close());

  const create = async (body: object) => (await gatehouse.asApp(path, { body })).body.data;

  it('answers 200 with the contract form of whatever spelling was sent', async () => {
    const made = await create(
      rule({
        id: 'spellings',
        conditions: [
          word('profanity-list', { isKeywordReferencePresent: true, id: 7 }),
          { operand: 'custom', category: 'word', isListReferencePresent: true, value: ['profanity-list'] },
          { operand: 'image', category: 'word', value: 'AnyOf_greaterThan_30', message: 'Unsafe.' },
        ],
      }),
    );
    const tail = { entity: 'message', operator: 'contains' };
    expect(made.conditions).toEqual([
      {
        id: 1,
        isKeywordsReferencePresent: true,
        isMediaPresent: false,
        ...tail,
        operand: 'text',
        category: 'word',
        value: ['profanity-list'],
      },
      {
        id: 2,
        isListReferencePresent: true,
        isMediaPresent: false,
        ...tail,
        operand: 'custom',
        category: 'word',
        value: ['profanity-list'],
      },
      {
        id: 3,
        isKeywordsReferencePresent: false,
        isMediaPresent: true,
        ...tail,
        operand: 'image',
        category: 'word',
        value: ['AnyOf_greaterThan_30'],
        message: ['Unsafe.'],
      },
    ]);
  });

  it('keeps a reference to a list that one spelling says and another leaves unset', async () => {
    const all = { isKeywordsReferencePresent: false, isKeywordReferencePresent: false, isListReferencePresent: false };
    const { conditions } = await create(
      rule({
        conditions: [
          word('profanity-list', { ...all, isListReferencePresent: true }),
          word('profanity-list', { ...all, isListReferencePresent: true, operand: 'custom' }),
          word('profanity-list', { ...all, isKeywordReferencePresent: true }),
          word('profanity-list', all),
        ],
      }),
    );
    expect(conditions).toMatchObject([
      { isKeywordsReferencePresent: true },
      { isListReferencePresent: true },
      { isKeywordsReferencePresent: true },
      { isKeywordsReferencePresent: false },
    ]);
  });

  it('answers 200 with filters and shadow where they were sent, and without them where not', async () => {
    const filters = [{ type: 'sender', entity: 'user', operand: 'role', operator: 'in', value: ['guest', 'new'] }];
    const made = await create(rule({ id: 'filtered', filters, shadow: true }));
    expect(made).toMatchObject({ filters, shadow: true });
    const plain = await create(rule({ id: 'plain', filters: [], shadow: false }));
    expect(plain).not.toHaveProperty('filters');
    expect(plain).not.toHaveProperty('shadow');
  });

  it.each([
    ['a pattern that is not one', { operand: 'text', category: 'pattern', value: ['(unclosed'] }],
    ['a pattern with a look-behind', { operand: 'text', category: 'pattern', value: ['(?<=a)b'] }],
    ['a pattern with a back-reference', { operand: 'text', category: 'pattern', value: ['(a)\\1'] }],
    ['a threshold without a number', { operand: 'image', category: 'word', value: ['Violence_greaterThan_lots'] }],
    ['a threshold of an unknown label', { operand: 'image', category: 'word', value: ['Kittens_greaterThan_50'] }],
    ['a threshold above 100', { operand: 'video', category: 'word', value: ['Violence_greaterThan_101'] }],
    ['an empty value', { operand: 'text', category: 'word', value: [''] }],
  ])('answers 400 with the field and a reason for %s', async (_what, condition) => {
    const answer = await gatehouse.asApp(path, { body: rule({ conditions: [word(['fine']), condition] }) });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toEqual(['conditions.1.value']);
    expect(answer.body.error.details['conditions.1.value'][0].length).toBeGreaterThan(10);
  });

  it.each([
    ['conditions', rule({ conditions: [word(['no-such-list'], { isKeywordsReferencePresent: true })] })],
    [
      'filters',
      rule({ filters: [{ type: 'sender', entity: 'user', operand: 'guid', operator: 'equals', value: 'x' }] }),
    ],
    [
      'filters',
      rule({
        filters: Array(11).fill({ type: 'sender', entity: 'user', operand: 'uid', operator: 'equals', value: 'x' }),
      }),
    ],
    ['action.0', rule({ action: ['explode'] })],
    ['action', rule({ action: [] })],
    ['conditions', rule({ conditions: [] })],
    ['name', { action: ['blockMessage'], conditions: [word('x')] }],
    ['id', rule({ id: 'no spaces' })],
  ])('answers 400 naming %s', async (field, body) => {
    const answer = await gatehouse.asApp(path, { body });
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)[0]).toMatch(new RegExp(`^${field}`));
  });

  it('answers 400 with the reason for a filter that can never hold', async () => {
    const filter = { type: 'sender', entity: 'user', operand: 'createdAt', operator: 'lessThan' };
    const filters = [
      { ...filter, value: 1767225600 },
      { ...filter, value: 'yesterday' },
      { ...filter, operand: 'uid', value: ['ann'] },
    ];
    const answer = await gatehouse.asApp(path, { body: rule({ filters }) });
    expect([answer.status, answer.body.error.details]).toEqual([
      400,
      {
        'filters.1.value': ['createdAt is a time in seconds since 1970, such as 1767225600, and "yesterday" is none.'],
        'filters.2.value': ['lessThan compares numbers, and "ann" is none: such a filter can never hold.'],
      },
    ]);
  });

  it('accepts valid patterns with commas, quantifiers and alternatives', async () => {
    const value = ['\\d{2,4}', '(a|b|c)+,?', '^[^,]{1,10},[^,]+$', '(?i)free,? money'];
    const made = await create(rule({ conditions: [{ operand: 'text', category: 'pattern', value }] }));
    expect(made.conditions[0].value).toEqual(value);
  });

  it('answers 412 when somebody else was faster, and 200 for the current revision, quoted or not', async () => {
    const { revisionId } = await create(rule({ id: 'contested' }));
    const replace = (ifMatch: string, name: string) =>
      gatehouse.asManager('/moderation/rules/contested', {
        method: 'PUT',
        body: rule({ name }),
        headers: { 'if-match': ifMatch },
      });
    const first = await replace(`"${revisionId}"`, 'First');
    expect(first.status).toBe(200);
    const second = await replace(revisionId, 'Second');
    expect(second.status).toBe(412);
    expect(second.body.error.code).toBe('ERR_REVISION_CONFLICT');
    const got = await gatehouse.asApp(`${path}/contested`);
    expect(got.body.data.name).toBe('First');
    expect(got.headers.get('etag')).toBe(`"${got.body.data.revisionId}"`);
    expect((await replace(got.body.data.revisionId, 'Third')).status).toBe(200);
    expect((await replace('*', 'Fourth')).status).toBe(200);
  });

  it('rolls back to a revision as a new one, with active only on the current', async () => {
    await create(rule({ id: 'history', name: 'One' }));
    await gatehouse.asApp(`${path}/history`, { method: 'PUT', body: rule({ name: 'Two', shadow: true }) });
    const restored = await gatehouse.asApp(`${path}/history/revisions/1/restore`, { method: 'POST' });
    expect(restored.status).toBe(200);
    expect(restored.body.data).toMatchObject({ name: 'One', revisionId: `${gatehouse.appId}_history_3`, active: true });
    const { body } = await gatehouse.asManager('/moderation/rules/history/revisions?limit=2');
    expect(body.data.map((r: { name: string; active: boolean }) => [r.name, r.active])).toEqual([
      ['One', true],
      ['Two', false],
    ]);
    const next = await gatehouse.asApp(`${path}/history/revisions?limit=2&cursor=${body.meta.next.cursor}`);
    expect(next.body.data).toMatchObject([{ name: 'One', active: false, revisionId: `${gatehouse.appId}_history_1` }]);
    expect(next.body.meta).toEqual({ current: { limit: 2, count: 1 } });
  });

  it('answers 404 for a revision or a rule that never was', async () => {
    await create(rule({ id: 'short-history' }));
    const unknown = await gatehouse.asApp(`${path}/short-history/revisions/9/restore`, { method: 'POST' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'ERR_REVISION_NOT_FOUND']);
    for (const [at, method] of [
      [`${path}/nothing/revisions/1/restore`, 'POST'],
      [`${path}/nothing`, 'GET'],
      [`${path}/nothing`, 'DELETE'],
    ] as const) {
      const answer = await gatehouse.asApp(at, { method });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'ERR_RULE_NOT_FOUND']);
    }
  });

  it('switches and changes a built-in rule, and deleting it brings the default back', async () => {
    const before = (await gatehouse.asApp(`${path}/email_filter`)).body.data;
    const changed = await gatehouse.asApp(`${path}/email_filter`, {
      method: 'PUT',
      body: { ...before, enabled: true, action: ['flagMessage'] },
    });
    expect(changed.body.data).toMatchObject({ enabled: true, action: ['flagMessage'], default: true });
    expect((await gatehouse.asApp(`${path}/email_filter`, { method: 'DELETE' })).status).toBe(200);
    const after = (await gatehouse.asApp(`${path}/email_filter`)).body.data;
    expect(after).toEqual(before);
    const again = await gatehouse.asApp(`${path}/email_filter/revisions/2/restore`, { method: 'POST' });
    expect(again.body.data).toMatchObject({ action: ['flagMessage'], revisionId: `${gatehouse.appId}_email_filter_3` });
  });

  it('keeps the rules of one app from another', async () => {
    const other = await gatehouse.newApp();
    await create(rule({ id: 'mine' }));
    const asOther = (at: string, method = 'GET', body?: object) =>
      gatehouse.ask(at, { method, headers: { apikey: other.fullAccess }, ...(body && { body }) });
    for (const [at, method, body] of [
      [`${path}/mine`, 'GET'],
      [`${path}/mine`, 'DELETE'],
      [`${path}/mine`, 'PUT', rule()],
      [`${path}/mine/revisions`, 'GET'],
      [`${path}/mine/revisions/1/restore`, 'POST'],
    ] as const)
      expect((await asOther(at, method, body)).status).toBe(404);
    expect((await gatehouse.asApp(`${path}/mine`)).status).toBe(200);
  });
});

describe.each(stores)('apps that changed nothing share what judges them, on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_BACKTEST_DAYS: '7' });
  });
  afterAll(() => gatehouse.close());

  const texts = { profane: 'you are a shit', address: 'write to bob@example.org' };
  async function verdicts(apikey: string) {
    const of = async (text: string) => {
      const body = { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } };
      return (await gatehouse.ask('/v3/moderation/check', { method: 'POST', headers: { apikey }, body })).body.data
        .verdict;
    };
    return [await of(texts.profane), await of(texts.address)];
  }
  async function change(apikey: string, id: string, more: object) {
    const { data } = (await gatehouse.ask(`${path}/${id}`, { headers: { apikey } })).body;
    const body = { ...data, ...more };
    expect((await gatehouse.ask(`${path}/${id}`, { method: 'PUT', headers: { apikey }, body })).status).toBe(200);
  }

  it('and one that tried or switched rules shares no more, whoever is judged first', async () => {
    const apps = [];
    for (let i = 0; i < 5; i++) apps.push((await gatehouse.newApp()).fullAccess);
    const [trying = '', off = '', on = '', back = '', untouched = ''] = apps;
    const tried = { method: 'POST', headers: { apikey: trying }, body: {} };
    expect((await gatehouse.ask(`${path}/email_filter/backtest`, tried)).status).toBe(200);
    await change(off, 'profanity-filter', { enabled: false });
    expect(await verdicts(off)).toEqual(['allow', 'allow']);
    await change(on, 'email_filter', { enabled: true });
    expect(await verdicts(on)).toEqual(['block', 'block']);
    expect(await verdicts(back)).toEqual(['block', 'allow']);
    await change(back, 'profanity-filter', { enabled: false });
    expect(await verdicts(back)).toEqual(['allow', 'allow']);
    await gatehouse.ask(`${path}/profanity-filter`, { method: 'DELETE', headers: { apikey: back } });
    for (const apikey of [back, trying, untouched]) expect(await verdicts(apikey)).toEqual(['block', 'allow']);
  });
});
