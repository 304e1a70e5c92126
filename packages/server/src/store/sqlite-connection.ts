import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseSyncInstance, loadSqlite, type StatementSyncInstance } from './sqlite-binding.ts';
import type { Row, SqlValue } from './store.ts';

export interface SqliteOptions {
  file: string;
  /** How long to wait for another process that is writing. */
  busyTimeoutMs: number;
}

const busyCode = 5;
/** SQLITE_BUSY, LOCKED, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB: the store's trouble, not the statement's. */
const storeFaultCodes = new Set([5, 6, 8, 10, 11, 13, 14, 26]);

export function isStoreFault(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return false;
  return typeof error.errcode === 'number' && storeFaultCodes.has(error.errcode & 0xff);
}

/**
 * 64 MB of log before it is written back. Tokens land all over their indexes: written back every 1,000 pages, as by default, most
 * pages were written twice within a second, and a third fewer tokens could be registered.
 */
const pagesPerCheckpoint = 16_000;

/** Two processes that make the same store meet here, where SQLite says at once that it is busy instead of waiting. */
async function keepLog(db: DatabaseSyncInstance, busyTimeoutMs: number): Promise<void> {
  const end = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const isBusy = error instanceof Error && 'errcode' in error && error.errcode === busyCode;
      if (!isBusy || performance.now() >= end) throw error;
    }
    await sleep(10);
  }
}

/** A connection with its statements prepared once. Reading and writing connections differ only in who may use them. */
export class SqliteConnection {
  private readonly statements = new Map<string, StatementSyncInstance>();
  readonly db: DatabaseSyncInstance;

  private constructor(db: DatabaseSyncInstance) {
    this.db = db;
  }

  /** `cacheKib` is this connection's own; what it does not hold is one system call away, in the kernel's. */
  static async open(file: string, busyTimeoutMs: number, cacheKib = 8 * 1024): Promise<SqliteConnection> {
    const { DatabaseSync } = await loadSqlite();
    const db = new DatabaseSync(file, { timeout: busyTimeoutMs });
    await keepLog(db, busyTimeoutMs);
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = ${pagesPerCheckpoint}; PRAGMA cache_size = -${cacheKib};`,
    );
    return new SqliteConnection(db);
  }

  all<R extends Row>(sql: string, params: readonly SqlValue[] = []): R[] {
    return this.statement(sql).all(...params) as R[];
  }

  get<R extends Row>(sql: string, params: readonly SqlValue[] = []): R | undefined {
    return this.statement(sql).get(...params) as R | undefined;
  }

  run(sql: string, params: readonly SqlValue[] = []): number {
    return Number(this.statement(sql).run(...params).changes);
  }

  close(): void {
    this.statements.clear();
    this.db.close();
  }

  private statement(sql: string): StatementSyncInstance {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql.replace(/\$(\d+)/g, '?$1'));
      this.statements.set(sql, statement);
    }
    return statement;
  }
}
