import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RateLimit } from '../../src/http/rate-limit.ts';
import { type Answer, type Gatehouse, startGatehouse } from '../gatehouse.ts';

const path = '/v3/moderation/rules';

/** Memory of the process decides, whatever the store: one store tells. */
describe('the rate limit', () => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite', { GATEHOUSE_RATE_PER_MINUTE: '3' });
  });
  afterAll(() => gatehouse.close());

  const call = (apikey: string): Promise<Answer> => gatehouse.ask(path, { headers: { apikey } });
  const header = (answer: Answer, name: string): number => Number(answer.headers.get(name));

  it('counts down in both spellings of the platform and in the pair of the IETF', async () => {
    const { fullAccess } = await gatehouse.newApp();
    for (const remaining of [2, 1, 0]) {
      const answer = await call(fullAccess);
      expect(answer.status).toBe(200);
      for (const name of ['x-rate-limit', 'x-rate-limit-limit', 'x-ratelimit-limit'])
        expect(header(answer, name)).toBe(3);
      for (const name of ['x-rate-limit-remaining', 'x-ratelimit-remaining'])
        expect(header(answer, name)).toBe(remaining);
      for (const name of ['x-rate-limit-reset', 'x-ratelimit-reset'])
        expect(Math.abs(header(answer, name) - Date.now() / 1000)).toBeLessThan(90);
      expect(answer.headers.get('ratelimit')).toMatch(new RegExp(`^"key";r=${remaining};t=\\d+$`));
      expect(answer.headers.get('ratelimit-policy')).toBe('"key";q=3;w=60');
      expect(answer.headers.get('retry-after')).toBeNull();
    }
  });

  it('answers 429 with Retry-After once the share is used, for this key only', async () => {
    const [busy, calm] = [await gatehouse.newApp(), await gatehouse.newApp()];
    for (let i = 0; i < 3; i++) await call(busy.fullAccess);
    const refused = await call(busy.fullAccess);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'ERR_TOO_MANY_REQUESTS']);
    expect(header(refused, 'retry-after')).toBeGreaterThanOrEqual(1);
    expect(header(refused, 'x-ratelimit-remaining')).toBe(0);
    expect((await call(calm.fullAccess)).status).toBe(200);
    expect((await call(busy.authOnly)).status).toBe(403);
  });

  it('is not used up by requests without valid credentials', async () => {
    for (let i = 0; i < 10; i++) expect((await call('unknown')).status).toBe(401);
  });

  it('can be switched off', async () => {
    const free = await startGatehouse('sqlite', { GATEHOUSE_RATE_PER_MINUTE: '0' });
    try {
      for (let i = 0; i < 5; i++) {
        const answer = await free.asApp(path);
        expect(answer.status).toBe(200);
        expect(answer.headers.get('ratelimit')).toBeNull();
      }
    } finally {
      await free.close();
    }
  });

  it('stands at 20,000 a minute unless told otherwise', async () => {
    const usual = await startGatehouse('sqlite');
    try {
      expect(header(await usual.asApp(path), 'x-ratelimit-limit')).toBe(20_000);
    } finally {
      await usual.close();
    }
  });

  it('never lets more through than the limit and its refill, and keeps the promise of Retry-After', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.array(fc.integer({ min: -1000, max: 20_000 }), { minLength: 1, maxLength: 200 }),
        (perMinute, steps) => {
          let now = 1_000_000;
          let passed = 0;
          const caller = { kind: 'visitor', id: 'somebody' } as const;
          let elapsed = 0;
          const limit = new RateLimit(perMinute, () => now);
          for (const step of steps) {
            now += step;
            elapsed += Math.max(0, step);
            const decision = limit.take(caller);
            if (decision.allowed) passed++;
            expect(passed).toBeLessThanOrEqual(perMinute + (elapsed * perMinute) / 60_000 + 1e-6);
            expect(decision.remaining).toBeGreaterThanOrEqual(0);
            if (decision.allowed) continue;
            now += decision.waitSeconds * 1000;
            elapsed += decision.waitSeconds * 1000;
            expect(limit.take(caller).allowed).toBe(true);
            passed++;
          }
        },
      ),
    );
  });
});
