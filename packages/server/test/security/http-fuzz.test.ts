import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { type Document, type Made, requestOf, type Schema, type Target, targetsOf } from './requests.ts';
import { type Seeded, seed } from './seed.ts';

/** `npm run fuzz` asks again and again, with other seeds. */
const runs = Number(process.env.FUZZ_RUNS ?? 4);

/** A damaged address may be that of another operation, or of none. */
const elsewhere = [404, 405];
/** Deleting what the test stands on is tried on what is not there. */
const fatal = new Set(['deleteApp', 'revokeKeyPair', 'signOutEverywhere', 'signOut']);

describe.each(stores)('every operation of the document, on %s', (store) => {
  let gatehouse: Gatehouse;
  let seeded: Seeded;
  let document: Document;
  let targets: Target[];
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  const checks = new Map<string, ValidateFunction>();

  beforeAll(async () => {
    gatehouse = await startGatehouse(store, {
      GATEHOUSE_RATE_PER_MINUTE: '0',
      GATEHOUSE_OWN_RULES_MAX: '1000',
      GATEHOUSE_OWN_LISTS_MAX: '1000',
      // Pushes go nowhere but to this machine, where nobody listens.
      GATEHOUSE_PRIVATE_HOSTS: '127.0.0.1:9',
      GATEHOUSE_APNS_HOST: '127.0.0.1:9',
      GATEHOUSE_FCM_HOST: '127.0.0.1:9',
      GATEHOUSE_LOG_LEVEL: 'debug',
    });
    seeded = await seed(gatehouse, 'fuzz');
    document = (await gatehouse.ask('/openapi.json')).body;
    targets = targetsOf(document);
  });
  afterAll(() => gatehouse.close());

  const checkOf = (target: Target, status: number, schema: Schema): ValidateFunction => {
    const key = `${target.operationId} ${status}`;
    let check = checks.get(key);
    if (check === undefined) {
      check = ajv.compile({ ...schema, components: document.components });
      checks.set(key, check);
    }
    return check;
  };

  function judge(target: Target, answer: Answer): void {
    const { status, text, body } = answer;
    const said = `${target.method} ${target.path} -> ${status} ${text.slice(0, 500)}`;
    expect(status, said).toBeLessThan(500);
    expect([...Object.keys(target.responses).map(Number), ...elsewhere], said).toContain(status);
    expect(text, said).not.toMatch(/\bat .*\.(ts|js):\d+|node_modules|SQLITE_|syntax error at/);
    for (const secret of seeded.secrets) expect(text.includes(secret), said).toBe(false);
    const content = (target.responses[status] ?? target.responses[400])?.content ?? {};
    expect(Object.keys(content), said).toContain(answer.headers.get('content-type')?.split(';')[0]);
    const schema = content['application/json']?.schema;
    if (body === undefined || schema === undefined) return;
    const check = checkOf(target, status, schema);
    expect(check(body), `${said}\n${JSON.stringify(check.errors)}`).toBe(true);
  }

  async function send(target: Target, made: Made): Promise<Answer> {
    const management = !target.path.startsWith('/v3/');
    const headers: Record<string, string> = management
      ? { key: gatehouse.key, secret: gatehouse.secret }
      : { apikey: gatehouse.fullAccess };
    return gatehouse.ask(made.path, {
      method: target.method,
      headers: { ...headers, ...(made.body !== undefined && { 'content-type': 'application/json' }) },
      ...(made.body !== undefined && { body: JSON.stringify(made.body) }),
    });
  }

  it.each(['valid', 'damaged'] as const)(
    'answers %s requests as it says it does: no fault, no secret',
    async (manner) => {
      for (const target of targets) {
        const known = fatal.has(target.operationId) ? {} : seeded.known;
        await fc.assert(
          fc.asyncProperty(requestOf(target, known, manner), async (made) => judge(target, await send(target, made))),
          { numRuns: runs, endOnFailure: runs < 10 },
        );
      }
    },
  );

  it('answers requests without credentials, or with nonsense for them, without saying more', async () => {
    for (const target of targets) {
      for (const headers of [{}, { apikey: 'x', key: 'x', secret: 'x', authToken: 'x', appId: 'x' }]) {
        const [made] = fc.sample(requestOf(target, seeded.known, 'known'), { numRuns: 1, seed: 7 });
        if (made === undefined) continue;
        const answer = await gatehouse.ask(made.path, {
          method: target.method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(made.body !== undefined && { body: JSON.stringify(made.body) }),
        });
        judge(target, answer);
        if (target.security.length > 0) expect(answer.status, `${target.operationId} ${answer.text}`).toBe(401);
        expect(answer.text).not.toContain('"stack"');
      }
    }
  });

  it('has written no secret into its log', () => {
    const logs = gatehouse.logs();
    for (const secret of [...seeded.secrets, gatehouse.fullAccess, seeded.authToken])
      expect(logs.includes(secret)).toBe(false);
  });
});
