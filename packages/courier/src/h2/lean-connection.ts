import type { Duplex } from 'node:stream';
import type { Clock } from '../clock.ts';
import { Answer } from './answer.ts';
import { type ControlHandler, protocolError, readControl } from './control-frames.ts';
import { type FrameHandler, FrameReader } from './frame-reader.ts';
import { FrameWriter } from './frame-writer.ts';
import { HEADER_BLOCK_MAX, type HeaderBlockHandler, HeaderBlocks } from './header-blocks.ts';
import { readStatus } from './hpack-decode.ts';
import { SteadyEncoder } from './hpack-encode.ts';
import { PartialAnswers } from './partial-answers.ts';
import { PeerSettings } from './peer-settings.ts';
import { PendingBodies } from './pending-bodies.ts';
import { DEFAULT_WINDOW, FLAG, FRAME, H2_ERROR, H2Error, MAX_STREAM_ID, PREFACE, SETTING } from './protocol.ts';
import { StreamRing } from './stream-ring.ts';
import type { Loss, RequestSource, Transport, TransportEvents, TransportOptions } from './transport.ts';

const TICK_MS = 100;
/** What we let the peer send over the whole connection before it must wait for us. */
const CONNECTION_WINDOW = 1_048_576;
/** Bytes on their way to the socket above which nothing new is taken. */
const LEAVING_MAX = 1_048_576;
/** Frames that answer nothing: a peer may send this many, four more for each request, and as many again every second. */
const IDLE_FRAMES = 10_000;
const IDLE_FRAMES_PER_REQUEST = 4;
const EMPTY = new Uint8Array(0);
const PING_PAYLOAD = Buffer.from('gatehous', 'latin1');

const GOAWAY_LOSS: Loss = { processed: 'no', reason: 'goaway' };
const REFUSED_LOSS: Loss = { processed: 'no', reason: 'refused' };
const TIMEOUT_LOSS: Loss = { processed: 'unknown', reason: 'timeout' };
const NEVER_SENT_LOSS: Loss = { processed: 'no', reason: 'neverSent' };

export interface LeanOptions extends TransportOptions {
  /** Where stream ids begin: 1, or near their end to see what happens there. */
  readonly firstStreamId?: number;
}

