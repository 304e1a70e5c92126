import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { Answer } from './h2/answer.ts';
import { HeadCollector } from './h2/node-connection.ts';
import {
  LOSS,
  type Loss,
  type RequestSource,
  type Transport,
  type TransportEvents,
  type TransportOptions,
} from './h2/transport.ts';
import { collect } from './http1.ts';

/** HTTP/1.1 behind the same interface, one request at a time, for push services that speak nothing newer. */
export class Http1Connection implements Transport {
  readonly #socket: Socket;
  readonly #agent: Agent;
  readonly #source: RequestSource;
  readonly #events: TransportEvents;
  readonly #options: TransportOptions;
  #call = -1;
  /** Whether the call got the socket: until then nothing of it is written. */
  #hasLeft = false;
  #timer: NodeJS.Timeout | undefined;
  #draining = false;
  #closed = false;

  constructor(socket: Socket, source: RequestSource, events: TransportEvents, options: TransportOptions) {
    this.#socket = socket;
    this.#source = source;
    this.#events = events;
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1 });
    // The agent keeps this one socket alive and can make no other.
    Object.assign(this.#agent, { createConnection: () => socket });
    socket.on('error', (error: Error) => this.destroy(error.message));
    socket.on('close', () => this.destroy('closed'));
    setImmediate(() => events.onReady());
  }

  capacity(): number {
    return this.#closed || this.#draining || this.#call !== -1 ? 0 : 1;
  }

  inFlight(): number {
    return this.#call === -1 ? 0 : 1;
  }

  request(call: number): void {
    const head = new HeadCollector();
    this.#source.writeHead(call, head);
    const body = Buffer.alloc(this.#source.bodyLength(call));
    this.#source.writeBody(call, body, 0);
    const {
      ':method': method = 'POST',
      ':path': path = '/',
      ':authority': host = '',
      ':scheme': _scheme,
      ...headers
    } = head.headers;
    const exchange = request({ agent: this.#agent, method, path, headers: { ...headers, host } }, (answer) => {
      collect(answer).then(
        ({ status, headers: fields, body: text }) => {
          if (this.#call !== call) return;
          this.#end();
          // The peer ends the connection after this answer: what came next would be lost with it.
          if (!exchange.shouldKeepAlive) this.#draining = true;
          const result = new Answer();
          result.setFields(status, fields, Buffer.from(text));
          this.#events.onAnswer(call, result);
          if (this.#draining) this.destroy('drained');
          else this.#events.onCapacity();
        },
        () => this.destroy('answer cut short'),
      );
    });
    this.#call = call;
    // From the first byte to the last: a peer that sends a byte now and then must not hold a push for ever.
    this.#timer = setTimeout(() => this.#onTimeout(this.#timer), this.#options.timeoutMs);
    this.#hasLeft = false;
    exchange.once('socket', () => {
      this.#hasLeft = true;
    });
    exchange.once('error', (error: Error) => this.destroy(error.message));
    exchange.end(body);
  }

  drain(): void {
    this.#draining = true;
    if (this.#call === -1) this.destroy('drained');
  }

  destroy(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    const call = this.#end();
    if (call !== -1) this.#events.onLost(call, this.#hasLeft ? lossOf(reason) : LOSS.neverSent);
    this.#socket.destroy();
    this.#agent.destroy();
    this.#events.onClosed(reason);
  }

  /** Judged after the socket was read once more: the process may have stood still, and the answer lie there. */
  #onTimeout(timer: NodeJS.Timeout | undefined): void {
    setImmediate(() => {
      if (this.#timer === timer) this.destroy('timeout');
    });
  }

  /** The call that was under way, or -1. */
  #end(): number {
    const call = this.#call;
    this.#call = -1;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return call;
  }
}

function lossOf(reason: string): Loss {
  return reason === 'timeout' ? LOSS.timeout : { processed: 'unknown', reason: `closed: ${reason}` };
}
