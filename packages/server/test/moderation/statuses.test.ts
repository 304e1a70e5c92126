/** What every operation of moderation answers when it is asked wrongly; what it answers otherwise has a file of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

interface Documented {
  operationId: string;
  requestBody?: unknown;
  parameters?: { in: string; name: string; schema: { type?: string; enum?: unknown } }[];
  responses: Record<string, unknown>;
}

const document: { paths: Record<string, Record<string, Documented>> } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi.json'), 'utf8'),
);
const operations = Object.entries(document.paths)
  .filter(([path]) => /^\/(v3|apps\/\{appId\})\/(moderation\/|messages\/\{messageId\}\/flagged)/.test(path))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => ({ ...op, id: op.operationId, path, method: method.toUpperCase() })),
  );
type Operation = (typeof operations)[number];

const ofRecord = (op: Operation): boolean => /\{(?!appId)\w+\}/.test(op.path);
const withBody = (op: Operation): boolean => op.requestBody !== undefined;
const readsBody = (op: Operation): boolean => op.method !== 'GET';
const ofApp = (op: Operation): boolean => op.path.startsWith('/v3/');

const rule = {
  name: 'A rule',
  action: ['blockMessage'],
  conditions: [{ operand: 'text', category: 'word', value: ['x'] }],
};
/** A body that would be taken if only the record were there. */
const bodies: Record<string, unknown> = {
  replaceRule: rule,
  backtestRule: { days: 1 },
  replaceKeywordList: { name: 'A list', searchTerms: ['x'] },
  addKeywordTerms: { searchTerms: ['x'] },
  removeKeywordTerms: { searchTerms: ['x'] },
  editMessage: { data: { text: 'x' } },
  reviewBlockedMessage: { status: 'approved' },
  reviewFlaggedMessage: { status: 'approved' },
  flagMessage: { reasonId: 'spam' },
  replaceReason: { name: 'A reason' },
};
const tooLarge = `{"x":"${'x'.repeat(21 * 1024 * 1024)}"}`;
/** Answers that come of what is stored (conflicts) or of the whole house (hosts, limits, faults): tested where that is made. */
const elsewhere = ['200', '409', '412', '421', '422', '429', '500', '503'];

describe.each(stores)('moderation asked wrongly on %s', (store) => {
  let gatehouse: Gatehouse;
  let before: unknown;
  const stored = async (): Promise<unknown> =>
    Promise.all(
      ['rules', 'keyword_lists', 'messages', 'review_entries', 'reasons', 'audit'].map((table) =>
        gatehouse.app.store.get(`SELECT COUNT(*) AS n FROM ${table}`),
      ),
    );
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, { GATEHOUSE_BACKTEST_DAYS: '1' });
    before = await stored();
  });
  afterAll(() => gatehouse.close());

  const seen = new Map<string, Set<string>>();
  const pathOf = (op: Operation, appId = gatehouse.appId): string =>
    op.path
      .replace('{appId}', appId)
      .replace('{revision}', '1')
      .replaceAll(/\{\w+\}/g, 'nothing-here');
  async function ask(
    op: Operation,
    path: string,
    { headers, body, type = 'application/json' }: { headers?: Record<string, string>; body?: BodyInit; type?: string },
  ): Promise<Answer> {
    const { fullAccess, key, secret } = gatehouse;
    const credentials = ofApp(op) ? { apikey: fullAccess, onbehalfof: 'ada' } : { key, secret };
    const answer = await gatehouse.ask(path, {
      method: op.method,
      headers: { ...(headers ?? credentials), ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    seen.set(op.id, (seen.get(op.id) ?? new Set()).add(String(answer.status)));
    return answer;
  }
  const valid = (op: Operation): { body?: string } =>
    withBody(op) ? { body: JSON.stringify(bodies[op.id.replace(/OfApp$/, '')] ?? {}) } : {};

  it.each(operations)('$id answers 401 without credentials', async (op) => {
    expect((await ask(op, pathOf(op), { ...valid(op), headers: {} })).status).toBe(401);
  });

  it.each(operations.filter(ofApp))('$id answers 403 to a key that is for sign-in only', async (op) => {
    expect((await ask(op, pathOf(op), { ...valid(op), headers: { apikey: gatehouse.authOnly } })).status).toBe(403);
  });

  it.each(operations)('$id answers 404 for an app that is not the one of the credentials', async (op) => {
    const elsewhereApp = '0123456789abcdef';
    const headers = { apikey: gatehouse.fullAccess, appid: elsewhereApp };
    const answer = await ask(op, pathOf(op, elsewhereApp), { ...valid(op), ...(ofApp(op) && { headers }) });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'ERR_APP_NOT_FOUND']);
  });

  it.each(operations.filter(ofRecord))('$id answers 404 for a record that is not there', async (op) => {
    const { status, body } = await ask(op, pathOf(op), valid(op));
    expect([status, body.error.code]).toEqual([404, expect.stringMatching(/^ERR_(?!APP_).*NOT_FOUND$/)]);
  });

  it.each(operations)('$id answers 400 to what cannot be read', async (op) => {
    const inQuery = op.parameters?.find(({ in: where, schema }) => where === 'query' && schema.type === 'integer');
    const query = inQuery === undefined ? '?x=%00' : `?${inQuery.name}=0x1`;
    const answer = withBody(op)
      ? await ask(op, pathOf(op), { body: '{"unfinished":' })
      : await ask(op, pathOf(op) + query, {});
    expect([answer.status, Object.keys(answer.body.error.details)]).toEqual([
      400,
      [withBody(op) ? 'body' : (inQuery?.name ?? 'url')],
    ]);
  });

  it.each(operations.filter(readsBody))(
    '$id answers 413 to a body that is too large and 415 to one that is no JSON',
    async (op) => {
      const large = await ask(op, pathOf(op), { body: tooLarge });
      expect([large.status, large.body.error.code]).toEqual([413, 'ERR_PAYLOAD_TOO_LARGE']);
      expect((await ask(op, pathOf(op), { body: 'hello', type: 'text/plain' })).status).toBe(415);
    },
  );

  it('has shown every answer that the document speaks of, and kept nothing', async () => {
    for (const op of operations) {
      // A key and secret may do everything; 403 is for people there.
      const wanted = Object.keys(op.responses).filter(
        (status) => !elsewhere.includes(status) && (ofApp(op) || status !== '403'),
      );
      expect([...(seen.get(op.id) ?? [])].sort(), op.id).toEqual(wanted.sort());
    }
    expect(await stored()).toEqual(before);
  });
});
