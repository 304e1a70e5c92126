import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/moderation/check';
const nothing = { verdict: 'allow', actions: [], matches: [], shadow: [] };
const message = (text: string, more: object = {}) => ({
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  data: { text },
  ...more,
});
const rule = (more: object) => ({
  name: 'A rule',
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: ['butler'] }],
  ...more,
});

describe.each(stores)('checkMessages on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_OWN_RULES_MAX: '100' });
  });
  afterAll(() => gatehouse.close());

  const check = (body: object) => gatehouse.asApp(path, { body });
  const verdict = async (text: string, more: object = {}) => (await check({ ...message(text), ...more })).body.data;

  it('answers 200 with allow for a harmless message', async () => {
    const answer = await check(message('hello, how are you'));
    expect([answer.status, answer.body]).toEqual([200, { data: nothing }]);
  });

  it('answers 200 with the verdict and the span of the original text', async () => {
    const text = '😀 what a Fúúúck1ng day';
    const data = await verdict(text);
    expect(data).toMatchObject({ verdict: 'block', actions: ['blockMessage'], shadow: [] });
    const [match] = data.matches;
    expect(text.slice(match.start, match.end)).toBe(match.text);
    expect(match).toMatchObject({
      ruleId: 'profanity-filter',
      revisionId: `${gatehouse.appId}_profanity-filter_1`,
      conditionId: 1,
      listId: 'profanity-list',
      entry: 'fucking',
      text: 'Fúúúck1ng',
      field: 'text',
    });
  });

  it('answers a batch in the order it came', async () => {
    const texts = Array.from({ length: 1000 }, (_, i) => (i % 10 === 3 ? 'what the fuck' : `message ${i}`));
    const { status, body } = await check({ messages: texts.map((text) => message(text)) });
    expect(status).toBe(200);
    expect(body.data.map((one: { verdict: string }) => one.verdict)).toEqual(
      texts.map((_, i) => (i % 10 === 3 ? 'block' : 'allow')),
    );
  });

  it('tries the rules sent along instead of the stored ones', async () => {
    const rules = [rule({ id: 'tried', action: ['flagMessage'] }), rule({ shadow: true, action: ['dropMessage'] })];
    const data = await verdict('the fucking butler', { rules });
    expect(data).toMatchObject({ verdict: 'flag', actions: ['flagMessage'] });
    expect(data.matches.map((m: { ruleId: string }) => m.ruleId)).toEqual(['tried']);
    expect(data.shadow).toMatchObject([{ ruleId: 'rule-2', revisionId: `${gatehouse.appId}_rule-2_0` }]);
    expect((await gatehouse.asApp('/v3/moderation/rules/tried')).status).toBe(404);
  });

  it('tries rules on stored lists', async () => {
    await gatehouse.asApp('/v3/moderation/keywords', { body: { id: 'spoilers', searchTerms: ['the butler'] } });
    const conditions = [{ operand: 'text', category: 'word', isKeywordsReferencePresent: true, value: ['spoilers'] }];
    expect(await verdict('it was the butler', { rules: [rule({ conditions })] })).toMatchObject({
      verdict: 'block',
      matches: [{ listId: 'spoilers', entry: 'the butler' }],
    });
    const unknown = [{ ...conditions[0], value: ['nothing'] }];
    expect((await check({ ...message('x'), rules: [rule({ conditions: unknown })] })).status).toBe(400);
    const pattern = { operand: 'text', category: 'pattern', value: ['b.tler'] };
    const mixed = [pattern, { ...pattern, isKeywordsReferencePresent: true, value: ['spoilers'] }, conditions[0]];
    expect((await check({ ...message('x'), rules: [rule({ conditions: mixed })] })).status).toBe(400);
  });

  it('judges custom data, captions and what filters ask of sender and receiver', async () => {
    const conditions = [
      { operand: 'text', category: 'word', value: ['butler'] },
      { operand: 'custom', category: 'word', value: ['butler'] },
    ];
    const filters = [
      { type: 'sender', entity: 'user', operand: 'role', operator: 'equals', value: 'guest' },
      { type: 'receiver', entity: 'group', operand: 'guid', operator: 'startsWith', value: 'open-' },
    ];
    const rules = [rule({ conditions, filters })];
    const guest = { senderUserDetails: { role: 'guest' }, receiver: 'open-house', receiverType: 'group', rules };
    const custom = { category: 'custom', data: { customData: { deep: ['a', { b: 'Butler' }] } } };
    const caption = { data: { attachments: [{ url: 'https://example.org/a.png', caption: 'the butler' }] } };
    expect(await verdict('butler', guest)).toMatchObject({ verdict: 'block' });
    expect((await check({ ...message(''), ...guest, ...custom })).body.data.matches).toMatchObject([
      { field: 'customData.deep.1.b' },
    ]);
    expect((await check({ ...message(''), ...guest, ...caption })).body.data.matches).toMatchObject([
      { field: 'attachments.0.caption' },
    ]);
    expect(await verdict('butler', { ...guest, senderUserDetails: { role: 'member' } })).toEqual(nothing);
    expect(await verdict('butler', { ...guest, receiver: 'closed' })).toEqual(nothing);
  });

  it('says in the answer what nobody was there to decide', async () => {
    const conditions = [{ operand: 'image', category: 'word', value: ['Violence_greaterThan_50'] }];
    const image = {
      type: 'image',
      data: { attachments: [{ url: 'https://example.org/a.png', mimeType: 'image/png' }] },
    };
    const { body } = await check({ ...message(''), ...image, rules: [rule({ conditions })] });
    expect(body.data).toMatchObject({ verdict: 'allow', failures: [{ what: 'image', onError: 'approve-message' }] });
    expect(await verdict('no image at all', { rules: [rule({ conditions })] })).toEqual(nothing);
  });

  it.each([
    ['sender', { receiver: 'a', receiverType: 'user' }],
    ['receiverType', { ...message('x'), receiverType: 'crowd' }],
    ['data.text', { ...message('x'), data: { text: 7 } }],
    ['messages.1.receiver', { messages: [message('x'), { sender: 'a', receiverType: 'user' }] }],
    ['messages', { messages: Array(1001).fill(message('x')) }],
    ['messages', { messages: [] }],
    [
      'rules.0.conditions.0.value',
      { ...message('x'), rules: [rule({ conditions: [{ operand: 'text', category: 'pattern', value: '(' }] })] },
    ],
    ['body', [message('x')]],
  ])('answers 400 naming %s', async (field, body) => {
    const answer = await check(body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toContain(field);
  });

  it('is served on the management host too, and to fullAccess keys only', async () => {
    expect((await gatehouse.asManager('/moderation/check', { body: message('fuck') })).body.data.verdict).toBe('block');
    const authOnly = await gatehouse.ask(path, { body: message('x'), headers: { apikey: gatehouse.authOnly } });
    expect(authOnly.status).toBe(403);
  });

  it('judges by a rule, a list or a switch from the very next message on', async () => {
    const rules = '/v3/moderation/rules';
    const lists = '/v3/moderation/keywords';
    for (let round = 1; round <= 5; round++) {
      const word = `zorblax${round}`;
      await gatehouse.asApp(rules, {
        body: rule({ id: `at-once-${round}`, conditions: [{ operand: 'text', category: 'word', value: [word] }] }),
      });
      expect((await verdict(`a ${word}`)).verdict).toBe('block');
      await gatehouse.asApp(`${rules}/at-once-${round}`, { method: 'PUT', body: rule({ enabled: false }) });
      expect((await verdict(`a ${word}`)).verdict).toBe('allow');
      await gatehouse.asApp(`${lists}/profanity-list/terms`, { body: { searchTerms: [word] } });
      expect((await verdict(`a ${word}`)).matches).toMatchObject([{ listId: 'profanity-list', entry: word }]);
      await gatehouse.asApp(`${rules}/profanity-filter`, {
        method: 'PUT',
        body: { ...(await gatehouse.asApp(`${rules}/profanity-filter`)).body.data, enabled: false },
      });
      expect((await verdict(`a ${word}`)).verdict).toBe('allow');
      await gatehouse.asApp(`${rules}/profanity-filter`, { method: 'DELETE' });
      expect((await verdict(`a ${word}`)).verdict).toBe('block');
      await gatehouse.asApp(`${lists}/profanity-list`, { method: 'DELETE' });
      expect((await verdict(`a ${word}`)).verdict).toBe('allow');
    }
  });

  it("keeps one app's rules and lists out of another's verdicts", async () => {
    const other = await gatehouse.newApp();
    await gatehouse.asApp('/v3/moderation/rules', {
      body: rule({ id: 'only-here', conditions: [{ operand: 'text', category: 'word', value: ['quuxly'] }] }),
    });
    expect((await verdict('quuxly')).verdict).toBe('block');
    const elsewhere = await gatehouse.ask(path, { body: message('quuxly'), headers: { apikey: other.fullAccess } });
    expect(elsewhere.body.data).toEqual(nothing);
    const borrowed = {
      ...message('x'),
      rules: [
        rule({
          conditions: [{ operand: 'text', category: 'word', isKeywordsReferencePresent: true, value: ['spoilers'] }],
        }),
      ],
    };
    expect((await gatehouse.ask(path, { body: borrowed, headers: { apikey: other.fullAccess } })).status).toBe(400);
  });
});
