import { validate } from '@scalar/openapi-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue } from '../../src/errors.ts';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';

interface Response {
  description: string;
  content?: Record<string, { schema: unknown; example?: unknown }>;
}
interface Described {
  operationId: string;
  summary: string;
  tags: string[];
  security: object[];
  requestBody?: unknown;
  parameters?: { name: string; in: string; schema: { type?: string } }[];
  responses: Record<string, Response>;
}

/** Signing in comes before having credentials. */
const isOpen = (where: string): boolean => /\/(session|sign-in)/.test(where);

describe('/openapi.json', () => {
  let gatehouse: Gatehouse;
  let document: { openapi: string; paths: Record<string, Record<string, Described>>; [field: string]: unknown };
  let operations: [where: string, operation: Described][];
  beforeAll(async () => {
    gatehouse = await startGatehouse('sqlite');
    document = (await gatehouse.ask('/openapi.json')).body;
    operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, op]): [string, Described] => [`${method.toUpperCase()} ${path}`, op]),
    );
  });
  afterAll(() => gatehouse.close());

  it('is a valid document of OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    const { valid, errors } = await validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('lists the three operations of the contract by their names', () => {
    const names = Object.fromEntries(operations.map(([where, { operationId }]) => [where, operationId]));
    expect(names).toMatchObject({
      'GET /apps/{appId}/moderation/rules': 'listRulesOfApp',
      'GET /v3/moderation/rules': 'listRules',
      'GET /v3/notifications/push/v1/tokens': 'listPushTokens',
      'POST /v3/notifications/push/v1/providers/apns': 'addApnsProvider',
    });
  });

  it('gives every operation a name of its own, a summary, a tag and what it takes to be let in', () => {
    const names = operations.map(([, { operationId }]) => operationId);
    expect(new Set(names).size).toBe(names.length);
    for (const [where, { operationId, summary, tags, security }] of operations) {
      expect(operationId, where).toMatch(/^[a-z][A-Za-z]+$/);
      expect(summary, where).toMatch(/\.$/);
      expect(tags, where).toHaveLength(1);
      if (!isOpen(where)) expect(security.length, where).toBeGreaterThan(0);
    }
  });

  it('gives every operation an example of its success that its own schema would take', () => {
    for (const [where, { responses }] of operations) {
      const content = (responses['200'] ?? responses['202'])?.content ?? {};
      const types = where.endsWith('/export')
        ? ['application/x-ndjson', 'text/csv']
        : where.includes('/review-attachments/')
          ? ['image/*', 'video/*']
          : ['application/json'];
      expect(Object.keys(content).sort(), where).toEqual(types);
      for (const { example, schema } of Object.values(content)) {
        expect(example, where).toBeDefined();
        expect(schema, where).toBeTypeOf('object');
      }
    }
  });

  it('gives every operation its errors, each by a code of the catalogue and with an example', () => {
    for (const [where, op] of operations) {
      const statuses = Object.keys(op.responses).map(Number);
      const common = [400, 421, 429, 500, 503];
      if (!isOpen(where)) common.push(401);
      if (where.includes('{appId}')) common.push(404);
      expect(statuses, where).toEqual(expect.arrayContaining(common));
      if (op.requestBody !== undefined) expect(statuses, where).toEqual(expect.arrayContaining([413, 415]));
      for (const [status, { description, content }] of Object.entries(op.responses)) {
        if (status.startsWith('2')) continue;
        const codes = description.split('\n\n').map((line) => line.split(':')[0] ?? '');
        for (const code of codes)
          expect(catalogue[code as keyof typeof catalogue]?.status, `${where} ${code}`).toBe(Number(status));
        expect(content?.['application/json']?.example, where).toMatchObject({ error: { code: codes[0] } });
      }
    }
  });

  it('names the errors that belong to one operation only', () => {
    const op = document.paths['/v3/notifications/push/v1/providers/apns']?.post;
    expect(op?.responses['409']?.description).toContain('ERR_PROVIDER_ALREADY_EXISTS');
    expect(op?.responses['403']?.description).toContain('AUTH_ERR_NO_ACCESS');
  });

  it('describes the parameters of the listings', () => {
    const parameters = document.paths['/v3/notifications/push/v1/tokens']?.get?.parameters ?? [];
    expect(
      parameters
        .filter((one) => one.in === 'query')
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['all', 'authToken', 'cursor', 'limit', 'uid']);
  });

  it('holds no route that is for machines or for the page itself', () => {
    expect(
      Object.keys(document.paths).filter((path) =>
        /^\/(reference|livez|readyz|metrics|version|dashboard)\b/.test(path),
      ),
    ).toEqual([]);
  });

  it('is shown by a page at /reference that asks nothing of any other host', async () => {
    const page = await gatehouse.ask('/reference/');
    expect(page.status).toBe(200);
    const loaded = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address));
    for (const address of loaded) expect(address).not.toMatch(/^(https?:)?\/\//);
  });
});
