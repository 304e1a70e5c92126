import type { MessagePort } from 'node:worker_threads';
import { ApiError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { isStoreFault, SqliteConnection, type SqliteOptions } from './sqlite-connection.ts';
import type { AnyChange, Row, SqlValue, Tx } from './store.ts';

/** What travels between the main thread and the writer thread. */
export type WriterRequest = { id: number; change: string; input: unknown };
export type WriterAnswer =
  | { id: number; kind: 'done'; result: unknown; touched: string[] }
  | { id: number; kind: 'refused'; code: ErrorCode; message: string; details: ErrorDetails | undefined }
  | { id: number; kind: 'unavailable'; message: string }
  | { id: number; kind: 'broken'; message: string; stack: string | undefined };

/** How many changes share one commit at most: bounds how long the first one waits for the last. */
const changesPerCommitMax = 512;

/**
 * The one writer of an embedded store. Changes that arrive while a commit is on its way to the disk form the next one, so
 * the cost of a durable write falls as the load rises.
 */
export async function runWriter(
  port: MessagePort,
  { file, busyTimeoutMs }: SqliteOptions,
  changes: readonly AnyChange[],
): Promise<void> {
  const byName = new Map(changes.map((change) => [change.name, change]));
  // A change of many rows touches pages all over the file, and holds those it changed until it commits.
  const connection = await SqliteConnection.open(file, busyTimeoutMs, 32 * 1024);
  const queue: WriterRequest[] = [];
  let running = false;

  const drain = async (): Promise<void> => {
    running = true;
    while (queue.length > 0)
      port.postMessage(await commitTogether(connection, byName, queue.splice(0, changesPerCommitMax)));
    running = false;
  };

  port.on('message', (message: WriterRequest[] | 'close') => {
    if (message === 'close') {
      // Leaves one plain file behind, which is what people copy.
      connection.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      connection.close();
      port.close();
      return;
    }
    queue.push(...message);
    if (!running) void drain();
  });
  port.postMessage('ready');
}

/**
 * A change that is refused must leave nothing, and the others must not suffer for it. Most are refused before they have
 * written anything; so the changes run without savepoints, which cost a copy of every page, until one shows that it
 * needs them. Then all are taken back and run again, each with its own.
 */
async function commitTogether(
  connection: SqliteConnection,
  changes: ReadonlyMap<string, AnyChange>,
  requests: readonly WriterRequest[],
): Promise<WriterAnswer[]> {
  try {
    const answers = await applyAll(connection, changes, requests, false);
    return answers ?? (await applyAll(connection, changes, requests, true)) ?? [];
  } catch (cause) {
    // Disk full, I/O error, locked by another process: none of these changes happened, and each caller hears so.
    if (connection.db.isTransaction) connection.db.exec('ROLLBACK');
    const message = cause instanceof Error ? cause.message : String(cause);
    return requests.map(({ id }) => ({ id, kind: 'unavailable', message }));
  }
}

/** Commits them; undefined, with nothing left behind, when they must be kept `apart` and were not. */
async function applyAll(
  connection: SqliteConnection,
  changes: ReadonlyMap<string, AnyChange>,
  requests: readonly WriterRequest[],
  apart: boolean,
): Promise<WriterAnswer[] | undefined> {
  connection.db.exec('BEGIN IMMEDIATE');
  const answers: WriterAnswer[] = [];
  for (const request of requests) {
    if (apart) connection.db.exec('SAVEPOINT change');
    const { answer, isHalfDone } = await applyChange(connection, changes, request);
    if (isHalfDone && !apart) {
      connection.db.exec('ROLLBACK');
      return undefined;
    }
    if (apart) connection.db.exec(isHalfDone ? 'ROLLBACK TO change; RELEASE change' : 'RELEASE change');
    answers.push(answer);
  }
  connection.db.exec('COMMIT');
  return answers;
}

async function applyChange(
  connection: SqliteConnection,
  changes: ReadonlyMap<string, AnyChange>,
  { id, change: name, input }: WriterRequest,
): Promise<{ answer: WriterAnswer; isHalfDone: boolean }> {
  const tx = new SqliteTx(connection);
  try {
    const change = changes.get(name);
    if (change === undefined) throw new Error(`No change is called ${name}: add it to writer.ts`);
    const result: unknown = await change(tx, input);
    return { answer: { id, kind: 'done', result, touched: tx.touched }, isHalfDone: false };
  } catch (error) {
    if (isStoreFault(error)) throw error;
    return { answer: refusal(id, error), isHalfDone: tx.hasWritten };
  }
}

function refusal(id: number, error: unknown): WriterAnswer {
  if (error instanceof ApiError)
    return { id, kind: 'refused', code: error.code, message: error.message, details: error.details };
  return { id, kind: 'broken', message: String(error), stack: error instanceof Error ? error.stack : undefined };
}

class SqliteTx implements Tx {
  readonly now = Date.now();
  readonly touched: string[] = [];
  /** Whether there is something to take back. */
  hasWritten = false;
  private readonly connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.connection = connection;
  }

  async all<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]> {
    this.note(sql);
    return this.connection.all<R>(sql, params);
  }

  async get<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined> {
    this.note(sql);
    return this.connection.get<R>(sql, params);
  }

  async run(sql: string, params?: readonly SqlValue[]): Promise<number> {
    this.note(sql);
    return this.connection.run(sql, params);
  }

  /** Whatever does not look like a question is taken for a write. */
  private note(sql: string): void {
    this.hasWritten ||= !(sql.startsWith('SELECT') || (sql.startsWith('WITH') && !/INSERT|UPDATE|DELETE/.test(sql)));
  }

  async insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict = '',
  ): Promise<number> {
    const places = columns.map((_, i) => `$${i + 1}`).join(', ');
    const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${onConflict}`;
    this.hasWritten = true;
    let changed = 0;
    for (const row of rows) changed += this.connection.run(sql, row);
    return changed;
  }

  async lock(): Promise<void> {}

  touch(topic: string): void {
    this.touched.push(topic);
    this.hasWritten = true;
    this.connection.run(
      'INSERT INTO touched (topic, seq) VALUES ($1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM touched)) ON CONFLICT (topic) DO UPDATE SET seq = excluded.seq',
      [topic],
    );
  }
}
