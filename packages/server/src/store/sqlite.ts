import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError } from '../errors.ts';
import { atEndOfRound } from '../rounds.ts';
import { migrateSqlite } from './migrate.ts';
import { isStoreFault, SqliteConnection, type SqliteOptions } from './sqlite-connection.ts';
import type { WriterAnswer, WriterRequest } from './sqlite-writer.ts';
import { type Change, OutcomeUnknown, type Row, type SqlValue, type Store, StoreUnavailable } from './store.ts';

/** How often another process's changes are looked for. A rule change must act everywhere within a second. */
export const pollMs = 250;

type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };
type Read = Waiting & { sql: string; params: readonly SqlValue[] };

/**
 * The embedded store: reads on this thread (microseconds, from the page cache), writes in the writer thread, which groups
 * commits. `writerUrl` is the wiring of that thread; the store itself knows no room.
 */
export async function openSqlite(options: SqliteOptions & { writerUrl: URL }): Promise<Store> {
  const { file, busyTimeoutMs } = options;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const reader = await SqliteConnection.open(file, busyTimeoutMs);
  try {
    migrateSqlite(reader.db);
  } catch (error) {
    reader.close();
    throw error;
  }
  const worker = new Worker(options.writerUrl, { workerData: { file, busyTimeoutMs } satisfies SqliteOptions });
  const store = new SqliteStore(reader, worker);
  await store.ready();
  return store;
}

class SqliteStore implements Store {
  readonly dialect = 'sqlite';
  private readonly waiting = new Map<number, Waiting>();
  private readonly listeners: ((topic: string | undefined) => void)[] = [];
  private outgoing: WriterRequest[] = [];
  private nextId = 1;
  private seenSeq: number;
  private dataVersion: SqlValue | undefined;
  private readonly readAtEnd = atEndOfRound<Read>((reads) => this.readTogether(reads));
  private readonly timer: NodeJS.Timeout;
  private readonly reader: SqliteConnection;
  private readonly worker: Worker;
  private failure: Error | undefined;

  constructor(reader: SqliteConnection, worker: Worker) {
    this.reader = reader;
    this.worker = worker;
    this.seenSeq = this.lastSeq();
    this.timer = setInterval(() => this.poll(), pollMs);
    this.timer.unref();
    worker.on('message', (answers: WriterAnswer[] | 'ready') => {
      if (answers === 'ready') return;
      // With the round of requests that is about to be handled: what these wait for then finds its code in the cache.
      setImmediate(() => {
        for (const answer of answers) this.settle(answer);
      });
    });
    // After the answers that came before it: what was written must not be told as failed.
    worker.on('error', (error) => setImmediate(() => this.fail(error)));
    worker.on('exit', () => setImmediate(() => this.fail(new Error('the writer thread ended'))));
  }

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.worker.once('message', () => resolve());
      this.worker.once('error', reject);
    });
  }

  async all<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]> {
    return this.read(() => this.reader.all<R>(sql, params));
  }

  async get<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined> {
    return this.read(() => this.reader.get<R>(sql, params));
  }

  getTogether<R extends Row>(sql: string, params: readonly SqlValue[] = []): Promise<R | undefined> {
    return new Promise((resolve, reject) =>
      this.readAtEnd({ sql, params, resolve: resolve as Waiting['resolve'], reject }),
    );
  }

  change<I, O>(change: Change<I, O>, input: I): Promise<O> {
    return this.ask(change.name, input, false) as Promise<O>;
  }

  changeTogether<I, O>(change: Change<readonly I[], O[]>, input: I): Promise<O> {
    return this.ask(change.name, input, true) as Promise<O>;
  }

  private ask(change: string, input: unknown, isShared: boolean): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.failure !== undefined) {
        reject(new StoreUnavailable(this.failure));
        return;
      }
      const id = this.nextId++;
      this.waiting.set(id, { resolve, reject });
      // Everything asked for in one turn of the event loop travels to the writer as one message.
      if (this.outgoing.length === 0) setImmediate(() => this.flush());
      this.outgoing.push({ id, change, input, isShared });
    });
  }

  onTouch(listener: (topic: string | undefined) => void): void {
    this.listeners.push(listener);
  }

  async ping(): Promise<void> {
    if (this.failure !== undefined) throw new StoreUnavailable(this.failure);
    await this.get('SELECT COUNT(*) AS n FROM migrations');
  }

  async schemaVersion(): Promise<number> {
    return Number(this.reader.get<{ version: number }>('SELECT MAX(version) AS version FROM migrations')?.version ?? 0);
  }

  async clockAheadMs(): Promise<number> {
    return 0;
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    if (this.failure === undefined) {
      this.flush();
      this.failure = new Error('the store is closed');
      const ended = new Promise((resolve) => this.worker.once('exit', resolve));
      this.worker.postMessage('close');
      await ended;
    }
    this.reader.close();
  }

  private read<T>(look: () => T): T {
    try {
      return look();
    } catch (error) {
      throw isStoreFault(error) ? new StoreUnavailable(error) : error;
    }
  }

  private readTogether(reads: readonly Read[]): void {
    try {
      this.read(() => {
        this.reader.run('BEGIN');
        try {
          for (const { sql, params, resolve } of reads) resolve(this.reader.get(sql, params));
        } finally {
          this.reader.run('COMMIT');
        }
      });
    } catch (error) {
      // Those that were read have their answer.
      for (const { reject } of reads) reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private flush(): void {
    if (this.outgoing.length === 0) return;
    const requests = this.outgoing;
    this.outgoing = [];
    try {
      this.worker.postMessage(requests);
    } catch (error) {
      // An input that cannot be cloned is a fault of ours; it must not leave its neighbours waiting for ever.
      for (const { id } of requests) this.take(id)?.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private settle(answer: WriterAnswer): void {
    const waiting = this.take(answer.id);
    if (waiting === undefined) return;
    switch (answer.kind) {
      case 'done':
        for (const topic of answer.touched) this.tell(topic);
        waiting.resolve(answer.result);
        return;
      case 'refused':
        waiting.reject(
          new ApiError(answer.code, { message: answer.message, ...(answer.details && { details: answer.details }) }),
        );
        return;
      case 'unavailable':
        waiting.reject(new StoreUnavailable(answer.message));
        return;
      case 'broken':
        waiting.reject(
          Object.assign(new Error(answer.message), answer.stack === undefined ? {} : { stack: answer.stack }),
        );
        return;
    }
  }

  private take(id: number): Waiting | undefined {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    return waiting;
  }

  private fail(error: Error): void {
    this.failure ??= error;
    for (const { reject } of this.waiting.values()) reject(new OutcomeUnknown(error));
    this.waiting.clear();
  }

  private tell(topic: string | undefined): void {
    for (const listener of this.listeners) listener(topic);
  }

  /** What cannot be looked at now is looked at in the next turn. */
  private poll(): void {
    try {
      this.lookForOthersChanges();
    } catch (error) {
      if (!isStoreFault(error)) throw error;
    }
  }

  private lookForOthersChanges(): void {
    const version = this.reader.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
    if (version === this.dataVersion) return;
    const rows = this.reader.all<{ topic: string; seq: number }>('SELECT topic, seq FROM touched WHERE seq > $1', [
      this.seenSeq,
    ]);
    for (const { topic, seq } of rows) {
      this.seenSeq = Math.max(this.seenSeq, seq);
      this.tell(topic);
    }
    this.dataVersion = version;
  }

  private lastSeq(): number {
    return Number(this.reader.get<{ seq: number }>('SELECT COALESCE(MAX(seq), 0) AS seq FROM touched')?.seq ?? 0);
  }
}
