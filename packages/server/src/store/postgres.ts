import { createHash } from 'node:crypto';
import pg from 'pg';
import { ApiError } from '../errors.ts';
import { Gathering } from './gathering.ts';
import { checkMade, migratePostgres } from './migrate.ts';
import { PostgresClock } from './postgres-clock.ts';
import { notifySql, PostgresListener } from './postgres-listener.ts';
import {
  type AnyChange,
  type Change,
  type GivenRow,
  OutcomeUnknown,
  type Row,
  type SqlValue,
  type Store,
  StoreUnavailable,
  type Tx,
} from './store.ts';

/** Also how long a change waits for a free connection of the pool. */
const connectTimeoutMs = 10_000;
/**
 * How long a statement may take. PostgreSQL ends it then, so that nobody waits behind it; a line that says nothing for a third
 * longer is dead and given up. What may take its time says so (`takesLong`).
 */
const statementMs = 15_000;
const longStatementMs = 3_600_000;
const keepAliveMs = 10_000;
const rowsPerInsert = 10_000;
/** So many rows at once are no everyday work. */
const bulkRows = 1000;
/** Two changes met: the loser starts again, a few times. */
const retriesMax = 5;
/** Deadlock, serialisation: the store's trouble where it does not end. */
const clashCodes = new Set(['40001', '40P01']);
/** A row that another change made or took away since this one looked. Who starts again sees it; where it stays, it is a fault of ours. */
const overtakenCodes = new Set(['23505', '23503']);
/**
 * Classes of SQLSTATE that are the store's trouble: connection, sign-in, no such database, resources, locked or not in the state
 * for it, operator intervention, system; and of the class 25 a database that is read-only and a session that was ended.
 */
const faultPattern = /^(08|28|3D|53|55|57|58|XX|25006|25P03)/;

/** bigint arrives as text by default; every bigint of ours is a count or a time and fits a number. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format === 'binary' ? 'text' : format),
};

export interface PostgresOptions {
  url: string;
  poolSize: number;
  /** False: there must be a store already. */
  make?: boolean;
  /** How often the line by which other processes are heard is tried. */
  beatMs?: number;
  /** How long a statement may take; 0 for as long as it likes. */
  statementMs?: number;
}

export async function openPostgres(options: PostgresOptions): Promise<Store> {
  await migrate(options);
  const limitMs = options.statementMs ?? statementMs;
  const pool = new pg.Pool({
    ...lineTo(options.url),
    max: options.poolSize,
    types,
    ...(limitMs > 0 && {
      query_timeout: giveUpMs(limitMs),
      // Not as a parameter of the connection: poolers refuse those that they do not know.
      onConnect: (client) => client.query(`SET statement_timeout = ${limitMs}`),
    }),
  });
  // An idle connection that the server closes must not end the process; the next query opens another.
  pool.on('error', () => {});
  // Nor one that breaks in the middle of a change: the statement under way fails, and that is enough.
  pool.on('connect', (client) => client.on('error', () => {}));
  const store = new PostgresStore(pool, options);
  await store.listen();
  // Until it answers our own clock stands for it.
  await store.clockAheadMs().catch(() => {});
  return store;
}

/** On a line of its own, since it takes as long as it takes. */
async function migrate({ url, make }: PostgresOptions): Promise<void> {
  const client = new pg.Client(lineTo(url));
  client.on('error', () => {});
  try {
    await client.connect();
    if (make === false) await checkMade(client);
    await migratePostgres(client);
  } finally {
    await client.end();
  }
}

function lineTo(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'gatehouse',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
  };
}

function giveUpMs(limitMs: number): number {
  return Math.ceil((limitMs * 4) / 3);
}

// biome-ignore lint/suspicious/noExplicitAny: as with the changes themselves.
type AnyGathering = Gathering<any, any>;

class PostgresStore implements Store {
  readonly dialect = 'postgres';
  private readonly listeners: ((topic: string | undefined) => void)[] = [];
  /** By their change, which knows the types. */
  private readonly gatherings = new Map<AnyChange, AnyGathering>();
  private readonly pool: pg.Pool;
  private readonly listener: PostgresListener;
  private readonly clock = new PostgresClock();

