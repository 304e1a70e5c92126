import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import { Answer } from './answer.ts';
import { type AnswerHost, AnswerReader } from './answer-reader.ts';
import { type ControlHandler, protocolError, readControl } from './control-frames.ts';
import { FrameBudget } from './frame-budget.ts';
import { type FrameHandler, FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import { HEADER_BLOCK_MAX, HeaderBlocks } from './header-blocks.ts';
import { SteadyEncoder } from './hpack-encode.ts';
import { PeerSettings } from './peer-settings.ts';
import { PendingBodies } from './pending-bodies.ts';
import { DEFAULT_WINDOW, FRAME, H2_ERROR, H2Error, MAX_STREAM_ID, PREFACE, SETTING } from './protocol.ts';
import { StreamRing } from './stream-ring.ts';
import {
  LOSS,
  type Loss,
  type RequestSource,
  type Transport,
  type TransportEvents,
  type TransportOptions,
} from './transport.ts';

const TICK_MS = 100;
/** A tick that comes this late was held up with everything else: answers may lie in the socket that nobody has read. */
const STALLED_MS = 1_000;
/** What we let the peer send over the whole connection before it must wait for us. */
const CONNECTION_WINDOW = 1_048_576;
/** Bytes on their way to the socket above which nothing new is taken. */
const LEAVING_MAX = 1_048_576;
const EMPTY = new Uint8Array(0);
const PING_PAYLOAD = Buffer.from('gatehous', 'latin1');

export interface LeanOptions extends TransportOptions {
  /** Where stream ids begin: 1, or near their end to see what happens there. */
  readonly firstStreamId?: number;
}

/** The client's side of one HTTP/2 connection, with no object, promise or timer a request. */
export class LeanConnection implements Transport, FrameHandler, ControlHandler, AnswerHost {
  readonly #socket: Duplex;
  readonly #source: RequestSource;
  readonly #events: TransportEvents;
  readonly #options: LeanOptions;
  readonly #clock: Clock;
  readonly #encoder = new SteadyEncoder();
  readonly #writer: FrameWriter;
  readonly #reader = new FrameReader(this);
  readonly #peer = new PeerSettings('server');
  readonly #bodies = new PendingBodies();
  readonly #blocks: HeaderBlocks;
  readonly #answers: AnswerReader;
  readonly #budget = new FrameBudget();
  readonly #answer = new Answer();
  readonly #ring: StreamRing;
  readonly #stopTick: () => void;
  readonly #born: number;
  #now: number;
  #lastReceived: number;
  #pingSentAt = 0;
  #wasStalled = false;
  #ready = false;
  #draining = false;
  #closed = false;
  #flushScheduled = false;
  /** Something ended or opened since the pool was last told that there may be capacity. */
  #hasNews = false;
  #flushedId = 0;
  #receiveLeft = CONNECTION_WINDOW;

  constructor(socket: Duplex, source: RequestSource, events: TransportEvents, options: LeanOptions, clock: Clock) {
    this.#socket = socket;
    this.#source = source;
    this.#events = events;
    this.#options = options;
    this.#clock = clock;
    this.#born = clock.now();
    this.#now = this.#born;
    this.#lastReceived = this.#born;
    this.#ring = new StreamRing(options.firstStreamId ?? 1);
    this.#answers = new AnswerReader(this.#ring, this, options.answerBytesMax);
    this.#blocks = new HeaderBlocks(this.#answers);
    this.#writer = new FrameWriter(this.#encoder, (bytes, done) => {
      socket.write(bytes, (error) => {
        done();
        if (error) return;
        this.#hasNews = true;
        this.#unblock();
      });
    });
    socket.on('data', (chunk: Uint8Array) => this.#receive(chunk));
    socket.on('error', (error: Error) => this.destroy(error.message));
    socket.on('end', () => this.destroy('closed by peer'));
    socket.on('close', () => this.destroy('closed'));
    this.#stopTick = clock.every(TICK_MS, () => this.#tick());
    this.#greet();
  }

  capacity(): number {
    if (!this.#ready || this.#draining || this.#closed) return 0;
    const blocked = this.#bodies.size > 0 || this.#writer.leaving > LEAVING_MAX;
    const allowed = Math.min(this.#peer.maxConcurrentStreams, this.#options.streamsMax) - this.#ring.open;
    const free = blocked || allowed <= 0 ? 0 : Math.min(allowed, this.#ring.room());
    return Math.max(0, free);
  }

  inFlight(): number {
    return this.#ring.open;
  }

  request(call: number): void {
    const length = this.#source.bodyLength(call);
    const before = this.#ring.nextId;
    try {
      this.#write(call, length);
    } catch (error) {
      // A part of it is written and the peer's header table counted on: what came after it would be misread.
      this.#ring.remove(before);
      this.destroy('a request could not be written');
      throw error;
    }
    this.#budget.earn();
    this.#scheduleFlush();
    if (this.#ring.nextId > MAX_STREAM_ID) this.#startDraining('stream ids used up');
  }

  #write(call: number, length: number): void {
    const writer = this.#writer;
    writer.beginHead();
    this.#source.writeHead(call, writer);
    const id = this.#ring.add(call, this.#now + this.#options.timeoutMs, DEFAULT_WINDOW);
    writer.endHead(id, length === 0, this.#peer.maxFrameSize);
    if (length > 0) {
      const window = Math.min(this.#bodies.connectionWindow, this.#peer.initialWindowSize, this.#peer.maxFrameSize);
      if (length <= window && this.#bodies.size === 0) {
        this.#bodies.spend(length);
        const at = writer.data(id, length, true);
        this.#source.writeBody(call, writer.target, at);
      } else {
        const body = Buffer.alloc(length);
        this.#source.writeBody(call, body, 0);
        this.#bodies.hold(id, body, this.#peer.initialWindowSize);
        this.#pumpBodies();
      }
    }
  }

  drain(): void {
    if (this.#closed) return;
    this.#draining = true;
    if (this.#ring.open === 0) this.#shut('drained');
  }

  destroy(reason: string): void {
    if (this.#endStreams(reason)) this.#socket.destroy();
  }

  // --- what comes in

  onFrame(type: number, flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#closed) return;
    if (this.#blocks.isOpen && type !== FRAME.continuation) throw protocolError('header block interrupted');
    if (!this.#ready && type !== FRAME.settings) throw protocolError('settings must come first');
    if (!(type === FRAME.data && this.#answers.awaitsBody(id))) this.#answers.keepHead();
    switch (type) {
      case FRAME.headers:
        this.#checkId(id);
        this.#blocks.begin(flags, id, bytes, start, end);
        return;
      case FRAME.data:
        this.#checkId(id);
        this.#spendReceiveWindow(end - start);
        this.#answers.onData(flags, id, bytes, start, end);
        return;
      case FRAME.continuation:
        this.spendIdleFrame();
        this.#blocks.continue(flags, id, bytes, start, end);
        return;
      case FRAME.pushPromise:
        throw protocolError('push was switched off');
      default:
        this.spendIdleFrame();
        readControl(type, flags, id, bytes, start, end, this);
        return;
    }
  }

  #receive(chunk: Uint8Array): void {
    if (this.#closed) return;
    this.#lastReceived = this.#now;
    this.#pingSentAt = 0;
    this.#answers.beginChunk(chunk);
    try {
      this.#reader.push(chunk);
      this.#answers.keepHead();
    } catch (error) {
      if (!(error instanceof H2Error)) throw error;
      this.#shut(`protocol error ${error.code}: ${error.message}`, error.code);
      return;
    } finally {
      this.#answers.endChunk();
    }
    if (this.#closed) return;
    if (this.#draining && this.#ring.open === 0) this.#shut('drained');
    else this.#unblock();
  }

  onSettings(bytes: Uint8Array, start: number, end: number): void {
    const windowBefore = this.#peer.initialWindowSize;
    this.#peer.apply(bytes, start, end);
    this.#encoder.resize(this.#peer.headerTableSize);
    this.#bodies.shiftStreams(this.#peer.initialWindowSize - windowBefore);
    this.#writer.settingsAck();
    this.#pumpBodies();
    this.#scheduleFlush();
    this.#hasNews = true;
    if (this.#ready) return;
    this.#ready = true;
    this.#events.onReady();
  }

  onSettingsAck(): void {
    if (!this.#ready) throw protocolError('settings must come first');
  }

  onPing(payload: Uint8Array): void {
    this.#writer.ping(payload, true);
    this.#scheduleFlush();
  }

  onWindowUpdate(id: number, by: number): void {
    if (id !== 0) this.#checkId(id);
    if (by === 0 && id === 0) throw protocolError('window update of 0');
    if (id === 0) this.#bodies.growConnection(by);
    else if (by === 0 || !this.#bodies.growStream(id, by)) {
      if (this.#ring.has(id)) this.breakStream(id, 'bad window update');
      return;
    }
    this.#pumpBodies();
  }

  onReset(id: number, code: number): void {
    this.#checkId(id);
    if (!this.#ring.has(id)) return;
    this.#lose(id, code === H2_ERROR.refusedStream ? LOSS.refused : { processed: 'unknown', reason: `reset:${code}` });
  }

  onGoaway(lastId: number, code: number, debug: string): void {
    this.#startDraining(`goaway ${code}${debug === '' ? '' : ` ${debug}`}`);
    for (const id of this.#ring.idsAbove(lastId)) this.#lose(id, LOSS.goaway);
  }

  // --- how a stream ends

  deliver(id: number, status: number, block: Uint8Array, start: number, end: number, body: Uint8Array): void {
    // Answered before we sent it all: say that no more will come.
    if (this.#bodies.isPending(id)) this.reset(id, H2_ERROR.noError);
    const call = this.#close(id);
    this.#answer.setBlock(status, block, start, end, body);
    this.#events.onAnswer(call, this.#answer);
  }

  #lose(id: number, loss: Loss): void {
    const call = this.#close(id);
    if (call !== -1) this.#events.onLost(call, loss);
  }

  /** A peer that breaks one stream's rules loses that stream only. */
  breakStream(id: number, what: string): void {
    this.reset(id, H2_ERROR.protocol);
    this.#lose(id, { processed: 'unknown', reason: `malformed: ${what}` });
  }

  #close(id: number): number {
    this.#hasNews = true;
    this.#bodies.drop(id);
    this.#answers.drop(id);
    return this.#ring.remove(id);
  }

  #startDraining(reason: string): void {
    const first = !this.#draining;
    this.#draining = true;
    if (first) this.#events.onDraining(reason);
  }

  // --- what goes out

  #greet(): void {
    this.#writer.raw(PREFACE);
    this.#writer.settings([
      [SETTING.headerTableSize, 0],
      [SETTING.enablePush, 0],
      [SETTING.maxHeaderListSize, HEADER_BLOCK_MAX],
    ]);
    this.windowUpdate(0, CONNECTION_WINDOW - DEFAULT_WINDOW);
    this.#flush();
  }

  #pumpBodies(): void {
    if (this.#bodies.size === 0) return;
    this.#hasNews = true;
    this.#bodies.pump(this.#peer.maxFrameSize, (id, part, last) => {
      const at = this.#writer.data(id, part.length, last);
      this.#writer.target.set(part, at);
    });
    this.#scheduleFlush();
  }

  windowUpdate(id: number, by: number): void {
    this.#writer.windowUpdate(id, by);
    this.#scheduleFlush();
  }

  reset(id: number, code: number): void {
    this.#writer.reset(id, code);
    this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    if (this.#flushScheduled) return;
    this.#flushScheduled = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#flushScheduled = false;
    if (this.#closed) return;
    this.#flushedId = this.#ring.nextId - 2;
    this.#writer.flush();
  }

  #unblock(): void {
    if (!this.#hasNews || this.#closed) return;
    this.#hasNews = false;
    this.#events.onCapacity();
  }

  /** Says goodbye and ends our side at once; the socket gets a moment to carry the GOAWAY. */
  #shut(reason: string, code: number = H2_ERROR.noError): void {
    const socket = this.#socket;
    this.#writer.goaway(0, code, EMPTY);
    this.#flush();
    socket.end();
    const cancel = this.#clock.after(1_000, () => socket.destroy());
    socket.once('close', cancel);
    this.#endStreams(reason);
  }

  /** Every stream still open ends here; false if the connection had ended before. */
  #endStreams(reason: string): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#stopTick();
    const unknown: Loss = { processed: 'unknown', reason: `closed: ${reason}` };
    for (const id of this.#ring.idsAbove(0)) {
      const unsent = id > this.#flushedId || this.#bodies.isPending(id);
      this.#lose(id, unsent ? LOSS.neverSent : unknown);
    }
    this.#events.onClosed(reason);
    return true;
  }

  // --- time and limits

  #tick(): void {
    const before = this.#now;
    this.#now = this.#clock.now();
    this.#budget.refill(TICK_MS);
    // What is late is judged at the next tick, after the socket was read. Not twice in a row, or nothing would ever be.
    this.#wasStalled = !this.#wasStalled && this.#now - before > TICK_MS + STALLED_MS;
    if (this.#wasStalled) return;
    if (!this.#ready && this.#now - this.#born > this.#options.timeoutMs) {
      this.destroy('no settings');
      return;
    }
    for (let id = this.#ring.expired(this.#now); id !== 0; id = this.#ring.expired(this.#now)) {
      // Nothing at all came since this request left: the whole connection is dead, not this stream.
      if (this.#now - this.#lastReceived >= this.#options.timeoutMs) {
        this.destroy('silent');
        return;
      }
      this.reset(id, H2_ERROR.cancel);
      this.#lose(id, LOSS.timeout);
      if (this.#closed) return;
    }
    this.#keepAlive();
    if (this.#draining && this.#ring.open === 0) this.#shut('drained');
    else this.#unblock();
  }

  #keepAlive(): void {
    if (this.#pingSentAt !== 0) {
      if (this.#now - this.#pingSentAt > this.#options.timeoutMs) this.destroy('ping unanswered');
      return;
    }
    if (this.#ring.open > 0 || this.#now - this.#lastReceived < this.#options.pingAfterIdleMs) return;
    this.#pingSentAt = this.#now;
    this.#writer.ping(PING_PAYLOAD, false);
    this.#scheduleFlush();
  }

  spendIdleFrame(): void {
    this.#budget.spend();
  }

  #spendReceiveWindow(bytes: number): void {
    this.#receiveLeft -= bytes;
    if (this.#receiveLeft < 0) throw new H2Error(H2_ERROR.flowControl, 'connection window overrun');
    if (this.#receiveLeft > CONNECTION_WINDOW / 2) return;
    this.windowUpdate(0, CONNECTION_WINDOW - this.#receiveLeft);
    this.#receiveLeft = CONNECTION_WINDOW;
  }

  /** A frame for a stream that was never opened breaks the connection; one for a stream that ended is only ignored. */
  #checkId(id: number): void {
    if (id === 0 || (id & 1) === 0 || id >= this.#ring.nextId) throw protocolError(`frame for stream ${id}`);
  }
}
