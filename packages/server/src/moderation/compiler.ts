import { Worker } from 'node:worker_threads';
import { Judge } from '@gatehouse/judge';
import type { Reader } from '../store/store.ts';
import type { CompileAnswer, CompileRequest } from './compile-worker.ts';
import { type AppRuleset, judgeRules, sizeOf } from './ruleset.ts';
import { readChunks } from './terms.ts';

/** Above this many terms a set waits in a line of its own: a small app never waits behind a list of a million. */
const bulkTermsMin = 150_000;
/** A compiler that needs more is ended, and the old set goes on judging. */
const heapMbMax = 4096;

/**
 * Compiles off the request path: the terms are read in small steps and compiled in a thread. Two lanes, one ruleset at a
 * time in each.
 */
export class Compiler {
  private readonly store: Reader;
  private readonly quick = new Lane();
  private readonly bulk = new Lane();

  constructor(store: Reader) {
    this.store = store;
  }

  /** Rejects when the set cannot be compiled. */
  compile(ruleset: AppRuleset): Promise<Judge> {
    const lane = sizeOf(ruleset) < bulkTermsMin ? this.quick : this.bulk;
    return lane.enqueue(async (send) => {
      send({ kind: 'begin', rules: judgeRules(ruleset), lists: ruleset.lists });
      for (const [list, { id, upload }] of ruleset.lists.entries()) {
        if (upload === '') continue;
        for await (const chunks of readChunks(this.store, { appId: ruleset.appId, listId: id, upload }))
          send({ kind: 'terms', list, chunks });
      }
    });
  }

  async close(): Promise<void> {
    await Promise.all([this.quick.close(), this.bulk.close()]);
  }
}

type Send = (request: CompileRequest) => void;

interface Pending {
  resolve(answer: CompileAnswer): void;
  reject(error: Error): void;
}

class Lane {
  private worker: Worker | undefined;
  private pending: Pending | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  enqueue(feed: (send: Send) => Promise<void>): Promise<Judge> {
    const job = this.last.then(() => this.run(feed));
    this.last = job.catch(() => {});
    return job;
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.worker?.terminate();
  }

  private async run(feed: (send: Send) => Promise<void>): Promise<Judge> {
    if (this.closed) throw new Error('The compiler is closed.');
    this.worker ??= this.start();
    const { worker } = this;
    const answered = new Promise<CompileAnswer>((resolve, reject) => {
      this.pending = { resolve, reject };
    });
    // While the terms are being read nobody waits for the answer yet.
    answered.catch(() => {});
    worker.ref();
    try {
      await feed((request) => worker.postMessage(request));
      worker.postMessage({ kind: 'compile' } satisfies CompileRequest);
      const answer = await answered;
      if ('failure' in answer) throw new Error(answer.failure);
      return Judge.from(answer.judge);
    } finally {
      this.pending = undefined;
      // An idle compiler does not keep the process alive.
      worker.unref();
    }
  }

  private start(): Worker {
    const worker = new Worker(workerUrl(), { resourceLimits: { maxOldGenerationSizeMb: heapMbMax } });
    worker.on('message', (answer: CompileAnswer) => this.pending?.resolve(answer));
    worker.on('error', (error) => this.pending?.reject(error));
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
      this.pending?.reject(new Error('The compiler thread ended.'));
    });
    return worker;
  }
}

/** Tests run the sources, which a worker thread of Node 20 cannot load; the thread then runs the built file. */
function workerUrl(): URL {
  const isSource = import.meta.url.endsWith('.ts');
  return new URL(isSource ? '../../dist/moderation/compile-worker.js' : './compile-worker.js', import.meta.url);
}