/** The client's side of one HTTP/2 connection, with no object, promise or timer a request. */
export class LeanConnection implements Transport, FrameHandler, ControlHandler, HeaderBlockHandler {
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
  readonly #blocks = new HeaderBlocks(this);
  readonly #partials = new PartialAnswers();
  readonly #answer = new Answer();
  readonly #ring: StreamRing;
  readonly #stopTick: () => void;
  readonly #born: number;
  #now: number;
  #lastReceived: number;
  #pingSentAt = 0;
  #ready = false;
  #draining = false;
  #closed = false;
  #flushScheduled = false;
  #wasBlocked = false;
  #flushedId = 0;
  #receiveLeft = CONNECTION_WINDOW;
  #idleFrames = IDLE_FRAMES;
  /** The chunk being read, and an answer's head in it whose body may follow right behind: copied only if it does not. */
  #chunk: Uint8Array = EMPTY;
  #headId = 0;
  #headStatus = 0;
  #headStart = 0;
  #headEnd = 0;

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
    this.#writer = new FrameWriter(this.#encoder, (bytes, done) => {
      socket.write(bytes, (error) => {
        done();
        if (!error) this.#unblock();
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
    if (free <= 0) this.#wasBlocked = true;
    return Math.max(0, free);
  }

  inFlight(): number {
    return this.#ring.open;
  }

  request(call: number): void {
    const length = this.#source.bodyLength(call);
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
        const body = new Uint8Array(length);
        this.#source.writeBody(call, body, 0);
        this.#bodies.hold(id, body, this.#peer.initialWindowSize);
        this.#pumpBodies();
      }
    }
    if (this.#idleFrames < IDLE_FRAMES * 2) this.#idleFrames += IDLE_FRAMES_PER_REQUEST;
    this.#scheduleFlush();
    if (this.#ring.nextId > MAX_STREAM_ID) this.#startDraining('stream ids used up');
  }

  drain(): void {
    if (this.#closed) return;
    this.#draining = true;
    if (this.#ring.open === 0) this.#closeCleanly('drained');
  }

  destroy(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#stopTick();
    const unknown: Loss = { processed: 'unknown', reason: `closed: ${reason}` };
    for (const id of this.#ring.idsAbove(0)) {
      const unsent = id > this.#flushedId || this.#bodies.isPending(id);
      this.#lose(id, unsent ? NEVER_SENT_LOSS : unknown);
    }
    this.#socket.destroy();
    this.#events.onClosed(reason);
  }

  // --- what comes in

  onFrame(type: number, flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    if (this.#closed) return;
    if (this.#blocks.isOpen && type !== FRAME.continuation) throw protocolError('header block interrupted');
    if (!this.#ready && type !== FRAME.settings) throw protocolError('settings must come first');
    if (this.#headId !== 0 && !(type === FRAME.data && id === this.#headId)) this.#keepHead();
    switch (type) {
      case FRAME.headers:
        this.#checkId(id);
        return this.#blocks.begin(flags, id, bytes, start, end);
      case FRAME.data:
        return this.#onData(flags, id, bytes, start, end);
      case FRAME.continuation:
        this.#spendIdleFrame();
        return this.#blocks.continue(flags, id, bytes, start, end);
      case FRAME.pushPromise:
        throw protocolError('push was switched off');
      default:
        this.#spendIdleFrame();
        return readControl(type, flags, id, bytes, start, end, this);
    }
  }

  #receive(chunk: Uint8Array): void {
    if (this.#closed) return;
    this.#lastReceived = this.#now;
    this.#pingSentAt = 0;
    this.#chunk = chunk;
    try {
      this.#reader.push(chunk);
      if (this.#headId !== 0) this.#keepHead();
    } catch (error) {
      if (!(error instanceof H2Error)) throw error;
      this.#giveUp(error);
      return;
    } finally {
      this.#chunk = EMPTY;
      this.#headId = 0;
    }
    if (this.#closed) return;
    if (this.#draining && this.#ring.open === 0) this.#closeCleanly('drained');
    else this.#unblock();
  }

  onBlock(id: number, endStream: boolean, bytes: Uint8Array, start: number, end: number): void {
    const status = readStatus(bytes, start, end);
    if (!this.#ring.has(id)) return this.#spendIdleFrame();
    if (this.#partials.has(id)) {
      // Trailers: nothing in them matters, but they must end the answer.
      if (endStream) this.#finish(id);
      else this.#breakStream(id, 'trailers that do not end');
      return;
    }
    if (status === 0) return this.#breakStream(id, 'answer without status');
    if (status < 200) {
      if (endStream) this.#breakStream(id, 'interim answer that ends');
      else this.#spendIdleFrame();
      return;
    }
    if (endStream) return this.#deliver(id, status, bytes, start, end, EMPTY);
    if (bytes !== this.#chunk) return this.#partials.begin(id, status, bytes.subarray(start, end));
    this.#headId = id;
    this.#headStatus = status;
    this.#headStart = start;
    this.#headEnd = end;
  }

  #onData(flags: number, id: number, bytes: Uint8Array, start: number, end: number): void {
    this.#checkId(id);
    const length = end - start;
    this.#spendReceiveWindow(length);
    let from = start;
    let to = end;
    if (flags & FLAG.padded) {
      if (length === 0) throw new H2Error(H2_ERROR.frameSize, 'no room for the padding length');
      to -= bytes[from] ?? 0;
      from += 1;
      if (from > to) throw protocolError('padding longer than its frame');
    }
    if (!this.#ring.has(id)) return this.#spendIdleFrame();
    if (length === 0) this.#spendIdleFrame();
    const left = this.#ring.receive(id, length);
    if (left < 0) throw new H2Error(H2_ERROR.flowControl, 'stream window overrun');
    const endStream = (flags & FLAG.endStream) !== 0;
    if (this.#headId === id) {
      if (endStream && bytes === this.#chunk) {
        this.#headId = 0;
        return this.#deliver(id, this.#headStatus, bytes, this.#headStart, this.#headEnd, bytes.subarray(from, to));
      }
      this.#keepHead();
    }
    if (!this.#partials.has(id)) return this.#breakStream(id, 'body before its head');
    const held = this.#partials.append(id, bytes.subarray(from, to));
    if (endStream) return this.#finish(id);
    if (held > this.#options.answerBytesMax) {
      // The status says all that matters; refuse the rest of a body without end.
      this.#reset(id, H2_ERROR.cancel);
      this.#finish(id);
    } else if (left < DEFAULT_WINDOW / 2) {
      this.#ring.receive(id, left - DEFAULT_WINDOW);
      this.#windowUpdate(id, DEFAULT_WINDOW - left);
    }
  }

  onSettings(bytes: Uint8Array, start: number, end: number): void {
    const windowBefore = this.#peer.initialWindowSize;
    this.#peer.apply(bytes, start, end);
    this.#encoder.resize(this.#peer.headerTableSize);
    this.#bodies.shiftStreams(this.#peer.initialWindowSize - windowBefore);
    this.#writer.frameHeader(0, FRAME.settings, FLAG.ack, 0);
    this.#pumpBodies();
    this.#scheduleFlush();
    this.#wasBlocked = true;
    if (this.#ready) return;
    this.#ready = true;
    this.#events.onReady();
  }

  onSettingsAck(): void {
    if (!this.#ready) throw protocolError('settings must come first');
  }

  onPing(payload: Uint8Array): void {
    this.#writer.frameHeader(8, FRAME.ping, FLAG.ack, 0);
    this.#writer.raw(payload);
    this.#scheduleFlush();
  }

  onWindowUpdate(id: number, by: number): void {
    if (id !== 0) this.#checkId(id);
    if (by === 0 && id === 0) throw protocolError('window update of 0');
    if (id === 0) this.#bodies.growConnection(by);
    else if (by === 0 || !this.#bodies.growStream(id, by)) {
      if (this.#ring.has(id)) this.#breakStream(id, 'bad window update');
      return;
    }
    this.#pumpBodies();
  }

  onReset(id: number, code: number): void {
    this.#checkId(id);
    if (!this.#ring.has(id)) return;
    this.#lose(id, code === H2_ERROR.refusedStream ? REFUSED_LOSS : { processed: 'unknown', reason: `reset:${code}` });
  }

  onGoaway(lastId: number, code: number, debug: string): void {
    this.#startDraining(`goaway ${code}${debug === '' ? '' : ` ${debug}`}`);
    for (const id of this.#ring.idsAbove(lastId)) this.#lose(id, GOAWAY_LOSS);
  }

  // --- how a stream ends

  #deliver(id: number, status: number, block: Uint8Array, start: number, end: number, body: Uint8Array): void {
    // Answered before we sent it all: say that no more will come.
    if (this.#bodies.isPending(id)) this.#reset(id, H2_ERROR.noError);
    const call = this.#close(id);
    this.#answer.setBlock(status, block, start, end, body);
    this.#events.onAnswer(call, this.#answer);
  }

  #finish(id: number): void {
    const answer = this.#partials.take(id);
    if (answer === undefined) return;
    this.#deliver(id, answer.status, answer.block, 0, answer.block.length, answer.body);
  }

  #lose(id: number, loss: Loss): void {
    const call = this.#close(id);
    if (call !== -1) this.#events.onLost(call, loss);
  }

  /** A peer that breaks one stream's rules loses that stream only. */
  #breakStream(id: number, what: string): void {
    this.#reset(id, H2_ERROR.protocol);
    this.#lose(id, { processed: 'unknown', reason: `malformed: ${what}` });
  }

  #close(id: number): number {
    this.#bodies.drop(id);
    this.#partials.drop(id);
    if (this.#headId === id) this.#headId = 0;
    return this.#ring.remove(id);
  }

  #keepHead(): void {
    this.#partials.begin(this.#headId, this.#headStatus, this.#chunk.subarray(this.#headStart, this.#headEnd));
    this.#headId = 0;
  }

  #startDraining(reason: string): void {
    const first = !this.#draining;
    this.#draining = true;
    if (first) this.#events.onDraining(reason);
  }

  // --- what goes out

  #greet(): void {
    const settings: readonly (readonly [number, number])[] = [
      [SETTING.headerTableSize, 0],
      [SETTING.enablePush, 0],
      [SETTING.maxHeaderListSize, HEADER_BLOCK_MAX],
    ];
    this.#writer.raw(PREFACE);
    this.#writer.frameHeader(settings.length * 6, FRAME.settings, 0, 0);
    for (const [id, value] of settings) {
      this.#writer.raw(Uint8Array.of(id >>> 8, id));
      this.#writer.uint32(value);
    }
    this.#windowUpdate(0, CONNECTION_WINDOW - DEFAULT_WINDOW);
    this.#flush();
  }

  #pumpBodies(): void {
    if (this.#bodies.size === 0) return;
    this.#bodies.pump(this.#peer.maxFrameSize, (id, part, last) => {
      const at = this.#writer.data(id, part.length, last);
      this.#writer.target.set(part, at);
    });
    this.#scheduleFlush();
  }

  #windowUpdate(id: number, by: number): void {
    this.#writer.frameHeader(4, FRAME.windowUpdate, 0, id);
    this.#writer.uint32(by);
    this.#scheduleFlush();
  }

  #reset(id: number, code: number): void {
    this.#writer.frameHeader(4, FRAME.rstStream, 0, id);
    this.#writer.uint32(code);
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
    if (!this.#wasBlocked || this.#closed) return;
    this.#wasBlocked = false;
    this.#events.onCapacity();
  }

  #closeCleanly(reason: string): void {
    this.#sayGoodbye(H2_ERROR.noError);
    this.#shut(reason);
  }

  #giveUp(error: H2Error): void {
    this.#sayGoodbye(error.code);
    this.#shut(`protocol error ${error.code}: ${error.message}`);
  }

  #sayGoodbye(code: number): void {
    this.#writer.frameHeader(8, FRAME.goaway, 0, 0);
    this.#writer.uint32(0);
    this.#writer.uint32(code);
    this.#flush();
    this.#socket.end();
  }

  /** Ends our side at once; the socket gets a moment to carry the GOAWAY. */
  #shut(reason: string): void {
    if (this.#closed) return;
    const socket = this.#socket;
    const cancel = this.#clock.after(1_000, () => socket.destroy());
    socket.once('close', cancel);
    this.#closed = true;
    this.#stopTick();
    const unknown: Loss = { processed: 'unknown', reason: `closed: ${reason}` };
    for (const id of this.#ring.idsAbove(0)) this.#lose(id, this.#bodies.isPending(id) ? NEVER_SENT_LOSS : unknown);
    this.#events.onClosed(reason);
  }

  // --- time and limits

  #tick(): void {
    this.#now = this.#clock.now();
    this.#idleFrames = Math.min(IDLE_FRAMES * 2, this.#idleFrames + (IDLE_FRAMES * TICK_MS) / 1000);
    if (!this.#ready && this.#now - this.#born > this.#options.timeoutMs) return this.destroy('no settings');
    for (let id = this.#ring.expired(this.#now); id !== 0; id = this.#ring.expired(this.#now)) {
      // Nothing at all came since this request left: the whole connection is dead, not this stream.
      if (this.#now - this.#lastReceived >= this.#options.timeoutMs) return this.destroy('silent');
      this.#reset(id, H2_ERROR.cancel);
      this.#lose(id, TIMEOUT_LOSS);
      if (this.#closed) return;
      this.#wasBlocked = true;
    }
    this.#keepAlive();
    if (this.#draining && this.#ring.open === 0) this.#closeCleanly('drained');
    else this.#unblock();
  }

  #keepAlive(): void {
    if (this.#pingSentAt !== 0) {
      if (this.#now - this.#pingSentAt > this.#options.timeoutMs) this.destroy('ping unanswered');
      return;
    }
    if (this.#ring.open > 0 || this.#now - this.#lastReceived < this.#options.pingAfterIdleMs) return;
    this.#pingSentAt = this.#now;
    this.#writer.frameHeader(8, FRAME.ping, 0, 0);
    this.#writer.raw(PING_PAYLOAD);
    this.#scheduleFlush();
  }

  #spendIdleFrame(): void {
    this.#idleFrames--;
    if (this.#idleFrames < 0) throw new H2Error(H2_ERROR.enhanceYourCalm, 'too many frames that answer nothing');
  }

  #spendReceiveWindow(bytes: number): void {
    this.#receiveLeft -= bytes;
    if (this.#receiveLeft < 0) throw new H2Error(H2_ERROR.flowControl, 'connection window overrun');
    if (this.#receiveLeft > CONNECTION_WINDOW / 2) return;
    this.#windowUpdate(0, CONNECTION_WINDOW - this.#receiveLeft);
    this.#receiveLeft = CONNECTION_WINDOW;
  }

  /** A frame for a stream that was never opened breaks the connection; one for a stream that ended is only ignored. */
  #checkId(id: number): void {
    if (id === 0 || (id & 1) === 0 || id >= this.#ring.nextId) throw protocolError(`frame for stream ${id}`);
  }
}
