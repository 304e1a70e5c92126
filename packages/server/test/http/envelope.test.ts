import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

describe.each(stores)('answers on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  it('carry a request id of their own, or the harmless one that was sent', async () => {
    const id = async (sent?: string): Promise<string> =>
      (await gatehouse.ask('/livez', { headers: sent === undefined ? {} : { 'x-request-id': sent } })).headers.get(
        'x-request-id',
      ) ?? '';
    expect(await id()).not.toBe(await id());
    expect(await id('order-17.retry_2')).toBe('order-17.retry_2');
    for (const sent of ['a b', '<script>', 'x'.repeat(65), 'ä', '"}'])
      expect(await id(sent)).toMatch(/^[0-9a-f]{18}-[0-9a-z]+$/);
  });

  it('of an error repeat the request id in devMessage, and the log has it too', async () => {
    const { body } = await gatehouse.asApp('/v3/moderation/rules/none', { headers: { 'x-request-id': 'find-me' } });
    expect(body.error).toEqual({
      code: 'ERR_RULE_NOT_FOUND',
      message: 'There is no rule with this id.',
      devMessage: 'There is no rule with this id. (request find-me)',
      details: {},
      source: 'gatehouse',
    });
    const line = gatehouse
      .logs()
      .split('\n')
      .find((one) => one.includes('find-me'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({
      method: 'GET',
      route: '/v3/moderation/rules/:ruleId',
      status: 404,
      appId: gatehouse.appId,
      actor: expect.stringMatching(/^apiKey:/),
    });
  });

  it('to a path that nobody serves are 404 ERR_API_NOT_FOUND', async () => {
    for (const path of ['/v3', '/v3/nothing', '/apps/x/y/z', '/V3/moderation/rules']) {
      const { status, body } = await gatehouse.asApp(path);
      expect([status, body.error.code], path).toEqual([404, 'ERR_API_NOT_FOUND']);
    }
  });

  it.each([
    ['PATCH', '/v3/moderation/rules/x', 'DELETE, GET, PUT'],
    ['DELETE', '/livez', 'GET'],
    ['OPTIONS', '/v3/moderation/rules', 'GET, POST'],
    ['GET', '/v3/users/ada/auth_tokens/x', 'DELETE'],
  ])('to %s %s are 405 with Allow: %s', async (method, path, allow) => {
    const answer = await gatehouse.asApp(path, { method });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe(allow);
    expect(answer.body.error.code).toBe('ERR_METHOD_NOT_ALLOWED');
  });

  it('tell no cache, frame or sniffer anything, errors included', async () => {
    for (const path of ['/v3/moderation/rules', '/v3/nothing', '/v3/moderation/rules/%zz', '/livez']) {
      const { headers } = await gatehouse.asApp(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-powered-by')).toBeNull();
    }
  });

  it('to a device that deletes its tokens need no body', async () => {
    const authToken = await gatehouse.newUser('grace');
    const { status, body } = await gatehouse.ask('/v3/notifications/push/v1/tokens', {
      method: 'DELETE',
      headers: { authToken },
    });
    expect([status, body]).toEqual([200, { data: { pushTokens: [], success: true } }]);
  });

  it('of one key hold nothing of another when thousands are under way at once', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => gatehouse.newApp()));
    const answers = await Promise.all(
      Array.from({ length: 400 }, async (_, i) => {
        const tenant = tenants[i % tenants.length] ?? gatehouse;
        const { body } = await gatehouse.ask('/v3/moderation/rules?limit=1', {
          headers: { apikey: tenant.fullAccess },
        });
        return String(body.data[0].revisionId).startsWith(`${tenant.appId}_`);
      }),
    );
    expect(new Set(answers)).toEqual(new Set([true]));
  });
});

describe.each(stores)('for machines that watch, on %s,', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  it('/livez and /readyz say ok, and /version says which', async () => {
    expect((await gatehouse.ask('/livez')).body).toEqual({ status: 'ok' });
    expect((await gatehouse.ask('/readyz')).body).toEqual({ status: 'ok', store });
    const { body } = await gatehouse.ask('/version');
    expect(body).toEqual({
      name: 'gatehouse',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.version,
      store,
    });
  });

  it('/metrics counts requests by route and status, and holds no path, id or key', async () => {
    await gatehouse.asApp('/v3/moderation/rules/some-rule-of-mine');
    await gatehouse.asApp('/v3/surprise/path');
    const { text, headers } = await gatehouse.ask('/metrics');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(text).toContain(
      'gatehouse_http_request_seconds_count{method="GET",route="/v3/moderation/rules/:ruleId",status="404"} 1',
    );
    expect(text).toContain('route="none",status="404"');
    expect(text).toContain('process_cpu_seconds_total');
    for (const hidden of ['some-rule-of-mine', 'surprise', gatehouse.appId, gatehouse.fullAccess])
      expect(text).not.toContain(hidden);
  });
});