  constructor(pool: pg.Pool, { url, beatMs }: PostgresOptions) {
    this.pool = pool;
    this.listener = new PostgresListener(url, (topic) => this.tell(topic), beatMs);
  }

  listen(): Promise<void> {
    return this.listener.listen();
  }

  async all<R extends Row>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    try {
      return (await this.pool.query<R>(named(sql, params))).rows;
    } catch (error) {
      throw translate(error);
    }
  }

  async get<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined> {
    return (await this.all<R>(sql, params))[0];
  }

  /** Each on a connection of its own: there is nothing to share. */
  getTogether<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined> {
    return this.get<R>(sql, params);
  }

  async change<I, O>(change: Change<I, O>, input: I): Promise<O> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(change, input);
      } catch (error) {
        if (attempt < retriesMax && isMeeting(sqlState(error))) continue;
        throw translate(error);
      }
    }
  }

  changeTogether<I, O>(change: Change<readonly I[], O[]>, input: I): Promise<O> {
    let gathering = this.gatherings.get(change);
    if (gathering === undefined) {
      gathering = new Gathering((inputs: readonly I[]) => this.change(change, inputs));
      this.gatherings.set(change, gathering);
    }
    return gathering.ask(input) as Promise<O>;
  }

  onTouch(listener: (topic: string | undefined) => void): void {
    this.listeners.push(listener);
  }

  /** Asks for something that only a database that takes writes gives; it changes nothing. */
  async ping(): Promise<void> {
    await this.all('SELECT version FROM migrations WHERE FALSE FOR KEY SHARE');
  }

  async schemaVersion(): Promise<number> {
    return (await this.get<{ version: number }>('SELECT MAX(version) AS version FROM migrations'))?.version ?? 0;
  }

  clockAheadMs(): Promise<number> {
    return this.clock.compare(async (sql) => (await this.get<{ now: number }>(sql))?.now);
  }

  async close(): Promise<void> {
    await this.listener.close();
    await this.pool.end();
  }

  private async attempt<I, O>(change: Change<I, O>, input: I): Promise<O> {
    const client = await this.pool.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const tx = new PostgresTx(client, this.clock.now());
      const result = await change(tx, input);
      if (tx.touched.size > 0) await client.query(notifySql, [[...tx.touched]]);
      await client.query('COMMIT').catch((error: unknown) => {
        throw isRefusal(error) ? error : new OutcomeUnknown(error);
      });
      for (const topic of tx.touched) this.tell(topic);
      return result;
    } catch (error) {
      // A line that is dead would keep us waiting once more; and one that began read-only stays so when the database is no longer.
      if (error instanceof OutcomeUnknown || isLineLost(error) || isReadOnly(error)) broken = error;
      else
        await client.query('ROLLBACK').catch((cause: Error) => {
          broken = cause;
        });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  private tell(topic: string | undefined): void {
    for (const listener of this.listeners) listener(topic);
  }
}

class PostgresTx implements Tx {
  readonly now = Date.now();
  readonly leaseNow: number;
  readonly touched = new Set<string>();
  private readonly client: pg.PoolClient;
  private limit: { query_timeout: number } | undefined;

  constructor(client: pg.PoolClient, leaseNow: number) {
    this.client = client;
    this.leaseNow = leaseNow;
  }

  async all<R extends Row>(sql: string, params: readonly SqlValue[] = []): Promise<R[]> {
    return (await this.ask<R>(named(sql, params))).rows;
  }

  async get<R extends Row>(sql: string, params?: readonly SqlValue[]): Promise<R | undefined> {
    return (await this.all<R>(sql, params))[0];
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return (await this.ask(named(sql, params))).rowCount ?? 0;
  }

