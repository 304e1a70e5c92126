import type { MessagePort } from 'node:worker_threads';
import { ApiError, type ErrorCode, type ErrorDetails } from '../errors.ts';
import { isStoreFault, SqliteConnection, type SqliteOptions } from './sqlite-connection.ts';
import type { AnyChange, GivenRow, Row, SqlValue, Tx } from './store.ts';

/** What travels between the main thread and the writer thread. */
export type WriterRequest = {
  id: number;
  change: string;
  input: unknown;
  /** The change takes the inputs of many at once; this is one of them. */
  isShared: boolean;
};
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
  let isWanted = false;

  const drain = async (): Promise<void> => {
    isWanted = false;
    while (queue.length > 0)
      port.postMessage(await commitTogether(connection, byName, queue.splice(0, changesPerCommitMax)));
  };

  port.on('message', async (message: WriterRequest[] | 'close') => {
    if (message === 'close') {
      await drain();
      // Leaves one plain file behind, which is what people copy.
      connection.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      connection.close();
      port.close();
      return;
    }
    queue.push(...message);
    if (isWanted) return;
    isWanted = true;
    // Nothing arrives while a change runs. What came during the last commit is all taken in before the next begins.
    setImmediate(() => void drain());
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
  connection.run('BEGIN IMMEDIATE');
  const answers: WriterAnswer[] = [];
  for (const group of apart ? requests.map((request) => [request] as const) : shared(requests)) {
    if (apart) connection.db.exec('SAVEPOINT change');
    const applied = await applyChange(connection, changes, group);
    if (applied.isHalfDone && !apart) {
      connection.db.exec('ROLLBACK');
      return undefined;
    }
    if (apart) connection.db.exec(applied.isHalfDone ? 'ROLLBACK TO change; RELEASE change' : 'RELEASE change');
    answers.push(...applied.answers);
  }
  connection.run('COMMIT');
  return answers;
}

type Group = readonly [WriterRequest, ...WriterRequest[]];

/** Those that one change takes at once stand together, where the first of them stood. */
function shared(requests: readonly WriterRequest[]): Group[] {
  const groups: [WriterRequest, ...WriterRequest[]][] = [];
  const byChange = new Map<string, WriterRequest[]>();
  for (const request of requests) {
    const others = request.isShared ? byChange.get(request.change) : undefined;
    if (others !== undefined) {
      others.push(request);
      continue;
    }
    const group: [WriterRequest, ...WriterRequest[]] = [request];
    groups.push(group);
    if (request.isShared) byChange.set(request.change, group);
  }
  return groups;
}

async function applyChange(
  connection: SqliteConnection,
  changes: ReadonlyMap<string, AnyChange>,
  group: Group,
): Promise<{ answers: WriterAnswer[]; isHalfDone: boolean }> {
  const tx = new SqliteTx(connection);
  const [{ id, change: name, input, isShared }] = group;
  try {
    const change = changes.get(name);
    if (change === undefined) throw new Error(`No change is called ${name}: add it to writer.ts`);
    const result = await change(tx, isShared ? group.map((request) => request.input) : input);
    const answers = group.map((request, i): WriterAnswer => {
      const touched = i === 0 ? tx.touched : [];
      return { id: request.id, kind: 'done', result: isShared ? result[i] : result, touched };
    });
    return { answers, isHalfDone: false };
  } catch (error) {
    if (isStoreFault(error)) throw error;
    // Which of several was refused shows when each goes alone.
    return { answers: [refusal(id, error)], isHalfDone: tx.hasWritten || group.length > 1 };
  }
}

function refusal(id: number, error: unknown): WriterAnswer {
  if (error instanceof ApiError)
    return { id, kind: 'refused', code: error.code, message: error.message, details: error.details };
  return { id, kind: 'broken', message: String(error), stack: error instanceof Error ? error.stack : undefined };
}

/** By the list of columns, which most tables have as a constant: putting the text together took as long as a short insert. */
const inserts = new WeakMap<readonly string[], { table: string; onConflict: string; sql: string }>();

function insertOf(table: string, columns: readonly string[], onConflict: string): string {
  const known = inserts.get(columns);
  if (known?.table === table && known.onConflict === onConflict) return known.sql;
  const places = columns.map((_, i) => `$${i + 1}`).join(', ');
  const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ${onConflict}`;
  inserts.set(columns, { table, onConflict, sql });
  return sql;
}

/** Statements over given rows as they run for one of them: there `given` is no table, and its columns are parameters. */
const rowByRow = new Map<string, string>();

class SqliteTx implements Tx {
  readonly now = Date.now();
  /** The processes of an embedded store are on one machine and have one clock. */
  readonly leaseNow = this.now;
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
    const sql = insertOf(table, columns, onConflict);
    this.hasWritten ||= rows.length > 0;
    let changed = 0;
    for (const row of rows) changed += this.connection.run(sql, row);
    return changed;
  }

  async each<R extends Row>(columns: readonly string[], given: readonly GivenRow[], sql: string): Promise<R[]> {
    let text = rowByRow.get(sql);
    if (text === undefined) {
      text = sql
        .replace(/(?:FROM|USING) given( CROSS JOIN)?/, (_, joins) => (joins === undefined ? '' : 'FROM'))
        .replace(/given\.(\w+)/g, (_, column) => `$${columns.indexOf(column) + 1}`);
      rowByRow.set(sql, text);
    }
    this.note(text);
    const rows: R[] = [];
    for (const row of given) rows.push(...this.connection.all<R>(text, row));
    return rows;
  }

  async lock(): Promise<void> {}

  async takesLong(): Promise<void> {}

  touch(topic: string): void {
    this.touched.push(topic);
    this.hasWritten = true;
    this.connection.run(
      'INSERT INTO touched (topic, seq) VALUES ($1, (SELECT COALESCE(MAX(seq), 0) + 1 FROM touched)) ON CONFLICT (topic) DO UPDATE SET seq = excluded.seq',
      [topic],
    );
  }
}
