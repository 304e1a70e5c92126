import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:tls';
import { H2_ERROR } from '../h2/protocol.ts';
import type { Certificates } from './certificates.ts';
import { type Faults, type OnceFault, spoiledShare } from './faults.ts';
import type { Records } from './records.ts';
import { ServerConnection, type ServerHandler, type ServerRequest } from './server-connection.ts';

export type FaultKind = 'gone' | 'badToken' | 'tooLarge' | 'tooMany' | 'error' | 'unavailable';

export interface SimAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** What the push is known by. */
  readonly id: string;
  readonly target: string;
  /** What the body says once decrypted. */
  readonly text?: string;
}

/** One vendor's rules. */
export interface Rules {
  /** Judges a request strictly. */
  answer(request: ServerRequest, connection: ServerConnection): SimAnswer;
  /** Whom a request is for. */
  target(request: ServerRequest): string;
  /** The vendor's way of saying that something failed. */
  fault(kind: FaultKind, request: ServerRequest, faults: Faults): SimAnswer;
  /** Streams a new connection may open before its first good answer; all of them if undefined. */
  readonly firstStreams: number | undefined;
}

interface Pending {
  readonly connection: ServerConnection;
  readonly request: ServerRequest;
}

interface ConnectionState {
  proven: boolean;
  open: number;
  ending: boolean;
  /** The highest stream that was acted on: no GOAWAY may disown it. */
  highestTaken: number;
}

/** How often connections and streams were made to fail. */
export interface FaultCounts {
  goaway: number;
  hardGoaway: number;
  cut: number;
  refused: number;
}

/** A simulated provider: a TLS port, its connections, and what goes wrong on them. */
export class Endpoint implements ServerHandler {
  readonly #server: Server;
  readonly #rules: Rules;
  readonly #random: () => number;
  readonly #records: Records;
  readonly #connections = new Map<ServerConnection, ConnectionState>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #once = new Map<string, OnceFault>();
  readonly faultCounts: FaultCounts = { goaway: 0, hardGoaway: 0, cut: 0, refused: 0 };
  #due = new Map<number, Pending[]>();
  #pushes = 0;
  #faults: Faults;
  /** The sum of all shares. */
  #spoiledShare: number;

