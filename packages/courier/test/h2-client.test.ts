import { describe, expect, test } from 'vitest';
import { FRAME, H2_ERROR } from '../src/h2/protocol.ts';
import { bodies, clock, connection, ended, events, frame, ok, ready, send, settings, uint32, wire } from './h2-wire.ts';
import { nextTurn } from './sim.ts';

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

  test('an answer that came while the process stood still is read before anything is called late', async () => {
    await ready();
    await send(1, 2);
    // Timers come before reading.
    clock.stall(5_000);
    wire.say(ok(1));
    await nextTurn();
    expect([...ended]).toEqual([[1, 200]]);
    // The next late tick judges: a process that is always late must not wait for ever.
    clock.stall(5_000);
    expect(ended.get(2)).toMatch(/^unknown /);
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
