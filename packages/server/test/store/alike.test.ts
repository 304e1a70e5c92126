/** Whatever the rooms ask of a store, SQLite and PostgreSQL answer alike. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../src/errors.ts';
import { forPostgres } from '../../src/store/migrate.ts';
import { openPostgres } from '../../src/store/postgres.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { OutcomeUnknown, type Row, type SqlValue, type Store, StoreUnavailable } from '../../src/store/store.ts';
import { stores } from '../gatehouse.ts';
import { makePlace, type Place, until } from './place.ts';
import {
  probeCount,
  probeEach,
  probeEnd,
  probeInsertMany,
  probeOnce,
  probeRun,
  probeThenThrow,
  probeTogether,
  probeTouch,
} from './probe-changes.mjs';

function openProbe(place: Place): Promise<Store> {
  const { databaseUrl } = place.config.secrets;
  return databaseUrl === undefined
    ? openSqlite({
        file: join(place.config.settings.dataDir, 'gatehouse.db'),
        busyTimeoutMs: 10_000,
        writerUrl: new URL('./probe-writer.mjs', import.meta.url),
      })
    : openPostgres({ url: databaseUrl, poolSize: 10 });
}

describe.each(stores)('the store on %s', (dialect) => {
  let place: Place;
  let store: Store;
  let other: Store;
  const run = (sql: string, ...params: SqlValue[]): Promise<number[]> => store.change(probeRun, [[sql, params]]);
  const count = async (where = '1 = 1'): Promise<unknown> =>
    (await store.get(`SELECT COUNT(*) AS n FROM probe WHERE ${where}`))?.n;

  beforeAll(async () => {
    place = await makePlace(dialect);
    store = await openProbe(place);
    other = await openProbe(place);
    const table = 'CREATE TABLE probe (name TEXT PRIMARY KEY, n BIGINT, note TEXT)';
    await run(dialect === 'postgres' ? forPostgres(table) : table);
  });
  afterAll(async () => {
    await store.close();
    await other.close();
    await place.remove();
  });

  it('sorts text by its bytes, whatever the language of the machine', async () => {
    const names = ['a', 'B', 'aa', '_', 'Z', 'é', 'z', '~', '0', '10', '2', 'ß', 'ｚ', '😀', 'Ä', ''];
    await store.change(probeInsertMany, {
      table: 'probe',
      columns: ['name', 'note'],
      rows: names.map((name) => [name, 'sorted']),
    });
    const rows = await store.all<{ name: string }>("SELECT name FROM probe WHERE note = 'sorted' ORDER BY name");
    const byBytes = [...names].sort((x, y) => Buffer.compare(Buffer.from(x), Buffer.from(y)));
    expect(rows.map(({ name }) => name)).toEqual(byBytes);
    const after = await store.all<{ name: string }>(
      "SELECT name FROM probe WHERE note = 'sorted' AND name > $1 ORDER BY name",
      ['a'],
    );
    expect(after.map(({ name }) => name)).toEqual(byBytes.slice(byBytes.indexOf('a') + 1));
  });

  it('gives whole numbers back as numbers, counts and the largest included', async () => {
    const numbers = [0, -1, 1_767_225_600_000, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    for (const [i, n] of numbers.entries()) await run('INSERT INTO probe (name, n) VALUES ($1, $2)', `number ${i}`, n);
    const rows = await store.all<{ n: number }>("SELECT n FROM probe WHERE name LIKE 'number %' ORDER BY name");
    expect(rows.map(({ n }) => n)).toEqual(numbers);
    expect(await store.get("SELECT COUNT(*) AS n, MAX(n) AS top FROM probe WHERE name LIKE 'number %'")).toEqual({
      n: 5,
      top: Number.MAX_SAFE_INTEGER,
    });
  });

  it('gives text back as it was, long text and every script included', async () => {
    const texts = ['', 'línea\n\ttab "quoted" \\ \' %_ $1 ?1', '😀👩‍👩‍👧‍👦 नमस्ते 日本語', 'x'.repeat(1_000_000)];
    for (const [i, text] of texts.entries())
      await run('INSERT INTO probe (name, note) VALUES ($1, $2)', `text ${i}`, text);
    const rows = await store.all<{ note: string }>("SELECT note FROM probe WHERE name LIKE 'text %' ORDER BY name");
    expect(rows.map(({ note }) => note)).toEqual(texts);
  });

  it('says how many rows a statement changed, none on a conflict that is let be', async () => {
    const insert = 'INSERT INTO probe (name, n) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING';
    expect(await run(insert, 'once', 1)).toEqual([1]);
    expect(await run(insert, 'once', 2)).toEqual([0]);
    const upsert = 'INSERT INTO probe (name, n) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET n = excluded.n';
    expect(await run(upsert, 'once', 3)).toEqual([1]);
    expect((await store.get('SELECT n FROM probe WHERE name = $1', ['once']))?.n).toBe(3);
    expect(await run('DELETE FROM probe WHERE name = $1', 'nobody')).toEqual([0]);
  });

  it('takes a conflict that nobody expected for a fault of ours, not of the caller and not of the store', async () => {
    await run("INSERT INTO probe (name) VALUES ('taken')");
    const failure = await run("INSERT INTO probe (name) VALUES ('taken')").catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(ApiError);
    expect(failure).not.toBeInstanceOf(StoreUnavailable);
  });

  it('leaves nothing of a change that throws, neither its rows nor its word to others', async () => {
    const heard: (string | undefined)[] = [];
    store.onTouch((topic) => heard.push(topic));
    await expect(store.change(probeThenThrow, { name: 'ghost', topic: 'ghost:1' })).rejects.toThrow('a fault of ours');
    expect(await count("name = 'ghost'")).toBe(0);
    await store.change(probeTouch, ['after:1']);
    await until(() => heard.includes('after:1'), 1000);
    expect(heard).not.toContain('ghost:1');
  });

  it('keeps the changes of others that were under way beside one that throws', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 100 }, (_, i) =>
        i % 3 === 0
          ? store.change(probeThenThrow, { name: `beside ${i}`, topic: 'x' })
          : run('INSERT INTO probe (name) VALUES ($1)', `beside ${i}`),
      ),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(34);
    expect(await count("name LIKE 'beside %'")).toBe(66);
  });

  it('lets one caller at a time between a lock and the end of its change', async () => {
    await run("INSERT INTO probe (name, n) VALUES ('counter', 0)");
    const seen = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? store : other).change(probeCount, 'counter')),
    );
    expect(seen.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
  });

  it('lets one of many write what all of them found missing, and shows it to the others', async () => {
    for (let round = 0; round < 20; round++) {
      const ends = await Promise.all(
        Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? store : other).change(probeOnce, `once ${round}`)),
      );
      expect(ends.filter((end) => end === 'made')).toHaveLength(1);
    }
  });

  it('inserts 20,000 rows in one change, with columns that are empty in part and as a whole', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i): SqlValue[] => [`many ${i}`, i % 2 === 0 ? i : null, null]);
    const changed = await store.change(probeInsertMany, { table: 'probe', columns: ['name', 'n', 'note'], rows });
    expect(changed).toBe(20_000);
    expect(await count("name LIKE 'many %' AND n IS NOT NULL AND note IS NULL")).toBe(10_000);
    const again = await store.change(probeInsertMany, {
      table: 'probe',
      columns: ['name', 'n'],
      rows: rows.map(([name = null]) => [name, null]),
      onConflict: 'ON CONFLICT (name) DO UPDATE SET n = excluded.n',
    });
    expect(again).toBe(20_000);
    expect(await count("name LIKE 'many %' AND n IS NULL")).toBe(20_000);
  });

  it('inserts nothing when there is nothing', async () => {
    expect(await store.change(probeInsertMany, { table: 'probe', columns: ['name'], rows: [] })).toBe(0);
  });

  it('changes, reads and deletes many rows by what is given for each', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `given ${String(i).padStart(2, '0')}`);
    const rows = names.map((name, i): SqlValue[] => [name, i, null]);
    await store.change(probeInsertMany, { table: 'probe', columns: ['name', 'n', 'note'], rows });
    const each = (columns: string[], given: (string | number)[][], sql: string): Promise<Row[]> =>
      store.change(probeEach, { columns, given, sql });
    const changed = await each(
      ['key', 'plus', 'word'],
      names.slice(10).map((name, i) => [name, 1000 + i, `it's "${i}" \\ {a,b} given.key`]),
      'UPDATE probe SET n = n + given.plus, note = given.word FROM given WHERE name = given.key RETURNING name, n, note',
    );
    expect(changed).toHaveLength(40);
    expect(changed.find(({ name }) => name === 'given 12')).toEqual({
      name: 'given 12',
      n: 1014,
      note: `it's "2" \\ {a,b} given.key`,
    });
    const read = await each(
      ['key', 'least'],
      ['given 00', 'given 12', 'given 13', 'nobody'].map((name) => [name, 1000]),
      'SELECT p.name FROM given CROSS JOIN probe p WHERE p.name = given.key AND p.n >= given.least',
    );
    expect(read.map(({ name }) => name).sort()).toEqual(['given 12', 'given 13']);
    const gone = await each(
      ['key', 'was'],
      [
        ['given 00', 0],
        ['given 01', 0],
        ['given 12', 1014],
      ],
      'DELETE FROM probe USING given WHERE probe.name = given.key AND probe.n = given.was RETURNING probe.name',
    );
    expect(gone.map(({ name }) => name).sort()).toEqual(['given 00', 'given 12']);
    expect(await count("name LIKE 'given %'")).toBe(48);
    expect(
      await each(['key'], [], 'DELETE FROM probe USING given WHERE probe.name = given.key RETURNING name'),
    ).toEqual([]);
  });

  it('does together what many ask for at the same time, and refuses none for its neighbour', async () => {
    const names = Array.from({ length: 64 }, (_, i) => `${i % 20 === 7 ? 'bad' : 'good'} together ${i}`);
    const ended = await Promise.allSettled(names.map((name) => store.changeTogether(probeTogether, name)));
    for (const [i, end] of ended.entries()) {
      const name = names[i] ?? '';
      if (name.startsWith('bad')) expect(end).toMatchObject({ reason: { message: expect.stringContaining(name) } });
      else expect(end).toMatchObject({ value: { name } });
    }
    expect(await count("name LIKE 'good together %'")).toBe(61);
    expect(await count("name LIKE 'bad together %'")).toBe(0);
    const well = await Promise.all(names.map((_, i) => store.changeTogether(probeTogether, `well ${i}`)));
    expect(Math.max(...well.map(({ together }) => together))).toBeGreaterThan(32);
  });

  it('tells every process of a touch within a second, once the change can be read there', async () => {
    const heard = new Map<string, Row | undefined>();
    other.onTouch(async (topic) => {
      if (topic?.startsWith('told:')) heard.set(topic, await other.get('SELECT n FROM probe WHERE name = $1', [topic]));
    });
    const topics = Array.from({ length: 20 }, (_, i) => `told:${i}`);
    for (const topic of topics) {
      await run('INSERT INTO probe (name, n) VALUES ($1, 7)', topic);
      await store.change(probeTouch, [topic]);
    }
    await until(() => topics.every((topic) => heard.get(topic)?.n === 7), 1000);
  });

  it('knows how far our clock is from its own', async () => {
    expect(Math.abs(await store.clockAheadMs())).toBeLessThan(1000);
    const hour = 3_600_000;
    const { now } = Date;
    for (const ahead of [hour, -hour]) {
      const wrong = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
      const found = await store.clockAheadMs();
      wrong.mockRestore();
      expect(Math.round(found / 60_000)).toBe(dialect === 'postgres' ? ahead / 60_000 : 0);
    }
  });

  it('names its time once for a whole change', async () => {
    const before = Date.now();
    const now = await store.change(probeTouch, []);
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Date.now());
  });
});

it('the embedded store does not know of the changes that its thread ended with, and takes no more', async () => {
  const place = await makePlace('sqlite');
  const store = await openProbe(place);
  await expect(store.change(probeEnd, undefined)).rejects.toBeInstanceOf(OutcomeUnknown);
  const refusal = await store.change(probeTouch, []).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StoreUnavailable);
  expect(refusal).not.toBeInstanceOf(OutcomeUnknown);
  await store.close();
  await place.remove();
});
