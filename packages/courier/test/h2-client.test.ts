import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Answer } from '../src/h2/answer.ts';
import { FrameReader } from '../src/h2/frame-reader.ts';
import { LeanConnection, type LeanOptions } from '../src/h2/lean-connection.ts';
import { FRAME, H2_ERROR, PREFACE } from '../src/h2/protocol.ts';
import { DEFAULT_TRANSPORT, type Loss, type RequestSource } from '../src/h2/transport.ts';
import { ManualClock, nextTurn } from './sim.ts';

/** The other end of the wire: keeps what the client wrote, says what the test wants said. */
class Wire extends Duplex {
  written: Buffer[] = [];
  /** Takes what is written and does not say that it has left. */
  holds = false;
  #held: (() => void)[] = [];
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(Buffer.from(chunk));
    if (this.holds) this.#held.push(done);
    else done();
  }

  release(): void {
    this.holds = false;
    for (const done of this.#held.splice(0)) done();
  }

  say(...frames: Uint8Array[]): void {
    this.push(Buffer.concat(frames));
  }

  frames(): { type: number; flags: number; id: number; payload: Buffer }[] {
    const all = Buffer.concat(this.written);
    const found: { type: number; flags: number; id: number; payload: Buffer }[] = [];
    const reader = new FrameReader({
      onFrame: (type, flags, id, bytes, start, end) =>
        found.push({ type, flags, id, payload: Buffer.from(bytes.subarray(start, end)) }),
    });
    reader.push(all.subarray(PREFACE.length));
    return found;
  }

  goawayCode(): number | undefined {
    return this.frames()
      .find((frame) => frame.type === FRAME.goaway)
      ?.payload.readUInt32BE(4);
  }
}

function frame(type: number, flags: number, id: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value >>> 0, i * 4);
  });
  return bytes;
}

function settings(...entries: [number, number][]): Buffer {
  const payload = Buffer.concat(entries.map(([id, value]) => Buffer.concat([Buffer.of(0, id), uint32(value)])));
  return frame(FRAME.settings, 0, 0, payload);
}

const ok = (id: number, status = 0x88): Buffer => frame(FRAME.headers, 0x5, id, Buffer.of(status));

let wire: Wire;
let clock: ManualClock;
let ended: Map<number, number | string>;
let events: string[];
let connection: LeanConnection;
let bodies: Map<number, Buffer>;

const source: RequestSource = {
  writeHead(call, sink) {
    sink.steady(STEADY);
    sink.text(':path', `/${call}`);
  },
  bodyLength: (call) => bodies.get(call)?.length ?? 2,
  writeBody: (call, target, offset) => target.set(bodies.get(call) ?? Buffer.from('{}'), offset),
};
const STEADY = {
  fields: [[':method', 'POST'] as const, [':scheme', 'https'] as const, [':authority', 'test'] as const],
};

function open(options: Partial<LeanOptions> = {}): void {
  wire = new Wire();
  clock = new ManualClock();
  ended = new Map();
  events = [];
  bodies = new Map();
  const end = (call: number, how: number | string): void => {
    if (ended.has(call)) throw new Error(`call ${call} ended twice`);
    ended.set(call, how);
  };
  connection = new LeanConnection(
    wire,
    source,
    {
      onReady: () => events.push('ready'),
      onAnswer: (call, answer: Answer) =>
        end(call, answer.body.length === 0 ? answer.status : `${answer.status} ${answer.text()}`),
      onLost: (call, loss: Loss) => end(call, `${loss.processed} ${loss.reason}`),
      onCapacity: () => events.push('capacity'),
      onDraining: (reason) => events.push(`draining ${reason}`),
      onClosed: (reason) => events.push(`closed ${reason}`),
    },
    { ...DEFAULT_TRANSPORT, authority: 'test', timeoutMs: 1_000, ...options },
    clock,
  );
}

async function ready(options: Partial<LeanOptions> = {}, ...entries: [number, number][]): Promise<void> {
  open(options);
  wire.say(settings(...entries));
  await nextTurn();
}

async function send(...calls: number[]): Promise<void> {
  for (const call of calls) connection.request(call);
  await nextTurn();
  await nextTurn();
}

beforeEach(() => open());
afterEach(() => connection.destroy('test over'));

