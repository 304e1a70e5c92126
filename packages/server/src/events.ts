import pino from 'pino';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { escaped } from './escaped.ts';
import { RequestKinds } from './request-kinds.ts';

/**
 * The one place where what happens becomes a counter and a log line. Labels are bounded (a route, never a path; a status,
 * never an id), and a line names credentials by their id only.
 */
export interface ServedRequest {
  method: string;
  /** The pattern of the route: paths hold device tokens. */
  route: string;
  status: number;
  ms: number;
  requestId: string;
  appId: string | undefined;
  actor: string | undefined;
}

/** The outbox of one kind of job, as this process last saw it. */
export interface QueueSeen {
  kind: string;
  inHand: number;
  /** How long the oldest job that is due has waited. */
  oldestMs: number;
  lanesPaused: number;
}

export interface Events {
  requestServed(served: ServedRequest): void;
  /** Something of ours broke. The whole cause is logged; the caller gets none of it. */
  broken(what: string, error: unknown, context?: Record<string, string>): void;
  info(what: string, context?: Record<string, string | number>): void;
  queueSeen(seen: QueueSeen): void;
  /** Pushes that ended alike. The reason is a vendor's word or one of ours: there are few of them. */
  pushesEnded(ended: { provider: string; outcome: string; reason: string; n: number }): void;
  /** Something outside was asked: an endpoint, the custom API, an attachment, a classifier. `outcome` is bounded: a status or a kind. */
  asked(what: 'webhook' | 'custom-api' | 'media' | 'classifier', outcome: string, ms: number): void;
  /** Somebody should look: it goes on, and worse than it should. */
  alarm(what: string, context?: Record<string, string | number>): void;
  /** Spans that reached the collector, or did not. */
  spansEnded(outcome: 'exported' | 'dropped' | 'refused', n: number): void;
  metrics(): Promise<string>;
  flush(): void;
}

export interface EventsOptions {
  logLevel: string;
  /** Where lines go; standard error by default, so that standard output is for data. */
  destination?: pino.DestinationStream;
}

export function createEvents({ logLevel, destination }: EventsOptions): Events {
  const lines = new Lines();
  const stream = destination ?? lines;
  const timestamp = isoTimestamp();
  const log = pino({ level: logLevel, base: null, timestamp }, stream);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const broken = new Counter({
    name: 'gatehouse_faults_total',
    help: 'Faults of ours, by kind.',
    labelNames: ['what'],
    registers: [registry],
  });
  const gauge = (name: string, help: string) =>
    new Gauge({ name: `gatehouse_outbox_${name}`, help, labelNames: ['kind'], registers: [registry] });
  const inHand = gauge('jobs_in_hand', 'Jobs this process is working on.');
  const oldest = gauge('oldest_seconds', 'How long the oldest due job has waited; paused lanes do not count.');
  const paused = gauge('lanes_paused', 'Providers and endpoints that are not being sent to.');
  const asked = new Histogram({
    name: 'gatehouse_outside_seconds',
    help: 'Time that endpoints, custom APIs, attachments and classifiers took, by what came of it.',
    labelNames: ['what', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 15],
    registers: [registry],
  });
  const alarms = new Counter({
    name: 'gatehouse_alarms_total',
    help: 'Times that somebody should have looked, by reason.',
    labelNames: ['what'],
    registers: [registry],
  });
  const pushes = new Counter({
    name: 'gatehouse_pushes_total',
    help: 'Pushes by provider, outcome and reason.',
    labelNames: ['provider', 'outcome', 'reason'],
    registers: [registry],
  });
  const spans = new Counter({
    name: 'gatehouse_spans_total',
    help: 'Spans by what became of them: exported, dropped for want of room, or refused by the collector.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const kinds = new RequestKinds();
  const isLogged = log.isLevelEnabled('info');

  return {
    requestServed({ method, route, status, ms, requestId, appId, actor }) {
      const kind = kinds.of(method, route, status);
      kind.took(ms);
      if (!isLogged) return;
      // By hand: pino's own way takes three times as long, and there is a line for every request. The ids of the
      // request and the app hold no character that JSON would escape; a visitor's address may be whatever a proxy passes on.
      const who = `${appId === undefined ? '' : `,"appId":"${appId}"`}${actor === undefined ? '' : `,"actor":"${escaped(actor)}"`}`;
      stream.write(
        `{"level":30${timestamp()},"requestId":"${requestId}",${kind.text},"ms":${Math.round(ms * 100) / 100}${who},"msg":"request"}\n`,
      );
    },
    broken(what, error, context) {
      broken.inc({ what });
      log.error({ ...context, err: error }, what);
    },
    info(what, context) {
      log.info(context ?? {}, what);
    },
    queueSeen({ kind, ...seen }) {
      inHand.set({ kind }, seen.inHand);
      oldest.set({ kind }, seen.oldestMs / 1000);
      paused.set({ kind }, seen.lanesPaused);
    },
    asked(what, outcome, ms) {
      asked.observe({ what, outcome }, ms / 1000);
    },
    alarm(what, context) {
      alarms.inc({ what });
      log.warn(context ?? {}, what);
    },
    pushesEnded({ provider, outcome, reason, n }) {
      pushes.inc({ provider, outcome, reason }, n);
    },
    spansEnded(outcome, n) {
      spans.inc({ outcome }, n);
    },
    metrics: async () => (await registry.metrics()) + kinds.metrics(),
    flush: () => lines.flushSync(),
  };
}

/**
 * Log lines on their way to standard error. They are gathered here, since pino's own buffer measures all that it holds
 * again with every line: that took longer than everything else about a line.
 */
class Lines implements pino.DestinationStream {
  private readonly out = pino.destination({ dest: 2, sync: false });
  private text = '';

  constructor() {
    // Lines that nobody adds to must still reach the reader soon.
    setInterval(() => this.flush(), 1000).unref();
  }

  write(line: string): void {
    this.text += line;
    if (this.text.length >= 16_384) this.flush();
  }

  private flush(): void {
    if (this.text === '') return;
    this.out.write(this.text);
    this.text = '';
  }

  flushSync(): void {
    this.flush();
    this.out.flushSync();
  }
}

/** pino's own makes and prints a Date for every line; the part before the milliseconds changes once a second. */
function isoTimestamp(): () => string {
  let second = -1;
  let head = '';
  return () => {
    const now = Date.now();
    const current = Math.floor(now / 1000);
    if (current !== second) {
      second = current;
      head = `,"time":"${new Date(current * 1000).toISOString().slice(0, -4)}`;
    }
    return `${head}${String(now - current * 1000).padStart(3, '0')}Z"`;
  };
}
