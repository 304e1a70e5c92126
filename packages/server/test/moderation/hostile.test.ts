import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const message = (text: string) => ({ sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text } });

/** The classic set: each takes longer than anybody lives with an engine that tries every way. */
const evil: [pattern: string, text: string][] = [
  ['(a+)+$', `${'a'.repeat(50_000)}!`],
  ['([a-zA-Z]+)*$', `${'a'.repeat(50_000)}!`],
  ['(a|aa)+$', `${'a'.repeat(50_000)}!`],
  ['(a|a?)+$', `${'a'.repeat(50_000)}!`],
  ['(.*a){20}$', `${'a'.repeat(20_000)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(50_000)],
  ['(x+x+)+y', 'x'.repeat(50_000)],
  ['^(\\w+\\s?)*$', `${'word '.repeat(10_000)}!`],
  ['((a{0,5}){0,5}){0,5}[bc]', 'a'.repeat(50_000)],
  ['\\s+$', `${' '.repeat(50_000)}x`],
];

// The store has no part in it: one is enough.
describe.each(stores.slice(0, 1))('hostile input on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_OWN_RULES_MAX: '100' });
  });
  afterAll(() => gatehouse.close());

  const check = (text: string) => gatehouse.asApp('/v3/moderation/check', { body: message(text) });

  it.each(evil)(
    'judges %s at the pace of any other pattern, or refuses it when it is written',
    async (value, text) => {
      const made = await gatehouse.asApp('/v3/moderation/rules', {
        body: { name: 'Evil', action: ['blockMessage'], conditions: [{ operand: 'text', category: 'pattern', value }] },
      });
      expect([200, 400]).toContain(made.status);
      const answer = await check(text);
      expect(answer.status).toBe(200);
      if (made.status === 200) await gatehouse.asApp(`/v3/moderation/rules/${made.body.data.id}`, { method: 'DELETE' });
    },
    20_000,
  );

  it.each([
    ['one letter', 'a'.repeat(1_000_000)],
    ['letters apart', 'f u c k '.repeat(125_000)],
    ['disguises', 'f.ü.ç.k1'.repeat(125_000)],
    ['invisible characters', '\u200b'.repeat(900_000)],
    ['marks upon marks', `a${'\u0301'.repeat(900_000)}`],
    ['pictures', '😀'.repeat(450_000)],
    ['Han', '你'.repeat(900_000)],
  ])(
    'judges a million of %s',
    async (_what, text) => {
      const answer = await check(text);
      expect(answer.status).toBe(200);
      expect(['allow', 'block']).toContain(answer.body.data.verdict);
    },
    30_000,
  );

  it('answers 400 for a text that is too long and 413 for a body that is too large', async () => {
    expect((await check('a'.repeat(1_000_001))).status).toBe(400);
    expect((await check('a'.repeat(5_000_000))).status).toBe(413);
  });

  it('answers 400 for U+0000, half characters and fields called __proto__', async () => {
    const raw = (body: string) =>
      gatehouse.asApp('/v3/moderation/check', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
    const around = (text: string) => `{"sender":"a","receiver":"b","receiverType":"user","data":{"text":${text}}}`;
    expect((await raw(around('"\\u0000"'))).status).toBe(400);
    expect((await raw('{"__proto__":{"sender":"a"}}')).status).toBe(400);
    expect((await raw(around('"\\ud83d"'))).status).toBeLessThan(500);
  });

  it('answers another app before a message that was made to be slow is through', async () => {
    const other = await gatehouse.newApp();
    const headers = { apikey: other.fullAccess };
    const slow = check('f u c k '.repeat(125_000)).then(() => 'slow');
    for (let i = 0; i < 5; i++) {
      const quick = gatehouse.ask('/v3/moderation/check', { body: message('hello'), headers }).then(() => 'quick');
      expect(await Promise.race([slow, quick])).toBe('quick');
    }
    expect(await slow).toBe('slow');
  }, 30_000);

  it("does not keep an app's rule change waiting for another app's list of a quarter of a million", async () => {
    const heavy = await gatehouse.newApp();
    const as = (apikey: string, path: string, body: object, method = 'POST') =>
      gatehouse.ask(`/v3/moderation${path}`, { method, body, headers: { apikey } });
    const word = (value: string[], isKeywordsReferencePresent = false) => ({
      name: 'A rule',
      action: ['blockMessage'],
      conditions: [{ operand: 'text', category: 'word', isKeywordsReferencePresent, value }],
    });
    const terms = Array.from({ length: 250_000 }, (_, i) => `zorb${i.toString(36)}`);
    await as(heavy.fullAccess, '/keywords', { id: 'heavy', searchTerms: terms });
    await as(heavy.fullAccess, '/rules', { id: 'heavy', ...word(['heavy'], true) });
    await as(heavy.fullAccess, '/check', message('warm'));
    await check('warm');
    // The heavy app's rules are compiled anew, and again; meanwhile the small one changes a rule of its own.
    const slow = as(heavy.fullAccess, '/rules/heavy', { ...word(['heavy'], true), name: 'Changed' }, 'PUT').then(
      () => 'slow',
    );
    const quick = as(gatehouse.fullAccess, '/rules', { id: 'small', ...word(['quibble']) }).then(() => 'quick');
    expect(await Promise.race([slow, quick])).toBe('quick');
    expect((await check('a quibble')).body.data.verdict).toBe('block');
    await slow;
    expect((await as(heavy.fullAccess, '/check', message(`a ${terms[249_999]}`))).body.data.verdict).toBe('block');
  }, 60_000);

  it('names a hundred matches of a rule at most', async () => {
    const { body } = await check('fuck '.repeat(5000));
    expect(body.data.verdict).toBe('block');
    expect(body.data.matches).toHaveLength(100);
  });

  it('answers other apps while one sends batch after batch of long messages', async () => {
    const other = await gatehouse.newApp();
    const long = { messages: Array.from({ length: 30 }, () => message('lorem ipsum dolor '.repeat(5000))) };
    let done = 0;
    const flood = Array.from({ length: 8 }, () =>
      gatehouse.asApp('/v3/moderation/check', { body: long }).then(({ status }) => {
        done++;
        return status;
      }),
    );
    let served = 0;
    while (done < flood.length && served < 200) {
      const answer = await gatehouse.ask('/v3/moderation/check', {
        body: message('hello'),
        headers: { apikey: other.fullAccess },
      });
      expect(answer.status).toBe(200);
      served++;
    }
    expect(await Promise.all(flood)).toEqual(flood.map(() => 200));
    // One after the other they would have been two or three: the other app had its turn all along.
    expect(served).toBeGreaterThan(flood.length);
  }, 60_000);
});
