import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ConfigError } from '../../src/config-checks.ts';
import { type Gatehouse, startGatehouse } from '../gatehouse.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';

interface Told {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code?: number };
}

function spansAt(collector: Receiver): Told[] {
  return collector.received.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: { scopeSpans: { spans: Told[] }[] }) =>
      resource.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

function attributesOf({ attributes }: Told): Record<string, string | undefined> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]));
}

const message = { sender: 'ann', receiver: 'bob', receiverType: 'user', type: 'text', data: { text: 'a threat' } };
const yes = answer(200, JSON.stringify({ isMatchingCondition: true, confidence: 0.9, reason: 'A threat.' }));

/** A service with a custom API and an endpoint, so that one message makes us ask two others. */
async function startTraced(environment: Record<string, string>, judge: Receiver, endpoint: Receiver) {
  const gatehouse = await startGatehouse('sqlite', {
    GATEHOUSE_PRIVATE_HOSTS: `${judge.host},${endpoint.host}`,
    ...environment,
  });
  judge.behave(yes);
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  const settings = { customApi: { url: judge.url, secret } };
  await gatehouse.asApp('/v3/moderation/settings', { method: 'PATCH', body: settings });
  const condition = { operand: 'text', category: 'custom-api', value: ['threats'] };
  const rule = { id: 'threats', name: 'Threats', action: ['blockMessage'], conditions: [condition] };
  await gatehouse.asApp('/v3/moderation/rules', { body: rule });
  const triggers = ['moderation_engine_blocked'];
  await gatehouse.asApp('/v3/webhooks', { body: { url: `${endpoint.url}/hook?token=abc`, triggers } });
  return gatehouse;
}

