import { Worker } from 'node:worker_threads';
import { ApiError } from '../errors.ts';
import type { LargeJsonAnswer, PackedTexts } from './large-json-worker.ts';

/** What is unpacked before others get the thread. */
const piecesPerTurn = 10;
const restMs = 10_000;

interface Waiting {
  resolve(answer: LargeJsonAnswer): void;
  reject(error: Error): void;
}

/** Parses large bodies in a thread of its own: 20 MB take a quarter of a second, in which nobody else would be answered. */
export class LargeJson {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;
  private resting: NodeJS.Timeout | undefined;

  async parse(body: Buffer): Promise<unknown> {
    this.worker ??= this.start();
    const { worker } = this;
    const id = ++this.last;
    const answered = new Promise<LargeJsonAnswer>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    worker.ref();
    worker.postMessage({ id, body });
    try {
      const answer = await answered;
      if ('refused' in answer) throw new ApiError('ERR_BAD_REQUEST', { details: answer.refused });
      if ('broken' in answer) throw new Error(answer.broken);
      return await unpack(answer.value, answer.packed);
    } finally {
      this.waiting.delete(id);
      if (this.waiting.size === 0) this.rest(worker);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.resting);
    await this.worker?.terminate();
  }

  /** A thread without work does not keep the process alive, and after a while gives back the memory that it took. */
  private rest(worker: Worker): void {
    worker.unref();
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      if (this.waiting.size > 0 || this.worker !== worker) return;
      this.worker = undefined;
      void worker.terminate();
    }, restMs).unref();
  }

  private start(): Worker {
    const worker = new Worker(workerUrl());
    worker.on('message', (answer: LargeJsonAnswer) => this.waiting.get(answer.id)?.resolve(answer));
    const end = (error: Error): void => {
      if (this.worker === worker) this.worker = undefined;
      for (const { reject } of this.waiting.values()) reject(error);
    };
    worker.on('error', end);
    worker.on('exit', () => end(new Error('The thread that parses large bodies ended.')));
    return worker;
  }
}

async function unpack(value: unknown, packed: readonly PackedTexts[]): Promise<unknown> {
  for (const { key, pieces } of packed) {
    const texts: string[] = [];
    for (const [i, piece] of pieces.entries()) {
      if (i % piecesPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
      for (const text of piece.split('\n')) texts.push(text);
    }
    (value as Record<string, unknown>)[key] = texts;
  }
  return value;
}

/** Tests run the sources, which a worker thread of Node 20 cannot load; the thread then runs the built file. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? '../../dist/http/large-json-worker.js' : './large-json-worker.js', import.meta.url);
}
