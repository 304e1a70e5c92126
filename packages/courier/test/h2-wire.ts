import { Duplex } from 'node:stream';
import { afterEach, beforeEach } from 'vitest';
import type { Answer } from '../src/h2/answer.ts';
import { FrameReader } from '../src/h2/frame-reader.ts';
import { LeanConnection, type LeanOptions } from '../src/h2/lean-connection.ts';
import { FRAME, PREFACE } from '../src/h2/protocol.ts';
import { DEFAULT_TRANSPORT, type Loss, type RequestSource } from '../src/h2/transport.ts';
import { ManualClock, nextTurn } from './sim.ts';

/** The other end of the wire: keeps what the client wrote, says what the test wants said. */
export class Wire extends Duplex {
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

export function frame(type: number, flags: number, id: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(id, 5);
  return Buffer.concat([head, payload]);
}

export function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, i) => {
    bytes.writeUInt32BE(value >>> 0, i * 4);
  });
  return bytes;
}

export function settings(...entries: [number, number][]): Buffer {
  const payload = Buffer.concat(entries.map(([id, value]) => Buffer.concat([Buffer.of(0, id), uint32(value)])));
  return frame(FRAME.settings, 0, 0, payload);
}

export const ok = (id: number, status = 0x88): Buffer => frame(FRAME.headers, 0x5, id, Buffer.of(status));

export let wire: Wire;
export let clock: ManualClock;
export let ended: Map<number, number | string>;
export let events: string[];
export let connection: LeanConnection;
export let bodies: Map<number, Buffer>;

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

export function open(options: Partial<LeanOptions> = {}): void {
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

export async function ready(options: Partial<LeanOptions> = {}, ...entries: [number, number][]): Promise<void> {
  open(options);
  wire.say(settings(...entries));
  await nextTurn();
}

export async function send(...calls: number[]): Promise<void> {
  for (const call of calls) connection.request(call);
  await nextTurn();
  await nextTurn();
}

beforeEach(() => open());
afterEach(() => connection.destroy('test over'));
