/** Whatever arrives in a body, a query or a path: a clear 4xx, never a 500, and nothing stored. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const rules = '/v3/moderation/rules';
const keywords = '/v3/moderation/keywords';
const rule = {
  id: 'fine',
  name: 'Fine',
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: ['x'] }],
};

describe.each(stores)('bodies on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  const post = (path: string, body: string | Uint8Array, type = 'application/json'): Promise<Answer> =>
    gatehouse.asApp(path, { method: 'POST', body, headers: { 'content-type': type } });
  const stored = async (): Promise<unknown> => [
    await gatehouse.app.store.get('SELECT COUNT(*) AS n FROM rules'),
    await gatehouse.app.store.get('SELECT COUNT(*) AS n FROM keyword_lists'),
    await gatehouse.app.store.get('SELECT COUNT(*) AS n FROM apps'),
  ];
  const refused = (answer: Answer, field: string): void => {
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('ERR_BAD_REQUEST');
    expect(Object.keys(answer.body.error.details)).toContain(field);
  };

  const text = JSON.stringify(rule);
  it.each<[string, string | Uint8Array, string]>([
    ['no JSON at all', 'hello', 'body'],
    ['an unfinished object', text.slice(0, -1), 'body'],
    ['a key given twice', text.replace('{', '{"name":"Other",'), 'body'],
    ['a key given twice inside', text.replace('"operand"', '"operand":"image","operand"'), 'body'],
    ['10,000 levels', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`, 'body'],
    ['U+0000 in a text', text.replace('Fine', 'Fi\\u0000ne'), 'body'],
    ['half of a surrogate pair', text.replace('Fine', 'Fi\\ud800ne'), 'body'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
      'body',
    ],
    ['UTF-8 that was cut', Buffer.from('{"name":"é"}').subarray(0, 10), 'body'],
    ['an array in place of an object', '[]', 'body'],
    ['null', 'null', 'body'],
    ['a number', '7', 'body'],
    ['a name that is a number', text.replace('"Fine"', '7'), 'name'],
    ['a name that is an object', text.replace('"Fine"', '{}'), 'name'],
    ['an empty name', text.replace('"Fine"', '""'), 'name'],
    ['a name that is too long', text.replace('Fine', 'x'.repeat(101)), 'name'],
    ['a control character in a name', text.replace('Fine', 'a\\u0007b'), 'name'],
    ['a line break in a name', text.replace('Fine', 'a\\nb'), 'name'],
    ['an id with a slash', text.replace('"fine"', '"a/b"'), 'id'],
    ['an unknown action', text.replace('"blockMessage"', '"explode"'), 'action.0'],
    ['no conditions', text.replace(/"conditions":\[.*\]/, '"conditions":[]'), 'conditions'],
    ['a condition without operand', text.replace('"operand":"text",', ''), 'conditions.0.operand'],
  ])('answers 400 to %s and stores nothing', async (_, body, field) => {
    const before = await stored();
    refused(await post(rules, body), field);
    expect(await stored()).toEqual(before);
  });

  it('answers 400 to an operation that needs a body and gets none', async () => {
    for (const path of [rules, keywords, '/v3/notifications/push/v1/providers/apns']) {
      const empty = await gatehouse.asApp(path, { method: 'POST' });
      refused(empty, 'body');
      refused(await post(path, ''), 'body');
    }
  });

  it('ignores fields of the platform that it does not know and does not store them', async () => {
    const answer = await post(rules, JSON.stringify({ ...rule, id: 'extra', colour: 'mauve', constructor: 1 }));
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain('mauve');
    const rows = await gatehouse.app.store.all('SELECT body FROM rules WHERE id = $1', ['extra']);
    expect(JSON.stringify(rows)).not.toContain('mauve');
  });

  it('refuses unknown fields in its own operations, whatever they are called', async () => {
    for (const field of ['colour', 'constructor', 'toString', 'hasOwnProperty', 'length']) {
      const { status, body } = await gatehouse.ask('/apps', {
        headers: { key: gatehouse.key, secret: gatehouse.secret },
        body: { name: 'New', [field]: 1 },
      });
      expect(status).toBe(400);
      expect(Object.entries(body.error.details)).toEqual([[field, [expect.stringMatching(/not known/)]]]);
    }
  });

  const condition = (value: unknown) => ({ ...rule, conditions: [{ operand: 'text', category: 'word', value }] });
  const filter = (value: unknown) => ({
    ...rule,
    filters: [{ type: 'sender', entity: 'user', operand: 'uid', operator: 'in', value }],
  });
  it.each<[string, string, unknown, Record<string, string>]>([
    [rules, 'POST', condition('x'.repeat(10_001)), { 'conditions.0.value': 'Must have at most 10000 characters.' }],
    [rules, 'POST', condition([]), { 'conditions.0.value': 'Must have at least 1 entry.' }],
    [rules, 'POST', condition(Array(1001).fill('x')), { 'conditions.0.value': 'Must have at most 1000 entries.' }],
    [rules, 'POST', condition(['x', 7]), { 'conditions.0.value.1': 'Must be a string.' }],
    [rules, 'POST', condition(7), { 'conditions.0.value': 'Must be a string or an array.' }],
    [rules, 'POST', filter('x'.repeat(1001)), { 'filters.0.value': 'Must have at most 1000 characters.' }],
    [rules, 'POST', filter([]), { 'filters.0.value': 'Must have at least 1 entry.' }],
    [rules, 'POST', filter(['a', {}]), { 'filters.0.value.1': 'Must be a string or a number or a boolean.' }],
    [rules, 'POST', filter({}), { 'filters.0.value': 'Must be a string or a number or a boolean or an array.' }],
    ['/v3/webhooks', 'POST', { url: 'https://a.example', triggers: [] }, { triggers: 'Must have at least 1 entry.' }],
    ['/v3/webhooks', 'POST', { url: 'https://a.example', triggers: 7 }, { triggers: 'Must be an array or null.' }],
    [
      '/v3/webhooks',
      'POST',
      { url: 'https://a.example', triggers: ['rule_changed', 'rule_changed'] },
      { triggers: 'Must not hold the same entry twice.' },
    ],
    ['/v3/moderation/settings', 'PATCH', { customApi: {} }, { 'customApi.url': 'This field is required.' }],
    ['/v3/moderation/settings', 'PATCH', {}, { body: 'Must have at least 1 field.' }],
    [
      '/v3/notifications/push/v1/preferences/mute?uid=ada',
      'PUT',
      { conversations: [{ id: 'a', type: 'both', until: 1 }] },
      { 'conversations.0.type': 'Must be one of: oneOnOne, group.' },
    ],
  ])('says what is wrong with the form that was sent: %s %s %#', async (path, method, body, details) => {
    const answer = await gatehouse.asApp(path, { method, body });
    const expected = Object.entries(details).map(([field, sentence]) => [field, [sentence]]);
    expect([answer.status, answer.body.error.details]).toEqual([400, Object.fromEntries(expected)]);
  });

  it('names at most a hundred mistakes of the form that was sent, too', async () => {
    const answer = await post(rules, JSON.stringify(condition(Array(400_000).fill(7))));
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details)).toHaveLength(100);
  });

  it('names at most a hundred mistakes, however many there are', async () => {
    const answer = await post(rules, JSON.stringify({ ...rule, action: Array(50_000).fill('explode') }));
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body.error.details).length).toBeLessThanOrEqual(100);
    expect(answer.text.length).toBeLessThan(100_000);
  });

  it('answers 400 to U+0000 in a query and in a path', async () => {
    refused(await gatehouse.asApp(`${rules}?cursor=a%00b`), 'url');
    refused(await gatehouse.asApp(`${rules}/a%00b`), 'url');
    refused(await gatehouse.asApp(`/nowhere/%00`), 'url');
  });

  it('answers 400 to a path that is not percent-encoded right, with a request id', async () => {
    for (const path of [`${rules}/%zz`, `${rules}/%ff`, `${rules}/%`]) {
      const answer = await gatehouse.asApp(path);
      refused(answer, 'url');
      expect(answer.body.error.devMessage).toContain(String(answer.headers.get('x-request-id')));
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it('answers 400 to a path that is too long for any record', async () => {
    const answer = await gatehouse.asApp(`${rules}/${'a'.repeat(6000)}`);
    refused(answer, 'url');
    expect(answer.text.length).toBeLessThan(1000);
  });

  describe('as forms', () => {
    const form = (fields: Record<string, string | Blob>): FormData => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.append(name, value);
      return data;
    };
    const send = (body: FormData): Promise<Answer> => gatehouse.asApp(keywords, { body });

    it.each<[string, Record<string, string | Blob>, string]>([
      ['U+0000 in a name', { name: 'a\0b' }, 'name'],
      ['U+0000 in a term', { id: 'nul', searchTerms: 'a\0b' }, 'searchTerms.0'],
      ['U+0000 in a file', { id: 'nul', file: new Blob(['a\0b\n']) }, 'searchTerms.0'],
      ['an id with spaces', { id: 'a b' }, 'id'],
      ['an unknown category', { id: 'cat', category: 'cat' }, 'category'],
      ['a term that is too long', { id: 'long', searchTerms: 'x'.repeat(101) }, 'searchTerms.0'],
      ['a file in another field', { id: 'other', upload: new Blob(['a']) }, 'upload'],
    ])('answers 400 to %s and stores nothing', async (_, fields, field) => {
      const before = await stored();
      refused(await send(form(fields)), field);
      expect(await stored()).toEqual(before);
    });

    const part = (name: string, bytes: readonly number[], file = '') => [
      Buffer.from(`--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
      Buffer.from(bytes),
      Buffer.from('\r\n'),
    ];
    const broken = [0x61, 0xff, 0xfe];
    const csv = '; filename="a.csv"';
    it.each([
      ['a name that is not UTF-8', [part('name', broken), part('searchTerms', [0x61])], 'name'],
      ['terms that are not UTF-8', [part('id', [0x61]), part('searchTerms', broken)], 'searchTerms'],
      ['a file that is not UTF-8', [part('id', [0x61]), part('file', broken, csv)], 'file'],
      ['a file that ends within a character', [part('id', [0x61]), part('file', [0x61, 0xe2, 0x82], csv)], 'file'],
      ['neither terms nor a file', [part('id', [0x61]), part('name', [0x61])], 'searchTerms'],
    ])('answers 400 to %s and stores nothing', async (_, parts, field) => {
      const before = await stored();
      const body = Buffer.concat([...parts.flat(), Buffer.from('--x--\r\n')]);
      refused(await post(keywords, body, 'multipart/form-data; boundary=x'), field);
      expect(await stored()).toEqual(before);
    });

    it.each([
      ['no boundary', 'multipart/form-data', 'hello'],
      ['a boundary that never comes', 'multipart/form-data; boundary=x', 'hello'],
      [
        'a form that was cut',
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\na',
      ],
    ])('answers 400 to %s', async (_, type, body) => {
      const before = await stored();
      const { status } = await post(keywords, body, type);
      expect(status).toBe(400);
      expect(await stored()).toEqual(before);
    });

    it('answers 413 to a list over 20 MB, a field that is too large and too many parts', async () => {
      const parts = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`field${i}`, 'x']));
      expect((await send(form(parts))).status).toBe(413);
      const half = 'x,'.repeat(6 * 1024 * 1024);
      expect((await send(form({ id: 'half', searchTerms: half, description: half }))).status).toBe(413);
      const json = await post(keywords, `{"id":"j","searchTerms":["${'x'.repeat(20 * 1024 * 1024)}"]}`);
      expect([json.status, json.body.error.code]).toEqual([413, 'ERR_PAYLOAD_TOO_LARGE']);
    });

    it('takes a JSON list between 1 MB and 20 MB', async () => {
      const searchTerms = Array.from({ length: 20_000 }, (_, i) => `term ${i} ${'x'.repeat(80)}`);
      const answer = await post(keywords, JSON.stringify({ id: 'big', name: 'Big', searchTerms }));
      expect(answer.status).toBe(200);
      expect(answer.body.data.searchTerms).toEqual(searchTerms);
    });

    const padding = `"other":"${'y'.repeat(1024 * 1024)}"`;
    it.each<[string, string | Uint8Array, string]>([
      ['an unfinished object', `{"id":"l",${padding}`, 'body'],
      ['a key given twice', `{"id":"l","id":"m",${padding}}`, 'body'],
      ['U+0000', `{"id":"l\\u0000",${padding}}`, 'body'],
      ['bytes that are not UTF-8', Buffer.concat([Buffer.from(`{${padding}`), Buffer.from([0xff])]), 'body'],
      ['a term that is no text', `{"id":"l","searchTerms":[${'"x",'.repeat(2000)}7],${padding}}`, 'searchTerms.2000'],
      [
        'a term of two lines',
        `{"id":"l","searchTerms":[${'"x",'.repeat(2000)}"a\\nb"],${padding}}`,
        'searchTerms.2000',
      ],
      ['no object', `["${'x'.repeat(1024 * 1024)}"]`, 'body'],
    ])('answers 400 to %s in a large body too, and stores nothing', async (_, body, field) => {
      const before = await stored();
      refused(await post(keywords, body), field);
      expect(await stored()).toEqual(before);
    });

    it('answers 415 to a form where only JSON is taken', async () => {
      expect((await gatehouse.asApp(rules, { body: form({ name: 'x' }) })).status).toBe(415);
    });
  });

  it('never answers 500, whatever JSON is sent to whatever takes a body', async () => {
    const nasty = fc.anything({ withNullPrototype: false, maxDepth: 3 });
    const value = fc.oneof(fc.jsonValue(), nasty, fc.constantFrom('__proto__', '\u0007', 'x'.repeat(5000), -0, 1e308));
    const fields = [
      'id',
      'name',
      'action',
      'conditions',
      'filters',
      'searchTerms',
      'category',
      'platform',
      'fcmToken',
      'authToken',
      'scope',
      'p8Key',
      'keyId',
      'apps',
      'constructor',
    ];
    const body = fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 6 });
    const places = fc.constantFrom(
      ['POST', rules],
      ['PUT', `${rules}/profanity-filter`],
      ['POST', keywords],
      ['POST', '/v3/notifications/push/v1/tokens'],
      ['DELETE', '/v3/notifications/push/v1/tokens'],
      ['PUT', '/v3/notifications/push/v1/providers/apns'],
      ['POST', '/apps'],
      ['POST', '/keypairs'],
      ['POST', `/apps/${gatehouse.appId}/apikeys`],
    );
    const headers = { apikey: gatehouse.fullAccess, key: gatehouse.key, secret: gatehouse.secret };
    await fc.assert(
      fc.asyncProperty(places, body, async ([method = '', path = ''], sent) => {
        const { status } = await gatehouse.ask(path, { method, headers, body: sent });
        expect(status).toBeLessThan(500);
      }),
      { numRuns: 150 },
    );
  });
});
