import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/moderation/rules';
const ruleKeys = [
  'id',
  'name',
  'description',
  'enabled',
  'conditions',
  'action',
  'active',
  'createdAt',
  'updatedAt',
  'revisionId',
];
const conditionTail = ['isMediaPresent', 'entity', 'operand', 'category', 'operator', 'value'];
const builtIns = [
  'contact_details_filter',
  'custom-profanity-filter',
  'email_filter',
  'image-moderation',
  'profanity-filter',
  'video-moderation',
];

interface Listed {
  id: string;
  default?: boolean;
  [field: string]: unknown;
}

const word = (operand: string) => ({ operand, category: 'word', operator: 'contains', value: ['insults'] });

describe.each(stores)('listRules on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_OWN_RULES_MAX: '1000' });
    await gatehouse.asApp('/v3/moderation/keywords', {
      body: { id: 'insults', name: 'Insults', category: 'word', searchTerms: ['nitwit'] },
    });
    const made = await Promise.all([
      gatehouse.asManager(path, {
        body: {
          id: 'no-insults',
          name: 'No insults',
          description: 'Blocks insults.',
          enabled: false,
          action: ['blockMessage', 'dropMessage'],
          conditions: [
            { ...word('text'), isKeywordsReferencePresent: true, message: 'An insult.' },
            { ...word('custom'), isKeywordsReferencePresent: true },
          ],
        },
      }),
      gatehouse.asManager(path, {
        body: {
          id: 'no-links',
          name: 'No links',
          action: ['dropMessage'],
          conditions: [
            { operand: 'text', category: 'pattern', value: 'https?://' },
            { operand: 'custom', category: 'word', value: ['nitwit'] },
            { operand: 'image', category: 'word', value: ['AnyOf_greaterThan_40'] },
          ],
        },
      }),
    ]);
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
  });
  afterAll(() => gatehouse.close());

  const both = (query = ''): Promise<[Answer, Answer]> =>
    Promise.all([gatehouse.asManager(path + query), gatehouse.asApp(`/v3${path}${query}`)]);
  const rules = async (): Promise<Listed[]> => (await gatehouse.asManager(path)).body.data;
  const rule = async (id: string): Promise<Listed | undefined> => (await rules()).find((one) => one.id === id);

  it('answers 200 with the same bytes on the management host and on the application host', async () => {
    const [managed, own] = await both();
    expect([managed.status, own.status]).toEqual([200, 200]);
    expect(managed.text).toBe(own.text);
    expect(managed.headers.get('content-type')).toBe('application/json; charset=utf-8');
  });

  it('lists built-in and own rules, enabled and disabled, newest first and then by id', async () => {
    const listed = await rules();
    expect(listed.map(({ id }) => id).sort()).toEqual([...builtIns, 'no-insults', 'no-links'].sort());
    expect(new Set(listed.map(({ enabled }) => enabled))).toEqual(new Set([true, false]));
    const order = listed.map(({ createdAt, id }) => [-Number(createdAt), id]);
    expect(order).toEqual(
      [...order].sort(([a = 0, i = ''], [b = 0, j = '']) => Number(a) - Number(b) || (i < j ? -1 : 1)),
    );
  });

  it('gives every rule the fields of the contract in its order, and default on built-in rules only', async () => {
    for (const listed of await rules()) {
      const expected = builtIns.includes(listed.id) ? [...ruleKeys, 'default'] : ruleKeys;
      expect(Object.keys(listed), listed.id).toEqual(expected);
      if (builtIns.includes(listed.id)) expect(listed.default).toBe(true);
    }
  });

  it('gives every field of a rule its type', async () => {
    for (const listed of await rules()) {
      for (const field of ['id', 'name', 'description', 'revisionId']) expect(listed[field]).toBeTypeOf('string');
      for (const field of ['enabled', 'active']) expect(listed[field]).toBeTypeOf('boolean');
      for (const field of ['createdAt', 'updatedAt']) {
        expect(Number.isInteger(listed[field])).toBe(true);
        expect(Math.abs(Number(listed[field]) - Date.now() / 1000)).toBeLessThan(600);
      }
      for (const action of listed.action as string[]) expect(['blockMessage', 'dropMessage']).toContain(action);
      expect(listed.active).toBe(true);
    }
  });

  it('names a revision <hex>_<rule key>_<number>', async () => {
    for (const { id, revisionId } of await rules()) expect(revisionId).toBe(`${gatehouse.appId}_${id}_1`);
    expect(gatehouse.appId).toMatch(/^[0-9a-f]{16}$/);
  });

  it('gives conditions the fields of the contract in its order and with its types', async () => {
    for (const { conditions, id } of await rules()) {
      for (const [i, condition] of (conditions as Listed[]).entries()) {
        const [first, reference, ...tail] = Object.keys(condition);
        expect(first).toBe('id');
        expect(condition.id).toBe(i + 1);
        expect(['isKeywordsReferencePresent', 'isListReferencePresent']).toContain(reference);
        expect(tail, id).toEqual('message' in condition ? [...conditionTail, 'message'] : conditionTail);
        expect(condition[String(reference)]).toBeTypeOf('boolean');
        expect(condition.isMediaPresent).toBe(['image', 'video'].includes(String(condition.operand)));
        expect(condition.entity).toBe('message');
        expect(['text', 'image', 'video', 'custom']).toContain(condition.operand);
        expect(['word', 'pattern']).toContain(condition.category);
        expect(condition.operator).toBe('contains');
        expect((condition.value as unknown[]).every((entry) => typeof entry === 'string')).toBe(true);
        if ('message' in condition) expect(Array.isArray(condition.message)).toBe(true);
      }
    }
  });

  it('puts isListReferencePresent in place of isKeywordsReferencePresent on a custom word condition with a list only', async () => {
    const own = await rule('no-insults');
    expect(JSON.stringify(own?.conditions)).toBe(
      '[{"id":1,"isKeywordsReferencePresent":true,"isMediaPresent":false,"entity":"message","operand":"text","category":"word","operator":"contains","value":["insults"],"message":["An insult."]},' +
        '{"id":2,"isListReferencePresent":true,"isMediaPresent":false,"entity":"message","operand":"custom","category":"word","operator":"contains","value":["insults"]}]',
    );
    const without = (await rule('no-links'))?.conditions as Listed[];
    expect(without.map((condition) => 'isListReferencePresent' in condition)).toEqual([false, false, false]);
    expect(without.map((condition) => condition.isKeywordsReferencePresent)).toEqual([false, false, false]);
    const builtIn = (await rule('custom-profanity-filter'))?.conditions as Listed[];
    expect(builtIn[0]?.isListReferencePresent).toBe(true);
    expect(builtIn[0]).not.toHaveProperty('isKeywordsReferencePresent');
  });

  it('says limit and count in meta.current, and nothing else in meta when there is no more', async () => {
    const [{ body }] = await both();
    expect(Object.keys(body)).toEqual(['data', 'meta']);
    expect(JSON.stringify(body.meta)).toBe('{"current":{"limit":50,"count":8}}');
  });

  it('names the next page with a cursor only when there is more', async () => {
    const { body: first } = await gatehouse.asManager(`${path}?limit=5`);
    expect(JSON.stringify(first.meta.current)).toBe('{"limit":5,"count":5}');
    expect(Object.keys(first.meta.next)).toEqual(['cursor']);
    const { body: second } = await gatehouse.asManager(`${path}?limit=5&cursor=${first.meta.next.cursor}`);
    expect(JSON.stringify(second.meta)).toBe('{"current":{"limit":5,"count":3}}');
    const { body: whole } = await gatehouse.asManager(`${path}?limit=8`);
    expect(whole.meta).toEqual({ current: { limit: 8, count: 8 } });
  });

  it('pages through every rule once with any limit', async () => {
    const everything = (await rules()).map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), async (limit) => {
        const seen: string[] = [];
        for (let cursor = ''; ; ) {
          const { body } = await gatehouse.asApp(`/v3${path}?limit=${limit}${cursor}`);
          expect(body.meta.current).toEqual({ limit, count: body.data.length });
          seen.push(...body.data.map(({ id }: Listed) => id));
          if (body.meta.next === undefined) break;
          cursor = `&cursor=${encodeURIComponent(body.meta.next.cursor)}`;
        }
        expect(seen).toEqual(everything);
      }),
      { numRuns: 20, examples: [[1], [2], [8], [100]] },
    );
  });

  it.each(['0', '-1', '101', 'ten', '1.5', '', '1&limit=2', '99999999999999999999', '0x10', '1e1', '%2010', '10.0'])(
    'answers 400 with details.limit to limit=%s',
    async (limit) => {
      for (const { status, body } of await both(`?limit=${limit}`)) {
        expect(status).toBe(400);
        expect(body.error.code).toBe('ERR_BAD_REQUEST');
        expect(Object.keys(body.error.details)).toEqual(['limit']);
        expect(body.error.details.limit.every((sentence: string) => sentence.endsWith('.'))).toBe(true);
      }
    },
  );

  it.each(['x', 'W10', 'WzEsMl0', 'bnVsbA', '%00', 'a'.repeat(2000)])(
    'answers 400 with details.cursor to a cursor that it did not make: %s',
    async (cursor) => {
      for (const { status, body } of await both(`?cursor=${cursor}`)) {
        expect(status).toBe(400);
        expect(Object.keys(body.error.details)).toEqual([cursor === '%00' ? 'url' : 'cursor']);
      }
    },
  );

  it('ignores query parameters that it does not know, as the platform does', async () => {
    const [managed] = await both('?page=2&per_page=1');
    expect(managed.body.meta.current.count).toBe(8);
  });

  it('shows 200 own rules, switched on and off, and each change as a new revision', async () => {
    const many = await gatehouse.newApp();
    const headers = { apikey: many.fullAccess };
    const own = Array.from({ length: 200 }, (_, i) => `own-${i}`);
    await Promise.all(
      own.map((id, i) =>
        gatehouse.ask(`/v3${path}`, {
          headers,
          body: {
            id,
            name: id,
            enabled: i % 2 === 0,
            action: ['blockMessage'],
            conditions: [{ operand: 'text', category: 'word', value: id }],
          },
        }),
      ),
    );
    const everyRule = async (): Promise<Listed[]> => {
      const listed: Listed[] = [];
      for (let cursor = ''; ; ) {
        const { body } = await gatehouse.ask(`/v3${path}?limit=100${cursor}`, { headers });
        listed.push(...body.data);
        if (body.meta.next === undefined) return listed;
        cursor = `&cursor=${body.meta.next.cursor}`;
      }
    };
    const listed = await everyRule();
    expect(listed.map(({ id }) => id).sort()).toEqual([...own, ...builtIns].sort());
    expect(listed.filter(({ id, enabled }) => id.startsWith('own-') && enabled)).toHaveLength(100);
    const { body } = await gatehouse.ask(`/v3${path}/own-7`, {
      method: 'PUT',
      headers,
      body: {
        name: 'own-7',
        enabled: true,
        action: ['blockMessage'],
        conditions: [{ operand: 'text', category: 'word', value: 'own-7' }],
      },
    });
    expect(body.data.revisionId).toBe(`${many.appId}_own-7_2`);
    const again = (await everyRule()).filter(({ id }) => id === 'own-7');
    expect(again.map(({ revisionId, enabled }) => [revisionId, enabled])).toEqual([[`${many.appId}_own-7_2`, true]]);
  });
});