describe('traces', () => {
  let collector: Receiver;
  let judge: Receiver;
  let endpoint: Receiver;
  let gatehouse: Gatehouse;
  const token = randomBytes(12).toString('hex');
  const traceId = randomBytes(16).toString('hex');
  const callerId = randomBytes(8).toString('hex');

  beforeAll(async () => {
    [collector, judge, endpoint] = [await startReceiver(), await startReceiver(), await startReceiver()];
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/otlp/`,
      OTEL_EXPORTER_OTLP_HEADERS: `X-Team=${token}, x-note=a%20b`,
      OTEL_SERVICE_NAME: 'moderation-eu',
    };
    gatehouse = await startTraced(environment, judge, endpoint);
    const headers = { traceparent: `00-${traceId}-${callerId}-01`, 'x-request-id': 'seen-from-outside' };
    await gatehouse.asApp('/v3/moderation/messages', { body: message, headers });
    await endpoint.until(1);
    const unsampled = { traceparent: `00-${traceId.replace(/./g, 'e')}-${callerId}-00` };
    await gatehouse.asApp('/v3/moderation/messages', { body: message, headers: unsampled });
    await judge.until(2);
    await gatehouse.asApp('/v3/moderation/rules/nothing', { headers: { traceparent: 'nonsense' } });
    await gatehouse.ask('/livez');
    await gatehouse.ask('/nowhere');
    await gatehouse.close();
  });
  afterAll(async () => {
    for (const receiver of [collector, judge, endpoint]) await receiver.close();
  });

  it('reach the collector before the process ends, under the name of the service and with the headers it asks for', () => {
    expect(collector.received.length).toBeGreaterThan(0);
    for (const { path, headers, body } of collector.received) {
      expect(path).toBe('/otlp/v1/traces');
      expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-team': token, 'x-note': 'a b' });
      const [resource] = JSON.parse(body).resourceSpans;
      expect(resource.resource.attributes[0]).toEqual({ key: 'service.name', value: { stringValue: 'moderation-eu' } });
    }
    expect(gatehouse.logs()).not.toContain(token);
  });

  it('have a span for a request, named by its operation, that goes on with the trace of the caller', () => {
    const span = spansAt(collector).find(
      ({ name, parentSpanId }) => name === 'judgeMessage' && parentSpanId === callerId,
    );
    expect(span).toMatchObject({ traceId, kind: 2, status: {} });
    expect(attributesOf(span as Told)).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v3/moderation/messages',
      'http.response.status_code': '200',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'gatehouse.request_id': 'seen-from-outside',
    });
    const { startTimeUnixNano, endTimeUnixNano } = span as Told;
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
    expect(Math.abs(Number(BigInt(startTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(600_000);
  });

  it('reach the custom API within the trace of the request', () => {
    const asked = spansAt(collector).find(({ name, traceId: of }) => name === 'POST' && of === traceId);
    const request = spansAt(collector).find(({ parentSpanId }) => parentSpanId === callerId);
    expect(asked).toMatchObject({ kind: 3, parentSpanId: request?.spanId });
    expect(judge.received[0]?.headers.traceparent).toBe(`00-${traceId}-${asked?.spanId}-01`);
  });

  it('have a span for what leaves by the outbox, and the endpoint may go on with it', () => {
    const job = spansAt(collector).find(({ name }) => name === 'process webhook') as Told;
    expect(job).toMatchObject({ kind: 5 });
    expect(attributesOf(job)).toMatchObject({ 'messaging.destination.name': 'webhook', 'gatehouse.job.attempt': '1' });
    const sent = spansAt(collector).find(({ parentSpanId }) => parentSpanId === job.spanId);
    expect(endpoint.received[0]?.headers.traceparent).toBe(`00-${job.traceId}-${sent?.spanId}-01`);
  });

  it('are handed on and not told when the caller does not sample them', () => {
    const ids = new Set(spansAt(collector).map((span) => span.traceId));
    expect(ids).not.toContain('e'.repeat(32));
    expect(judge.received[1]?.headers.traceparent).toMatch(/^00-e{32}-[0-9a-f]{16}-00$/);
  });

  it('begin anew where the header is damaged, and leave out health and unknown paths', () => {
    const refused = spansAt(collector).find(({ name }) => name === 'getRule') as Told;
    expect(refused.parentSpanId).toBeUndefined();
    expect(attributesOf(refused)).toMatchObject({ 'http.response.status_code': '404' });
    const routes = spansAt(collector).map((span) => attributesOf(span)['http.route']);
    expect(routes).not.toContain('/livez');
    expect(spansAt(collector).filter(({ kind }) => kind === 2).length).toBe(routes.filter(Boolean).length);
  });

  it('hold no app, no key, no text and no address that somebody else chose', () => {
    const told = collector.received.map(({ body }) => body).join('');
    for (const secret of [gatehouse.appId, gatehouse.fullAccess, 'a threat', '/hook', 'token=abc'])
      expect(told).not.toContain(secret);
  });
});

describe('a service without a collector', () => {
  it('sends no traceparent on, and one with a share of 0 tells nothing', async () => {
    const [collector, judge, endpoint] = [await startReceiver(), await startReceiver(), await startReceiver()];
    const off = await startTraced({ OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER_ARG: 'odd' }, judge, endpoint);
    await off.asApp('/v3/moderation/messages', { body: message });
    await endpoint.until(1);
    await off.close();
    expect(judge.received[0]?.headers).not.toHaveProperty('traceparent');
    expect(endpoint.received[0]?.headers).not.toHaveProperty('traceparent');

    const none = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: '0' };
    const silent = await startTraced(none, judge, endpoint);
    await silent.asApp('/v3/moderation/messages', { body: message });
    await silent.close();
    expect(judge.received[1]?.headers.traceparent).toMatch(/-00$/);
    expect(collector.received).toEqual([]);
    for (const receiver of [collector, judge, endpoint]) await receiver.close();
  });
});

describe('a collector that is gone or rude', () => {
  it.each([
    ['gone', undefined, 'dropped'],
    ['rude', answer(403, 'go away'), 'refused'],
  ] as const)(
    '%s: requests are answered, the end is not held up, and the loss is counted',
    async (_, behaviour, outcome) => {
      const collector = await startReceiver();
      if (behaviour === undefined) await collector.close();
      else collector.behave(behaviour);
      const gatehouse = await startGatehouse('sqlite', { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
      expect((await gatehouse.asApp('/v3/moderation/rules')).status).toBe(200);
      const { events } = gatehouse.app;
      await gatehouse.close();
      await vi.waitFor(async () =>
        expect(await events.metrics()).toContain(`gatehouse_spans_total{outcome="${outcome}"} 1`),
      );
      expect(gatehouse.logs().match(/collector takes no spans/g)).toHaveLength(1);
      if (behaviour !== undefined) await collector.close();
    },
  );
});

describe('settings of proxies and traces', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  it.each([
    ['GATEHOUSE_TRUSTED_PROXIES', { GATEHOUSE_TRUSTED_PROXIES: 'proxy.local' }],
    ['GATEHOUSE_TRUSTED_PROXIES', { GATEHOUSE_TRUSTED_PROXIES: '10.0.0.0/33' }],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }],
    ['OTEL_TRACES_SAMPLER_ARG', { ...endpoint, OTEL_TRACES_SAMPLER_ARG: '1.5' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'hush' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=hush%0Ax' }],
    ['OTEL_EXPORTER_OTLP_HEADERS', { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: 'a=hush%zz' }],
  ])('refuse a bad %s by its name, without repeating a secret', (name, environment) => {
    const read = () => readConfig(environment);
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(`${name}: must be`);
    expect(read).not.toThrow(/hush/);
  });
});
