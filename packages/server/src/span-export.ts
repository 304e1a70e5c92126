import { randomUUID } from 'node:crypto';
import type { Span } from './tracing.ts';
import { version } from './version.ts';

/** What became of a batch at the collector: `again` may go better later, `refused` will not. */
export type Taken = { kind: 'taken'; rejected: number } | { kind: 'again' } | { kind: 'refused' };

export interface SpanExportOptions {
  serviceName: string;
  /** Sends the body to the collector. Never throws, and ends by itself after a while. */
  post(body: string): Promise<Taken>;
  /** Counted by what became of them. */
  onEnd(outcome: 'exported' | 'dropped' | 'refused', spans: number): void;
  batchMax?: number;
  waitingMax?: number;
  intervalMs?: number;
}

const standard = { batchMax: 512, waitingMax: 2048, intervalMs: 5000 };
const triesMax = 3;

/**
 * Brings spans to a collector as OTLP over HTTP in JSON. Whoever ends a span never waits: a line of bounded length stands
 * between, one batch is under way at a time, and what finds the line full is dropped and counted.
 */
export class SpanExport {
  private readonly options: SpanExportOptions & typeof standard;
  private readonly head: string;
  private waiting: Span[] = [];
  private batch: Span[] = [];
  private tries = 0;
  private sending: Promise<boolean> | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(options: SpanExportOptions) {
    this.options = { ...standard, ...options };
    this.head = headOf(options.serviceName);
    this.timer = setInterval(() => this.send(), this.options.intervalMs).unref();
  }

  add(span: Span): void {
    if (this.waiting.length >= this.options.waitingMax) {
      this.options.onEnd('dropped', 1);
      return;
    }
    // A batch that failed waits for the clock, so that a collector that is gone is not asked for every span.
    if (this.waiting.push(span) >= this.options.batchMax && this.tries === 0) this.send();
  }

  /** Sends what waits for as long as the collector takes it, at most `graceMs`; the rest is dropped. */
  async stop(graceMs = 2000): Promise<void> {
    clearInterval(this.timer);
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), graceMs);
    });
    while (this.batch.length + this.waiting.length > 0) {
      if (!(await Promise.race([this.send(), grace]))) break;
    }
    clearTimeout(timer);
    const left = this.batch.length + this.waiting.length;
    this.waiting = [];
    this.batch = [];
    if (left > 0) this.options.onEnd('dropped', left);
  }

  /** Answers whether the collector took what it was sent. */
  private send(): Promise<boolean> {
    this.sending ??= this.sendOne().finally(() => {
      this.sending = undefined;
      if (this.waiting.length >= this.options.batchMax && this.tries === 0) this.send();
    });
    return this.sending;
  }

  private async sendOne(): Promise<boolean> {
    const { batchMax, post, onEnd } = this.options;
    if (this.batch.length === 0) this.batch = this.waiting.splice(0, batchMax);
    const { batch } = this;
    if (batch.length === 0) return true;
    const taken = await post(this.head + batch.map(spanText).join(',') + tail);
    // The process stopped waiting meanwhile, and has counted these.
    if (this.batch !== batch) return false;
    if (taken.kind === 'again' && ++this.tries < triesMax) return false;
    this.batch = [];
    this.tries = 0;
    if (taken.kind !== 'taken') {
      onEnd('refused', batch.length);
      return false;
    }
    if (batch.length > taken.rejected) onEnd('exported', batch.length - taken.rejected);
    if (taken.rejected > 0) onEnd('refused', taken.rejected);
    return true;
  }
}

const tail = ']}]}]}';

function headOf(serviceName: string): string {
  const attributes = keyValues({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
  });
  const scope = JSON.stringify({ name: 'gatehouse', version });
  return `{"resourceSpans":[{"resource":{"attributes":${JSON.stringify(attributes)}},"scopeSpans":[{"scope":${scope},"spans":[`;
}

function spanText(span: Span): string {
  return JSON.stringify({
    traceId: span.traceId,
    spanId: span.id,
    parentSpanId: span.parentId,
    flags: 1,
    name: span.name,
    kind: span.kind,
    startTimeUnixNano: nanoseconds(span.began),
    endTimeUnixNano: nanoseconds(span.ended),
    attributes: keyValues({ ...span.attributes, ...(span.error !== undefined && { 'error.type': span.error }) }),
    // 2 is an error; what went well is left unset, as the conventions ask.
    status: span.error === undefined ? {} : { code: 2 },
  });
}

function keyValues(attributes: Span['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** More than a number holds exactly, so the last three digits are not counted but written. */
function nanoseconds(ms: number): string {
  return `${Math.round(ms * 1000)}000`;
}
