import type { Events } from './events.ts';
import { SpanExport, type Taken } from './span-export.ts';
import { Tracer } from './tracing.ts';
import { Outside } from './webhooks/outside.ts';

export interface CollectorOptions {
  /** Of OTLP over HTTP; spans go to `/v1/traces` below it. */
  endpoint: string;
  serviceName: string;
  ratio: number;
  /** Secret: they let us in there. */
  headers: Readonly<Record<string, string>>;
}

export interface Tracing {
  tracer: Tracer;
  /** Tells the collector what waits. */
  stop(): Promise<void>;
}

const timeoutMs = 10_000;

/** The way to the collector: a connection of its own, which is not traced itself. */
export function openTracing({ endpoint, serviceName, ratio, headers }: CollectorOptions, events: Events): Tracing {
  const outside = new Outside([]);
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  let isWell = true;
  const post = async (body: string): Promise<Taken> => {
    const taken = await ask(body);
    if (isWell && taken.kind !== 'taken') events.alarm('collector takes no spans', { why: taken.why });
    isWell = taken.kind === 'taken';
    return taken;
  };
  const ask = async (body: string) => {
    const asked = await outside.ask({
      url,
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      timeoutMs,
      answerBytesMax: 4096,
      isOfOperator: true,
    });
    if (asked.kind !== 'answered') return { kind: 'again', why: asked.reason } as const;
    const { status } = asked;
    if (status >= 200 && status < 300) return { kind: 'taken', rejected: rejectedIn(asked.body) } as const;
    const kind = [429, 502, 503, 504].includes(status) ? 'again' : 'refused';
    return { kind, why: `It answered ${status}.` } as const;
  };
  const spans = new SpanExport({
    serviceName,
    post,
    onEnd: (outcome, n) => events.spansEnded(outcome, n),
  });
  return {
    tracer: new Tracer(ratio, (span) => spans.add(span)),
    stop: async () => {
      await spans.stop();
      outside.close();
    },
  };
}

/** A collector may take a batch and say that it threw some of it away. */
function rejectedIn(body: Buffer): number {
  const [, rejected] = /"rejectedSpans"\s*:\s*"?(\d+)/.exec(body.toString('utf8')) ?? [];
  return Number(rejected ?? 0);
}
