import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { SpanExport, type SpanExportOptions, type Taken } from '../../src/span-export.ts';
import { spanKinds, Tracer } from '../../src/tracing.ts';

const taken: Taken = { kind: 'taken', rejected: 0 };

/** An exporter, a tracer that feeds it, and what was counted. */
function start(post: SpanExportOptions['post'], more: Partial<SpanExportOptions> = {}) {
  const counted = { exported: 0, dropped: 0, refused: 0 };
  const spans = new SpanExport({
    serviceName: 'test',
    post,
    onEnd: (outcome, n) => {
      counted[outcome] += n;
    },
    batchMax: 10,
    waitingMax: 30,
    intervalMs: 3_600_000,
    ...more,
  });
  onTestFinished(() => spans.stop(0));
  const tracer = new Tracer(1, (span) => spans.add(span));
  const work = (n: number): void => {
    for (let i = 0; i < n; i++) tracer.end(tracer.begin('work', spanKinds.server, {}, undefined));
  };
  return { spans, counted, work };
}

const sizeOf = (body: string): number => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans.length;

describe('the line to the collector', () => {
  it('sends full batches at once, one at a time, and the rest at the end', async () => {
    const sizes: number[] = [];
    let under = 0;
    const { spans, counted, work } = start(async (body) => {
      expect(++under).toBe(1);
      sizes.push(sizeOf(body));
      await new Promise(setImmediate);
      under--;
      return taken;
    });
    work(25);
    await vi.waitFor(() => expect(counted.exported).toBe(20));
    await spans.stop();
    expect(sizes).toEqual([10, 10, 5]);
    expect(counted).toEqual({ exported: 25, dropped: 0, refused: 0 });
  });

  it('keeps a bounded line before a slow collector, counts what finds no room, and does not wait for it at the end', async () => {
    const { spans, counted, work } = start(() => new Promise(() => {}));
    work(1000);
    // Ten under way, thirty in line.
    expect(counted).toEqual({ exported: 0, dropped: 960, refused: 0 });
    await spans.stop(1);
    expect(counted.dropped).toBe(1000);
  });

  it('tries a batch again while the collector is busy, three times by the clock, and asks it no oftener', async () => {
    let asked = 0;
    const again: Taken = { kind: 'again' };
    const { counted, work } = start(async () => (++asked < 3 ? again : taken), { intervalMs: 5 });
    work(10);
    await vi.waitFor(() => expect(counted.exported).toBe(10));
    expect(asked).toBe(3);

    const gone = start(async () => ({ kind: 'again' }), { intervalMs: 5 });
    gone.work(10);
    await vi.waitFor(() => expect(gone.counted).toEqual({ exported: 0, dropped: 0, refused: 10 }));

    let between = 0;
    const patient = start(async () => {
      between++;
      return again;
    });
    patient.work(30);
    await new Promise(setImmediate);
    patient.work(10);
    await new Promise(setImmediate);
    expect(between).toBe(1);
  });

  it('counts what the collector refuses, in part or whole', async () => {
    const answers: Taken[] = [{ kind: 'taken', rejected: 4 }, { kind: 'refused' }];
    const { counted, work } = start(async () => answers.shift() ?? taken);
    work(20);
    await vi.waitFor(() => expect(counted).toEqual({ exported: 6, dropped: 0, refused: 14 }));
  });

  it('tells of the chosen share of traces, each trace whole or not at all', () => {
    const told: string[] = [];
    const tracer = new Tracer(0.25, ({ traceId }) => void told.push(traceId));
    for (let i = 0; i < 4000; i++) {
      const root = tracer.begin('root', spanKinds.server, {}, undefined);
      tracer.end(tracer.begin('part', spanKinds.client, {}, root));
      tracer.end(root);
    }
    expect(told.length / 2).toBeGreaterThan(800);
    expect(told.length / 2).toBeLessThan(1200);
    expect(new Set(told).size).toBe(told.length / 2);
  });
});