describe('an exchange', () => {
  test('nothing goes out before the settings of the peer are known', async () => {
    expect(connection.capacity()).toBe(0);
    wire.say(settings([3, 7]));
    await nextTurn();
    expect(connection.capacity()).toBe(7);
    expect(events).toContain('ready');
  });

  test('many requests leave in one write', async () => {
    await ready();
    wire.written = [];
    await send(0, 1, 2, 3, 4);
    expect(wire.written.length).toBe(1);
  });

  test('answers come back to their calls, in any order', async () => {
    await ready();
    await send(10, 11, 12);
    wire.say(ok(5), ok(1, 0x8d), ok(3));
    await nextTurn();
    expect([...ended]).toEqual([
      [12, 200],
      [10, 404],
      [11, 200],
    ]);
  });

  test('an answer in pieces is put together: continuation, padding, priority, interim answer, trailers', async () => {
    await ready();
    await send(1);
    wire.say(
      frame(FRAME.headers, 0x4, 1, Buffer.from('0803313033', 'hex')),
      frame(FRAME.headers, 0x8 | 0x20, 1, Buffer.from('02000000001008030000', 'hex')),
      frame(FRAME.continuation, 0, 1, Buffer.from('3431', 'hex')),
      frame(FRAME.continuation, 0x4, 1, Buffer.from('30', 'hex')),
      frame(FRAME.data, 0x8, 1, Buffer.concat([Buffer.of(3), Buffer.from('hel'), Buffer.alloc(3)])),
      frame(FRAME.data, 0, 1, Buffer.from('lo')),
      frame(FRAME.headers, 0x5, 1, Buffer.from('0f0d0130', 'hex')),
    );
    await nextTurn();
    expect(ended.get(1)).toBe('410 hello');
  });

  test('a body larger than a frame is split, and waits for both windows', async () => {
    await ready({}, [4, 100]);
    bodies.set(1, Buffer.alloc(250, 'x'));
    await send(1);
    const sent = (): number =>
      wire
        .frames()
        .filter((each) => each.type === FRAME.data)
        .reduce((sum, each) => sum + each.payload.length, 0);
    expect(sent()).toBe(100);
    expect(connection.capacity()).toBe(0);
    wire.say(frame(FRAME.windowUpdate, 0, 1, uint32(50)));
    await nextTurn();
    await nextTurn();
    expect(sent()).toBe(150);
    wire.say(settings([4, 120]));
    await nextTurn();
    await nextTurn();
    expect(sent()).toBe(170);
    wire.say(frame(FRAME.windowUpdate, 0, 1, uint32(1_000)));
    await nextTurn();
    await nextTurn();
    expect(sent()).toBe(250);
    expect(wire.frames().at(-1)).toMatchObject({ type: FRAME.data, flags: 1 });
    expect(connection.capacity()).toBeGreaterThan(0);
  });

  test('a window made smaller mid-flight may go below nothing and must come back', async () => {
    await ready({}, [4, 100]);
    bodies.set(1, Buffer.alloc(150));
    await send(1);
    wire.say(settings([4, 10]), frame(FRAME.windowUpdate, 0, 1, uint32(60)));
    await nextTurn();
    await nextTurn();
    expect(wire.frames().filter((each) => each.type === FRAME.data).length).toBe(1);
    wire.say(frame(FRAME.windowUpdate, 0, 1, uint32(100)));
    await nextTurn();
    await nextTurn();
    expect(wire.frames().at(-1)).toMatchObject({ type: FRAME.data, flags: 1 });
  });

  test('we credit what we read, on the stream and on the connection', async () => {
    await ready({ answerBytesMax: 10_000_000 });
    await send(1);
    wire.say(frame(FRAME.headers, 0x4, 1, Buffer.of(0x88)));
    for (let i = 0; i < 64; i++) {
      wire.say(frame(FRAME.data, 0, 1, Buffer.alloc(16_000)));
      await nextTurn();
    }
    wire.say(frame(FRAME.data, 1, 1));
    await nextTurn();
    await nextTurn();
    const credited = (id: number): number =>
      wire
        .frames()
        .filter((each) => each.type === FRAME.windowUpdate && each.id === id)
        .reduce((sum, each) => sum + each.payload.readUInt32BE(0), 0);
    expect(credited(1)).toBeGreaterThan(64 * 16_000 - 65_535);
    expect(credited(0)).toBeGreaterThan(500_000);
    expect(String(ended.get(1)).length).toBe(64 * 16_000 + 4);
  });

  test('an answer without end is cut off and judged by its status', async () => {
    await ready({ answerBytesMax: 20_000 });
    await send(1);
    wire.say(
      frame(FRAME.headers, 0x4, 1, Buffer.of(0x8d)),
      frame(FRAME.data, 0, 1, Buffer.alloc(16_000)),
      frame(FRAME.data, 0, 1, Buffer.alloc(16_000)),
    );
    await nextTurn();
    await nextTurn();
    expect(String(ended.get(1))).toMatch(/^404 /);
    expect(wire.frames().at(-1)).toMatchObject({ type: FRAME.rstStream, id: 1 });
  });

  test('a peer that reads nothing gets no more than a megabyte or so, and the rest when it reads again', async () => {
    await ready({}, [4, 0x7fffffff]);
    wire.say(frame(FRAME.windowUpdate, 0, 0, uint32(0x7fff0000 - 65_535)));
    await nextTurn();
    wire.holds = true;
    let calls = 0;
    for (let tick = 0; tick < 1_000 && connection.capacity() > 0; tick++) {
      for (let i = 0; i < 10; i++) {
        bodies.set(calls, Buffer.alloc(1_000));
        connection.request(calls++);
      }
      await nextTurn();
    }
    expect(connection.capacity()).toBe(0);
    expect(calls).toBeLessThan(1_200);
    events.length = 0;
    wire.release();
    await nextTurn();
    expect(connection.capacity()).toBeGreaterThan(0);
    expect(events).toContain('capacity');
  });

  test('pings are answered, and sent after an idle hour; unanswered they end the connection', async () => {
    await ready();
    wire.say(frame(FRAME.ping, 0, 0, Buffer.from('12345678')));
    await nextTurn();
    await nextTurn();
    expect(wire.frames().at(-1)).toMatchObject({ type: FRAME.ping, flags: 1, payload: Buffer.from('12345678') });
    clock.pass(3_600_500);
    await nextTurn();
    const ping = wire.frames().at(-1);
    expect(ping).toMatchObject({ type: FRAME.ping, flags: 0 });
    wire.say(frame(FRAME.ping, 1, 0, ping?.payload));
    await nextTurn();
    clock.pass(3_000_000);
    expect(events.some((event) => event.startsWith('closed'))).toBe(false);
    clock.pass(700_000);
    expect(events).toContain('closed ping unanswered');
  });
});

