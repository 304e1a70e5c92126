/**
 * What the rooms know of the store. The same SQL text runs on SQLite and PostgreSQL: parameters are `$1`, booleans are
 * 0 and 1, times are milliseconds since the epoch, JSON is text.
 */
export type SqlValue = string | number | null;
export type Row = Record<string, SqlValue>;

export type GivenRow = readonly (string | number)[];

export interface Reader {
  all<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R[]>;
  get<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined>;
}

/** One transaction. It is committed when the change returns and rolled back when it throws. */
export interface Tx extends Reader {
  /** The time of the change, in milliseconds. */
  readonly now: number;
  /** The same moment by the clock that all processes share, for leases: their own ones may differ. */
  readonly leaseNow: number;
  /** Returns how many rows it changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
  /** Inserts many rows with one statement a batch; `onConflict` is the tail of the statement. */
  insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict?: string,
  ): Promise<number>;
  /**
   * A statement over many given rows, which its text calls `FROM given`, `USING given` or `FROM given CROSS JOIN`, and
   * `given.<column>`. No row of the store may meet two of them: whether the statement runs once for all of them or once for
   * each is the store's business.
   */
  each<R extends Row>(columns: readonly string[], given: readonly GivenRow[], sql: string): Promise<R[]>;
  /** Nobody else is between `lock` and the end of the transaction with the same keys. SQLite has one writer at a time anyway. */
  lock(...keys: string[]): Promise<void>;
  /** From here on a statement may take minutes. Otherwise one that takes longer than a request can wait is given up. */
  takesLong(): Promise<void>;
  /** Tells every process, once the change is committed, that what it remembers under this topic is stale. */
  touch(topic: string): void;
}

/**
 * A change is a named function over a transaction. On SQLite it runs in the writer thread, where many changes share one
 * commit; on PostgreSQL on a connection of the pool. Its input and its result must survive a structured clone.
 */
export type Change<I, O> = (tx: Tx, input: I) => Promise<O>;

// biome-ignore lint/suspicious/noExplicitAny: a registry of changes holds functions of every input; `change` restores the types.
export type AnyChange = Change<any, any>;

export interface Store extends Reader {
  readonly dialect: 'sqlite' | 'postgres';
  /** As `get`, for what many ask at the same time: the embedded store reads for all of a round in a row, in one transaction. */
  getTogether<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined>;
  change<I, O>(change: Change<I, O>, input: I): Promise<O>;
  /**
   * One change for all who ask for it at about the same time: it is given the inputs of many and answers each. When it
   * throws it is tried again with fewer of them, so that nobody is refused for what another one asked.
   */
  changeTogether<I, O>(change: Change<readonly I[], O[]>, input: I): Promise<O>;
  /** Calls back with a topic when a change touched it, here or in another process; with undefined when anything may have changed. */
  onTouch(listener: (topic: string | undefined) => void): void;
  /** Throws when the store does not answer, or takes no changes. */
  ping(): Promise<void>;
  schemaVersion(): Promise<number>;
  /** How far our clock is ahead of the store's, or behind it, in milliseconds. An embedded store has ours. */
  clockAheadMs(): Promise<number>;
  close(): Promise<void>;
}

/** The store could not do it: disk full, connection lost, locked for too long. The caller may try again. */
export class StoreUnavailable extends Error {
  constructor(cause: unknown) {
    super(`The store did not answer: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'StoreUnavailable';
  }
}

/** The store fell silent while it was taking a change: it may have taken it, and who tries again may do it twice. */
export class OutcomeUnknown extends StoreUnavailable {
  constructor(cause: unknown) {
    super(cause);
    this.name = 'OutcomeUnknown';
  }
}
