import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import type { Duplex } from 'node:stream';
import { Answer } from './answer.ts';
import type {
  HeadSink,
  Loss,
  RequestSource,
  SteadyHeaders,
  Transport,
  TransportEvents,
  TransportOptions,
} from './transport.ts';

const HEX_DASHES = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/;

/** Collects a request's head into plain headers. */
export class HeadCollector implements HeadSink {
  readonly headers: Record<string, string> = {};
  steady(headers: SteadyHeaders): void {
    for (const [name, value] of headers.fields) this.headers[name] = value;
  }
  text(name: string, value: string): void {
    this.headers[name] = value;
  }
  hex(name: string, prefix: string, bytes: Uint8Array, offset: number, length: number): void {
    this.headers[name] = prefix + Buffer.from(bytes.subarray(offset, offset + length)).toString('hex');
  }
  uuid(name: string, bytes: Uint8Array, offset: number): void {
    const hex = Buffer.from(bytes.subarray(offset, offset + 16)).toString('hex');
    this.headers[name] = hex.replace(HEX_DASHES, '$1-$2-$3-$4-$5');
  }
}

/** The same transport on Node's own HTTP/2: the reference our lean one is compared with, and a way out should it ever fail someone. */
export class NodeConnection implements Transport {
  readonly #session: ClientHttp2Session;
  readonly #source: RequestSource;
  readonly #events: TransportEvents;
  readonly #options: TransportOptions;
  readonly #streams = new Map<ClientHttp2Stream, number>();
  #ready = false;
  #draining = false;
  #closed = false;

  constructor(socket: Duplex, source: RequestSource, events: TransportEvents, options: TransportOptions) {
    this.#source = source;
    this.#events = events;
    this.#options = options;
    this.#session = connect(`https://${options.authority}`, { createConnection: () => socket });
    this.#session.once('remoteSettings', () => {
      this.#ready = true;
      events.onReady();
    });
    this.#session.on('goaway', (code: number, lastId: number, debug?: Uint8Array) => {
      this.#startDraining(`goaway ${code} ${debug === undefined ? '' : Buffer.from(debug).toString('utf8')}`.trim());
      for (const stream of this.#streams.keys()) {
        if ((stream.id ?? Number.MAX_SAFE_INTEGER) > lastId) this.#lose(stream, { processed: 'no', reason: 'goaway' });
      }
    });
    this.#session.on('error', (error: Error) => this.destroy(error.message));
    this.#session.on('close', () => this.destroy('closed'));
  }

  capacity(): number {
    if (!this.#ready || this.#draining || this.#closed) return 0;
    // The streams of a lost connection end before its session says so.
    if (this.#session.destroyed || this.#session.closed) return 0;
    const allowed = this.#session.remoteSettings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(allowed, this.#options.streamsMax) - this.#streams.size);
  }

  inFlight(): number {
    return this.#streams.size;
  }

  request(call: number): void {
    const head = new HeadCollector();
    this.#source.writeHead(call, head);
    const body = Buffer.alloc(this.#source.bodyLength(call));
    this.#source.writeBody(call, body, 0);
    const stream = this.#session.request(head.headers, { endStream: body.length === 0 });
    this.#streams.set(stream, call);
    const parts: Uint8Array[] = [];
    let fields: Map<string, string> | undefined;
    const answered = (): void => {
      const status = Number(fields?.get(':status') ?? 0);
      const ended = fields === undefined || status === 0 ? undefined : this.#end(stream);
      if (fields === undefined || ended === undefined) return;
      const answer = new Answer();
      answer.setFields(status, fields, Buffer.concat(parts));
      this.#events.onAnswer(ended, answer);
      this.#settle();
    };
    stream.on('response', (headers, flags) => {
      fields = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      // For an answer without a body Node may emit 'close' and never 'end'.
      if (flags & constants.NGHTTP2_FLAG_END_STREAM) answered();
    });
    stream.on('data', (part: Uint8Array) => parts.push(part));
    stream.on('end', answered);
    stream.on('error', () => undefined);
    const timer = setTimeout(() => {
      this.#lose(stream, { processed: 'unknown', reason: 'timeout' });
      stream.close(constants.NGHTTP2_CANCEL);
    }, this.#options.timeoutMs);
    stream.on('close', () => {
      clearTimeout(timer);
      this.#lose(stream, lossOf(stream.rstCode));
    });
    if (body.length > 0) stream.end(body);
  }

  drain(): void {
    this.#draining = true;
    this.#settle();
  }

  destroy(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const stream of [...this.#streams.keys()])
      this.#lose(stream, { processed: 'unknown', reason: `closed: ${reason}` });
    this.#session.destroy();
    this.#events.onClosed(reason);
  }

  #startDraining(reason: string): void {
    if (this.#draining) return;
    this.#draining = true;
    this.#events.onDraining(reason);
  }

  #end(stream: ClientHttp2Stream): number | undefined {
    const call = this.#streams.get(stream);
    this.#streams.delete(stream);
    return call;
  }

  #lose(stream: ClientHttp2Stream, loss: Loss): void {
    const call = this.#end(stream);
    if (call === undefined) return;
    this.#events.onLost(call, loss);
    this.#settle();
  }

  #settle(): void {
    if (this.#closed) return;
    if (this.#draining && this.#streams.size === 0) {
      this.#session.close();
      this.destroy('drained');
    } else this.#events.onCapacity();
  }
}

function lossOf(code: number | undefined): Loss {
  if (code === constants.NGHTTP2_REFUSED_STREAM) return { processed: 'no', reason: 'refused' };
  return { processed: 'unknown', reason: `reset:${code ?? 0}` };
}