describe('what is lost', () => {
  test('a refused stream was not processed; any other reset leaves it unknown', async () => {
    await ready();
    await send(1, 2);
    wire.say(
      frame(FRAME.rstStream, 0, 1, uint32(H2_ERROR.refusedStream)),
      frame(FRAME.rstStream, 0, 3, uint32(H2_ERROR.cancel)),
    );
    await nextTurn();
    expect([...ended]).toEqual([
      [1, 'no refused'],
      [2, 'unknown reset:8'],
    ]);
  });

  test('GOAWAY: what is above its last stream was not processed, the rest may still be answered', async () => {
    await ready();
    await send(1, 2, 3);
    wire.say(frame(FRAME.goaway, 0, 0, Buffer.concat([uint32(3, 0), Buffer.from('{"reason":"Shutdown"}')])));
    await nextTurn();
    expect([...ended]).toEqual([[3, 'no goaway']]);
    expect(events).toContain('draining goaway 0 {"reason":"Shutdown"}');
    expect(connection.capacity()).toBe(0);
    wire.say(ok(1), ok(3));
    await nextTurn();
    expect([...ended]).toEqual([
      [3, 'no goaway'],
      [1, 200],
      [2, 200],
    ]);
    expect(events.at(-1)).toBe('closed drained');
  });

  test('a connection that dies: what was never written was not processed, the rest is unknown', async () => {
    await ready();
    await send(1);
    connection.request(2);
    connection.destroy('gone');
    expect([...ended]).toEqual([
      [1, 'unknown closed: gone'],
      [2, 'no neverSent'],
    ]);
    expect(events.at(-1)).toBe('closed gone');
  });

  test('a request whose body never left in full was not processed', async () => {
    await ready({}, [4, 10]);
    bodies.set(1, Buffer.alloc(50));
    await send(1);
    wire.destroy();
    await nextTurn();
    expect(ended.get(1)).toBe('no neverSent');
  });

  test('an answer that comes too late is unknown, its stream is cancelled, the others live on', async () => {
    await ready();
    await send(1);
    clock.pass(600);
    await send(2);
    wire.say(frame(FRAME.ping, 1, 0, Buffer.alloc(8)));
    await nextTurn();
    clock.pass(500);
    await nextTurn();
    expect([...ended]).toEqual([[1, 'unknown timeout']]);
    expect(wire.frames().at(-1)).toMatchObject({ type: FRAME.rstStream, id: 1 });
    wire.say(ok(1), ok(3));
    await nextTurn();
    expect(ended.get(2)).toBe(200);
  });

  test('a connection on which nothing comes at all is given up', async () => {
    await ready();
    await send(1);
    clock.pass(500);
    await send(2);
    clock.pass(700);
    expect([...ended]).toEqual([
      [1, 'unknown closed: silent'],
      [2, 'unknown closed: silent'],
    ]);
  });

  test('stream ids that run out move what follows to another connection', async () => {
    await ready({ firstStreamId: 0x7fffffff - 2 });
    await send(1, 2);
    expect(connection.capacity()).toBe(0);
    expect(events).toContain('draining stream ids used up');
    wire.say(ok(0x7fffffff - 2), ok(0x7fffffff));
    await nextTurn();
    expect([...ended.values()]).toEqual([200, 200]);
    expect(events.at(-1)).toBe('closed drained');
  });
});

