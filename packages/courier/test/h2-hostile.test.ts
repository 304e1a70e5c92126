import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameReader } from '../src/h2/frame-reader.ts';
import { FRAME, H2_ERROR } from '../src/h2/protocol.ts';
import { clock, connection, ended, events, frame, ok, ready, send, settings, uint32, wire } from './h2-wire.ts';
import { nextTurn } from './sim.ts';

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
