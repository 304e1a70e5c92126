/** Lines to PostgreSQL that go silent, as after a failover or behind a network that forgets them: nobody is told, and all must go on. */
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/store/postgres.ts';
import { type Store, StoreUnavailable } from '../../src/store/store.ts';
import { makePlace, type Place, until } from './place.ts';
import { probeLong, probeRun, probeTouch } from './probe-changes.mjs';
import { type Door, makeDoor } from './proxy.ts';

/** Long enough for a busy machine, short enough for a test. */
const soon = { poolSize: 4, beatMs: 300, statementMs: 1500 };

let place: Place;
let door: Door;
let store: Store;
let other: Store;
beforeEach(async () => {
  place = await makePlace('postgres');
  const url = place.environment.DATABASE_URL ?? '';
  door = await makeDoor(url);
  store = await openPostgres({ ...soon, url: door.url });
  other = await openPostgres({ ...soon, url });
  await other.change(probeRun, [['CREATE TABLE probe (name TEXT PRIMARY KEY)', []]]);
});
afterEach(async () => {
  await store.close();
  await other.close();
  await place.remove();
});

const insert = (name: string): Promise<unknown> =>
  store.change(probeRun, [['INSERT INTO probe (name) VALUES ($1)', [name]]]);
const names = async (): Promise<unknown[]> =>
  (await other.all('SELECT name FROM probe ORDER BY name')).map(({ name }) => name);

describe('a line to PostgreSQL that goes silent', () => {
  it('is noticed by whoever listens on it: all that was remembered is forgotten, and others are heard again', async () => {
    const heard: (string | undefined)[] = [];
    store.onTouch((topic) => heard.push(topic));
    door.freeze('gatehouse listener');
    await other.change(probeTouch, ['apiKey:revoked']);
    await until(() => heard.includes(undefined), 10_000);
    await until(async () => {
      await other.change(probeTouch, ['apiKey:another']);
      return heard.includes('apiKey:another');
    }, 10_000);
    expect(heard).not.toContain('apiKey:revoked');
  });

  it('is given up by whoever waits for an answer on it, and the next one finds a new line', async () => {
    await Promise.all(Array.from({ length: soon.poolSize }, () => store.all('SELECT pg_sleep(0.1)')));
    door.freeze('gatehouse');
    const ended = await Promise.allSettled([
      insert('hung 1'),
      insert('hung 2'),
      store.get('SELECT 1 AS one'),
      store.ping(),
    ]);
    for (const end of ended) expect(end).toMatchObject({ reason: expect.any(StoreUnavailable) });
    await insert('after');
    await store.ping();
    expect(await names()).toEqual(['after']);
  });
});

describe('a statement that waits for somebody', () => {
  let holder: pg.Client;
  beforeEach(async () => {
    holder = new pg.Client({ connectionString: place.environment.DATABASE_URL });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE probe');
  });
  afterEach(() => holder.end());

  it('is ended in time, and writes nothing later', async () => {
    await expect(insert('late')).rejects.toBeInstanceOf(StoreUnavailable);
    await holder.query('COMMIT');
    await insert('after');
    expect(await names()).toEqual(['after']);
  });

  it('waits on when it is known to take long', async () => {
    const long = store.change(probeLong, 'long');
    // By then the limit of the others is over.
    await expect(insert('late')).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(insert('late')).rejects.toBeInstanceOf(StoreUnavailable);
    await holder.query('COMMIT');
    await long;
    expect(await names()).toEqual(['long']);
  });
});

describe('trouble of PostgreSQL', () => {
  // Password rotated, database renamed, no connections allowed, lock not given, sessions full, statement and session ended.
  it.each(['28P01', '3D000', '55000', '55P03', '53300', '57014', '25P03'])('%s is no fault of ours', async (state) => {
    const raise = `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '${state}'; END $$`;
    await expect(store.all(raise)).rejects.toBeInstanceOf(StoreUnavailable);
    await expect(store.change(probeRun, [[raise, []]])).rejects.toBeInstanceOf(StoreUnavailable);
  });
});
