import type { Duplex } from 'node:stream';
import { type ControlHandler, protocolError, readControl } from '../h2/control-frames.ts';
import { type FrameHandler, FrameReader } from '../h2/frame-reader.ts';
import { FrameWriter } from '../h2/frame-writer.ts';
import { type HeaderBlockHandler, HeaderBlocks } from '../h2/header-blocks.ts';
import { SteadyEncoder } from '../h2/hpack-encode.ts';
import { PeerSettings } from '../h2/peer-settings.ts';
import { DEFAULT_WINDOW, FLAG, FRAME, H2_ERROR, H2Error, PREFACE, SETTING } from '../h2/protocol.ts';
import type { HeaderList } from './header-list.ts';
import { TableDecoder } from './table-decoder.ts';

const RECEIVE_WINDOW = 0x7fff0000;
const NO_BODY = Buffer.alloc(0);

export interface ServerRequest {
  readonly streamId: number;
  readonly headers: HeaderList;
  readonly body: Buffer;
}

export interface ServerHandler {
  /** A request that is there in full. */
  onRequest(connection: ServerConnection, request: ServerRequest): void;
  /** A stream begins; false refuses it. */
  onStream(connection: ServerConnection, streamId: number): boolean;
  onReset(connection: ServerConnection, streamId: number): void;
  onClosed(connection: ServerConnection): void;
}

export interface ServerSettings {
  readonly maxConcurrentStreams: number;
  readonly initialWindowSize: number;
}

interface Incoming {
  readonly headers: HeaderList;
  readonly parts: Buffer[];
  bytes: number;
  unacknowledged: number;
}

/** The server's side of one HTTP/2 connection: enough of it for clients that send small requests and want small answers, fast. */
export class ServerConnection implements FrameHandler, ControlHandler, HeaderBlockHandler {
  readonly #socket: Duplex;
  readonly #handler: ServerHandler;
  readonly #decoder = new TableDecoder();
  readonly #encoder = new SteadyEncoder();
  readonly #writer: FrameWriter;
  readonly #reader = new FrameReader(this);
  readonly #blocks = new HeaderBlocks(this);
  readonly #peer = new PeerSettings('client');
  readonly #incoming = new Map<number, Incoming>();
  readonly #waiting: (() => void)[] = [];
  readonly #settings: ServerSettings;
  #sendWindow = DEFAULT_WINDOW;
  #prefaceLeft = PREFACE.length;
  #flushScheduled = false;
  #connectionBytes = 0;
  closed = false;
  /** Streams above this are ignored, after a GOAWAY. */
  lastTaken = 0x7fffffff;
  highestSeen = 0;

  constructor(socket: Duplex, handler: ServerHandler, settings: ServerSettings) {
    this.#socket = socket;
    this.#handler = handler;
    this.#settings = settings;
    this.#writer = new FrameWriter(this.#encoder, (bytes, done) => socket.write(bytes, () => done()));
    socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.on('error', () => this.destroy());
    socket.on('close', () => this.destroy());
    this.sendSettings(settings);
    if (settings.initialWindowSize >= DEFAULT_WINDOW) this.#windowUpdate(0, RECEIVE_WINDOW - DEFAULT_WINDOW);
    this.flush();
  }