describe('a hostile peer', () => {
  const cases: readonly (readonly [string, Uint8Array[], number])[] = [
    ['a frame too large', [Buffer.from('004001000000000001', 'hex')], H2_ERROR.frameSize],
    ['a frame for a stream never opened', [ok(99)], H2_ERROR.protocol],
    ['a frame for an even stream', [ok(2)], H2_ERROR.protocol],
    ['headers on stream 0', [ok(0)], H2_ERROR.protocol],
    ['a push promise', [frame(FRAME.pushPromise, 4, 1, uint32(2))], H2_ERROR.protocol],
    ['settings of odd size', [frame(FRAME.settings, 0, 0, Buffer.alloc(5))], H2_ERROR.frameSize],
    ['settings on a stream', [frame(FRAME.settings, 0, 1)], H2_ERROR.protocol],
    ['an acknowledgement with content', [frame(FRAME.settings, 1, 0, Buffer.alloc(6))], H2_ERROR.frameSize],
    ['a window too large', [settings([4, 0x80000000])], H2_ERROR.flowControl],
    ['a frame size out of range', [settings([5, 100])], H2_ERROR.protocol],
    ['push switched on', [settings([2, 1])], H2_ERROR.protocol],
    ['a connection window overflow', [frame(FRAME.windowUpdate, 0, 0, uint32(0x7fffffff))], H2_ERROR.flowControl],
    ['a window update of 0', [frame(FRAME.windowUpdate, 0, 0, uint32(0))], H2_ERROR.protocol],
    ['a ping of wrong size', [frame(FRAME.ping, 0, 0, Buffer.alloc(7))], H2_ERROR.frameSize],
    ['a reset of wrong size', [frame(FRAME.rstStream, 0, 1, Buffer.alloc(5))], H2_ERROR.frameSize],
    ['a goaway cut short', [frame(FRAME.goaway, 0, 0, Buffer.alloc(4))], H2_ERROR.frameSize],
    ['padding longer than its frame', [frame(FRAME.data, 0x8, 1, Buffer.of(9, 1))], H2_ERROR.protocol],
    ['a continuation of nothing', [frame(FRAME.continuation, 4, 1)], H2_ERROR.protocol],
    [
      'a header block interrupted',
      [frame(FRAME.headers, 0, 1), frame(FRAME.ping, 0, 0, Buffer.alloc(8))],
      H2_ERROR.protocol,
    ],
    ['a bad header block', [frame(FRAME.headers, 5, 1, Buffer.of(0xbe))], H2_ERROR.compression],
    [
      'a flood of pings',
      Array.from({ length: 25_000 }, () => frame(FRAME.ping, 0, 0, Buffer.alloc(8))),
      H2_ERROR.enhanceYourCalm,
    ],
    ['a flood of settings', Array.from({ length: 25_000 }, () => settings()), H2_ERROR.enhanceYourCalm],
    [
      'a flood of empty data',
      [frame(FRAME.headers, 4, 1, Buffer.of(0x88)), ...Array.from({ length: 25_000 }, () => frame(FRAME.data, 0, 1))],
      H2_ERROR.enhanceYourCalm,
    ],
    [
      'a header block without end',
      [
        frame(FRAME.headers, 0, 1),
        ...Array.from({ length: 10 }, () => frame(FRAME.continuation, 0, 1, Buffer.alloc(16_000))),
      ],
      H2_ERROR.enhanceYourCalm,
    ],
  ];

  test.each(cases)('%s ends the connection with the right error', async (_what, frames, code) => {
    await ready();
    await send(1);
    wire.say(...frames);
    await nextTurn();
    expect(wire.goawayCode()).toBe(code);
    expect(ended.size).toBe(1);
    expect(events.at(-1)).toMatch(/^closed protocol error/);
  });

  test('anything before the settings ends the connection', async () => {
    wire.say(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    await nextTurn();
    expect(wire.goawayCode()).toBe(H2_ERROR.protocol);
  });

  test.each([
    ['an answer without status', [frame(FRAME.headers, 5, 1, Buffer.from('0f0d0130', 'hex'))]],
    ['a body before its head', [frame(FRAME.data, 1, 1, Buffer.from('x'))]],
    ['an interim answer that ends', [frame(FRAME.headers, 5, 1, Buffer.from('0803313030', 'hex'))]],
  ])('%s breaks its stream and no other', async (_what, frames) => {
    await ready();
    await send(1, 2);
    wire.say(...frames, ok(3));
    await nextTurn();
    expect(ended.get(1)).toMatch(/^unknown malformed/);
    expect(ended.get(2)).toBe(200);
  });

  test('frames of unknown types and late frames of ended streams are ignored', async () => {
    await ready();
    await send(1, 2);
    wire.say(
      frame(0xfa, 0xff, 77, Buffer.from('?')),
      ok(1),
      ok(1),
      frame(FRAME.data, 1, 1, Buffer.from('late')),
      ok(3),
    );
    await nextTurn();
    expect([...ended.values()]).toEqual([200, 200]);
  });
});

describe('fuzzing', () => {
  const anyFrame = fc
    .tuple(
      fc.integer({ min: 0, max: 10 }),
      fc.nat(255),
      fc.constantFrom(0, 1, 2, 3, 5, 7, 99),
      fc.uint8Array({ maxLength: 40 }),
    )
    .map(([type, flags, id, payload]) => frame(type, flags, id, payload));
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.array(anyFrame, { maxLength: 12 }).map((frames) => Buffer.concat(frames)),
  );

  test('whatever comes, in whatever pieces, every call ends exactly once and nothing throws', async () => {
    await fc.assert(
      fc.asyncProperty(bytes, fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 20 }), async (input, cuts) => {
        await ready();
        await send(1, 2, 3, 4);
        let at = 0;
        for (const cut of cuts) {
          wire.say(input.subarray(at, at + cut));
          at += cut;
        }
        wire.say(input.subarray(at));
        await nextTurn();
        clock.pass(5_000);
        connection.destroy('over');
        expect([...ended.keys()].sort()).toEqual([1, 2, 3, 4]);
      }),
      { numRuns: 1_000 },
    );
  });

  test('frames read the same however they are chunked', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 10 }), fc.array(fc.integer({ min: 1, max: 20 })), (frames, cuts) => {
        const all = Buffer.concat(frames);
        const read = (pieces: Uint8Array[]): string[] => {
          const seen: string[] = [];
          const reader = new FrameReader({
            onFrame: (type, flags, id, part, start, end) =>
              seen.push(`${type} ${flags} ${id} ${Buffer.from(part.subarray(start, end)).toString('hex')}`),
          });
          for (const piece of pieces) reader.push(piece);
          return seen;
        };
        const pieces: Uint8Array[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(all.subarray(at, at + cut));
          at += cut;
        }
        pieces.push(all.subarray(at));
        expect(read(pieces)).toEqual(read([all]));
        expect(read([all]).length).toBe(frames.length);
      }),
    );
  });
});