  constructor(certificates: Certificates, rules: Rules, records: Records, faults: Faults, random: () => number) {
    this.#rules = rules;
    this.#records = records;
    this.#random = random;
    this.#faults = faults;
    this.#spoiledShare = spoiledShare(faults);
    this.#server = createServer({ cert: certificates.cert, key: certificates.key, ALPNProtocols: ['h2'] }, (socket) => {
      socket.setNoDelay(true);
      const streams = rules.firstStreams ?? this.faults.streams;
      const settings = { maxConcurrentStreams: streams, initialWindowSize: this.faults.windowBytes };
      const connection = new ServerConnection(socket, this, settings);
      this.#connections.set(connection, {
        proven: rules.firstStreams === undefined,
        open: 0,
        ending: false,
        highestTaken: 0,
      });
    });
  }

  get faults(): Faults {
    return this.#faults;
  }

  set faults(faults: Faults) {
    this.#faults = faults;
    this.#spoiledShare = spoiledShare(faults);
  }

  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    const address: AddressInfo | string | null = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : port;
  }

  get connections(): number {
    return this.#connections.size;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    for (const connection of [...this.#connections.keys()]) connection.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Cuts every socket now. */
  cutAll(): void {
    for (const connection of [...this.#connections.keys()]) connection.destroy();
  }

  /** Lets something happen to the next push to this target, whatever the faults are otherwise. */
  once(target: string, fault: OnceFault): void {
    this.#once.set(target, fault);
  }

  onStream(connection: ServerConnection): boolean {
    const state = this.#connections.get(connection);
    if (state === undefined) return false;
    if (!state.proven && state.open >= (this.#rules.firstStreams ?? 1)) return false;
    if (this.#faults.refusedShare > 0 && this.#random() < this.#faults.refusedShare) {
      this.faultCounts.refused++;
      return false;
    }
    state.open++;
    return true;
  }

  onReset(connection: ServerConnection): void {
    this.#released(connection);
  }

  onClosed(connection: ServerConnection): void {
    this.#connections.delete(connection);
  }

  onRequest(connection: ServerConnection, request: ServerRequest): void {
    const { latencyMs, jitterMs } = this.faults;
    const delay = latencyMs + (jitterMs > 0 ? this.#random() * jitterMs : 0);
    if (delay < 1) {
      this.#process({ connection, request });
      return;
    }
    const due = Math.ceil(performance.now() + delay);
    const batch = this.#due.get(due);
    if (batch !== undefined) {
      batch.push({ connection, request });
      return;
    }
    this.#due.set(due, [{ connection, request }]);
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const pushes = this.#due.get(due) ?? [];
      this.#due.delete(due);
      for (const push of pushes) this.#process(push);
    }, delay);
    this.#timers.add(timer);
  }

  #process(push: Pending): void {
    const { connection, request } = push;
    if (connection.closed || request.streamId > connection.lastTaken) return;
    const once = this.#once.size > 0 ? this.#takeOnce(request) : undefined;
    if (once === 'refused') {
      this.faultCounts.refused++;
      connection.reset(request.streamId, H2_ERROR.refusedStream);
      this.#released(connection);
      return;
    }
    this.#pushes++;
    const state = this.#connections.get(connection);
    if (state !== undefined) state.highestTaken = Math.max(state.highestTaken, request.streamId);
    const { faults } = this;
    if (once === 'cut' || isTurn(this.#pushes, faults.cutEvery)) {
      this.faultCounts.cut++;
      this.#maybeAccept(push);
      connection.destroy();
      return;
    }
    if (isTurn(this.#pushes, faults.hardGoawayEvery)) {
      this.#goawayHard(push);
      return;
    }
    if (once === 'goaway' || isTurn(this.#pushes, faults.goawayEvery)) {
      this.faultCounts.goaway++;
      connection.goaway(connection.highestSeen, H2_ERROR.noError, '{"reason":"Shutdown"}');
      if (state !== undefined) state.ending = true;
    }
    if (this.#spoil(push)) return;
    const isTooLarge = faults.bodyBytesMax > 0 && request.body.length > faults.bodyBytesMax;
    this.#answer(
      push,
      isTooLarge ? this.#rules.fault('tooLarge', request, faults) : this.#rules.answer(request, connection),
    );
  }

  #takeOnce(request: ServerRequest): OnceFault | undefined {
    const target = this.#rules.target(request);
    const fault = this.#once.get(target);
    this.#once.delete(target);
    return fault;
  }

  /** Whether one of the faults by share took this push. */
  #spoil(push: Pending): boolean {
    const { faults } = this;
    const { connection, request } = push;
    let chance = this.#random();
    if (chance >= this.#spoiledShare) return false;
    const hit = (share: number): boolean => {
      const isHit = chance < share;
      chance -= share;
      return isHit;
    };
    if (hit(faults.resetShare)) {
      this.#maybeAccept(push);
      connection.reset(request.streamId, H2_ERROR.internal);
      this.#released(connection);
      return true;
    }
    if (hit(faults.blackHoleShare)) {
      this.#maybeAccept(push);
      return true;
    }
    const kinds: readonly (readonly [number, FaultKind])[] = [
      [faults.goneShare, 'gone'],
      [faults.badTokenShare, 'badToken'],
      [faults.tooManyShare, 'tooMany'],
      [faults.errorShare, 'error'],
      [faults.unavailableShare, 'unavailable'],
    ];
    for (const [share, kind] of kinds) {
      if (!hit(share)) continue;
      this.#answer(push, this.#rules.fault(kind, request, faults));
      return true;
    }
    return false;
  }

  #answer({ connection, request }: Pending, answer: SimAnswer): void {
    const accepted = answer.status >= 200 && answer.status < 300;
    this.#record(request, answer, accepted);
    connection.respond(request.streamId, String(answer.status), answer.headers, answer.body);
    const state = this.#connections.get(connection);
    if (state === undefined) return;
    if (accepted && !state.proven) {
      state.proven = true;
      connection.sendSettings({
        maxConcurrentStreams: this.faults.streams,
        initialWindowSize: this.faults.windowBytes,
      });
    }
    this.#released(connection);
  }

  /** Half of the pushes whose answer will be lost were processed all the same: that is what makes them unknown. */
  #maybeAccept({ connection, request }: Pending): void {
    if (this.#random() < 0.5) return;
    const answer = this.#rules.answer(request, connection);
    this.#record(request, answer, answer.status < 300);
  }

  #goawayHard(push: Pending): void {
    const { connection, request } = push;
    this.faultCounts.hardGoaway++;
    const last = this.#connections.get(connection)?.highestTaken ?? request.streamId;
    for (const batch of this.#due.values()) {
      for (const other of batch) {
        if (other.connection === connection && other.request.streamId < last) this.#maybeAccept(other);
      }
    }
    this.#maybeAccept(push);
    connection.goaway(last, H2_ERROR.internal, '{"reason":"InternalServerError"}');
    connection.lastTaken = 0;
    connection.end();
  }

  #released(connection: ServerConnection): void {
    const state = this.#connections.get(connection);
    if (state === undefined) return;
    state.open--;
    if (state.ending && state.open <= 0) connection.end();
  }

  #record(request: ServerRequest, answer: SimAnswer, accepted: boolean): void {
    this.#records.count(answer.id, accepted, answer.reason);
    if (!this.#records.keepsLatest) return;
    const headers = request.headers.toRecord();
    // What gives access is not kept.
    delete headers.authorization;
    this.#records.keep({
      id: answer.id,
      target: answer.target,
      status: answer.status,
      reason: answer.reason,
      atMs: Date.now(),
      headers,
      body: answer.text ?? request.body.toString('utf8'),
    });
  }
}

function isTurn(count: number, every: number): boolean {
  return every > 0 && count % every === 0;
}