  sendSettings(settings: ServerSettings): void {
    this.#writer.settings([
      [SETTING.maxConcurrentStreams, settings.maxConcurrentStreams],
      [SETTING.initialWindowSize, settings.initialWindowSize],
    ]);
    this.#scheduleFlush();
  }

  respond(streamId: number, status: string, headers: readonly (readonly [string, string])[], body: Buffer): void {
    if (this.closed) return;
    if (body.length > this.#sendWindow || body.length > this.#peer.initialWindowSize) {
      this.#waiting.push(() => this.respond(streamId, status, headers, body));
      return;
    }
    this.#incoming.delete(streamId);
    this.#writer.beginHead();
    if (status === '200') this.#writer.raw(STATUS_200);
    else this.#writer.text(':status', status);
    for (const [name, value] of headers) this.#writer.text(name, value);
    this.#writer.endHead(streamId, body.length === 0, 16_384);
    if (body.length > 0) {
      this.#sendWindow -= body.length;
      const at = this.#writer.data(streamId, body.length, true);
      this.#writer.target.set(body, at);
    }
    this.#scheduleFlush();
  }

  reset(streamId: number, code: number): void {
    if (this.closed) return;
    this.#incoming.delete(streamId);
    this.#writer.reset(streamId, code);
    this.#scheduleFlush();
  }

  goaway(lastStreamId: number, code: number, debug: string): void {
    if (this.closed) return;
    this.lastTaken = Math.min(this.lastTaken, lastStreamId);
    this.#writer.goaway(lastStreamId, code, Buffer.from(debug));
    this.#scheduleFlush();
  }

  /** Sends what is written and closes. */
  end(): void {
    this.flush();
    this.#socket.end();
  }

  destroy(): void {
    if (this.closed) return;
    this.closed = true;
    this.#socket.destroy();
    this.#handler.onClosed(this);
  }

  flush(): void {
    this.#flushScheduled = false;
    if (!this.closed) this.#writer.flush();
  }

  onFrame(type: number, flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.closed) return;
    if (this.#blocks.isOpen && type !== FRAME.continuation) throw protocolError('header block interrupted');
    if (type === FRAME.headers) this.#blocks.begin(flags, id, bytes, start, end);
    else if (type === FRAME.continuation) this.#blocks.continue(flags, id, bytes, start, end);
    else if (type === FRAME.data) this.#onData(flags, id, bytes, start, end);
    else if (type === FRAME.pushPromise) throw protocolError('push from a client');
    else readControl(type, flags, id, bytes, start, end, this);
  }

  onBlock(id: number, endStream: boolean, bytes: Uint8Array, start: number, end: number): void {
    const block = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const headers = this.#decoder.decode(block, start, end);
    if (id % 2 === 0 || (id <= this.highestSeen && !this.#incoming.has(id))) throw protocolError(`stream ${id} reused`);
    if (this.#incoming.has(id)) return;
    this.highestSeen = id;
    if (id > this.lastTaken) return;
    if (!this.#handler.onStream(this, id)) {
      this.reset(id, H2_ERROR.refusedStream);
      return;
    }
    if (endStream) {
      this.#handler.onRequest(this, { streamId: id, headers, body: NO_BODY });
      return;
    }
    this.#incoming.set(id, { headers, parts: [], bytes: 0, unacknowledged: 0 });
  }

  onSettings(bytes: Uint8Array, start: number, end: number): void {
    this.#peer.apply(bytes, start, end);
    this.#encoder.resize(this.#peer.headerTableSize);
    this.#writer.settingsAck();
    this.#scheduleFlush();
  }

  onSettingsAck(): void {}

  onPing(payload: Uint8Array): void {
    this.#writer.ping(payload, true);
    this.#scheduleFlush();
  }

  onWindowUpdate(id: number, by: number): void {
    if (id === 0) this.#sendWindow += by;
    for (const retry of this.#waiting.splice(0)) retry();
  }

  onReset(id: number): void {
    this.#incoming.delete(id);
    this.#handler.onReset(this, id);
  }

  onGoaway(): void {}

  #onData(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    const incoming = this.#incoming.get(id);
    this.#connectionBytes += end - start;
    this.#creditConnection();
    if (incoming === undefined) return;
    const padding = flags & FLAG.padded ? (bytes[start] ?? 0) + 1 : 0;
    const from = flags & FLAG.padded ? start + 1 : start;
    const part = Buffer.from(bytes.subarray(from, end - Math.max(0, padding - 1)));
    incoming.bytes += part.length;
    incoming.parts.push(part);
    if (flags & FLAG.endStream) {
      const body = incoming.parts.length === 1 ? part : Buffer.concat(incoming.parts);
      this.#incoming.delete(id);
      this.#handler.onRequest(this, { streamId: id, headers: incoming.headers, body });
      return;
    }
    incoming.unacknowledged += end - start;
    this.#windowUpdate(id, incoming.unacknowledged);
    incoming.unacknowledged = 0;
  }

  /** With a small window every byte is credited at once, else the window is too large to matter before it is half used. */
  #creditConnection(): void {
    const small = this.#settings.initialWindowSize < DEFAULT_WINDOW;
    if (!small && this.#connectionBytes < RECEIVE_WINDOW / 2) return;
    if (this.#connectionBytes > 0) this.#windowUpdate(0, this.#connectionBytes);
    this.#connectionBytes = 0;
  }

  #windowUpdate(id: number, by: number): void {
    this.#writer.windowUpdate(id, by);
    this.#scheduleFlush();
  }

  #receive(chunk: Buffer): void {
    let rest = chunk;
    if (this.#prefaceLeft > 0) {
      const from = PREFACE.length - this.#prefaceLeft;
      const seen = rest.subarray(0, this.#prefaceLeft);
      if (!PREFACE.subarray(from, from + seen.length).equals(seen)) {
        this.destroy();
        return;
      }
      this.#prefaceLeft -= seen.length;
      rest = rest.subarray(seen.length);
    }
    try {
      this.#reader.push(rest);
    } catch (error) {
      if (!(error instanceof H2Error)) throw error;
      this.goaway(this.highestSeen, error.code, error.message);
      this.end();
    }
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => this.flush());
  }
}

const STATUS_200 = Uint8Array.of(0x88);
