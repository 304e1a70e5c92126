import type { GivenRow, Row, SqlValue, Tx } from '../../src/store/store.ts';

export function probeRun(tx: Tx, statements: [sql: string, params: SqlValue[]][]): Promise<number[]>;
export function probeInsertMany(
  tx: Tx,
  input: { table: string; columns: string[]; rows: SqlValue[][]; onConflict?: string },
): Promise<number>;
export function probeCount(tx: Tx, name: string): Promise<number>;
export function probeThenThrow(tx: Tx, input: { name: string; topic: string }): Promise<never>;
export function probeTouch(tx: Tx, topics: string[]): Promise<number>;
export function probeLong(tx: Tx, name: string): Promise<void>;
export function probeOnce(tx: Tx, name: string): Promise<'is there' | 'made'>;
export function probeEnd(): Promise<never>;
export function probeEach(tx: Tx, input: { columns: string[]; given: GivenRow[]; sql: string }): Promise<Row[]>;
export function probeTogether(tx: Tx, names: readonly string[]): Promise<{ name: string; together: number }[]>;