  async insertMany(
    table: string,
    columns: readonly string[],
    rows: readonly (readonly SqlValue[])[],
    onConflict = '',
  ): Promise<number> {
    let changed = 0;
    for (let start = 0; start < rows.length; start += rowsPerInsert) {
      const batch = rows.slice(start, start + rowsPerInsert);
      const arrays = columns.map((_, i) => batch.map((row) => row[i] ?? null));
      const unnested = arrays.map((values, i) => `$${i + 1}::${arrayType(values)}`).join(', ');
      const names = columns.join(', ');
      // A column without any value has no type to guess from: a bare NULL takes the type of its column.
      const selected = columns
        .map((name, i) => (arrays[i]?.every((value) => value === null) ? 'NULL' : name))
        .join(', ');
      const sql = `INSERT INTO ${table} (${names}) SELECT ${selected} FROM unnest(${unnested}) AS given (${names}) ${onConflict}`;
      changed += (await this.ask({ ...named(sql), values: arrays })).rowCount ?? 0;
    }
    if (rows.length >= bulkRows) await this.measure(table);
    return changed;
  }

  /**
   * A table that has become twice as large is measured at once. Until the server comes to it by itself, every connection
   * would go on with the plans it made for the few rows there were, and read all of them each time.
   */
  private async measure(table: string): Promise<void> {
    const known = await this.get<{ measured: number; pages: number }>(
      `SELECT relpages AS measured, pg_relation_size(oid) / current_setting('block_size')::bigint AS pages
       FROM pg_class WHERE oid = to_regclass($1)`,
      [table],
    );
    if (known !== undefined && known.pages > 2 * known.measured) await this.ask({ text: `ANALYZE ${table}` });
  }

  /** Planned each time: a plan for the few rows that a table had in the morning reads all of the many it has at night. */
  async each<R extends Row>(columns: readonly string[], given: readonly GivenRow[], sql: string): Promise<R[]> {
    const [first] = given;
    if (first === undefined) return [];
    const arrays = columns.map((_, i) => given.map((row) => row[i]));
    const unnested = first.map((value, i) => `$${i + 1}::${typeof value === 'number' ? 'bigint[]' : 'text[]'}`);
    const text = `WITH given (${columns.join(', ')}) AS (SELECT * FROM unnest(${unnested.join(', ')})) ${sql}`;
    return (await this.ask<R>({ text, values: arrays })).rows;
  }

  /** In one order for all, so that nobody waits for one who waits for him. */
  async lock(...keys: string[]): Promise<void> {
    const sql = 'SELECT pg_advisory_xact_lock(hashtextextended(key, 0)) FROM unnest($1::text[]) AS key';
    await this.ask({ ...named(sql), values: [[...new Set(keys)].sort()] });
  }

  async takesLong(): Promise<void> {
    await this.ask({ text: `SET LOCAL statement_timeout = ${longStatementMs}` });
    this.limit = { query_timeout: giveUpMs(longStatementMs) };
  }

  touch(topic: string): void {
    this.touched.add(topic);
  }

  private ask<R extends Row>(query: pg.QueryConfig): Promise<pg.QueryResult<R>> {
    return this.client.query<R>(this.limit === undefined ? query : { ...query, ...this.limit });
  }
}

/** Statements are prepared once a connection; the name is the text's own hash. */
const names = new Map<string, string>();

function named(text: string, values: readonly SqlValue[] = []): pg.QueryConfig {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return { name, text, values: [...values] };
}

function arrayType(values: readonly SqlValue[]): string {
  return values.some((value) => typeof value === 'number') ? 'bigint[]' : 'text[]';
}

function sqlState(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? '') : '';
}

function isMeeting(state: string): boolean {
  return clashCodes.has(state) || overtakenCodes.has(state);
}

/** Whether nothing more can be asked on this line. */
function isLineLost(error: unknown): error is Error {
  if (!(error instanceof Error) || error instanceof ApiError) return false;
  return (
    ('code' in error && /^E[A-Z]+$/.test(String(error.code))) ||
    /Connection terminated|timeout exceeded|read timeout|not queryable/i.test(error.message)
  );
}

/** Whether PostgreSQL itself says no and goes on. Who is cut off, or hears that the session ends, does not know. */
function isRefusal(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity === 'ERROR';
}

function isReadOnly(error: unknown): error is Error {
  return sqlState(error) === '25006';
}

/** What the caller asked for stays as it is; what the store could not do becomes StoreUnavailable. */
function translate(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error;
  const state = sqlState(error);
  return isLineLost(error) || faultPattern.test(state) || clashCodes.has(state) ? new StoreUnavailable(error) : error;
}
