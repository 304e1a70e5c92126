import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type ImportRow, importTokens } from '../../src/push/import.ts';
import { readLines } from '../../src/push/import-lines.ts';
import { LineReader } from '../../src/push/import-rows.ts';
import { stores } from '../gatehouse.ts';
import { createDatabase } from '../postgres-cluster.ts';
import { startService } from './service.ts';
import { base, hashOf, newDeviceToken, startVendors, type Vendors } from './vendors.ts';

const program = join(import.meta.dirname, '../../dist/cli/main.js');

describe.each(stores)('importing tokens on %s', (store) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
  });
  afterAll(() => house.close());
  const row = (uid: string, token: string, more: Partial<ImportRow> = {}): ImportRow => ({
    hash: hashOf(token),
    stored: token,
    uid,
    kind: 'apns' as const,
    platform: 'apns_ios_device',
    providerId: 'apns-main',
    ...more,
  });
  const take = (rows: ImportRow[]) => house.app.store.change(importTokens, { appId: house.appId, actor: 'test', rows });
  const listed = async (uid: string) => (await house.asApp(`${base}/tokens?uid=${uid}`)).body.data.pushTokens;

  it('takes tokens, gives users auth tokens, and changes nothing the second time', async () => {
    const token = newDeviceToken();
    expect(await take([row('ada', token)])).toEqual({ imported: 1, replaced: 0, refused: [] });
    const [first] = await listed('ada');
    expect(first).toMatchObject({ pushToken: token, providerId: 'apns-main', uid: 'ada' });
    await take([row('ada', token)]);
    const again = await listed('ada');
    expect(again.map((one: { authToken: string }) => one.authToken)).toEqual([first.authToken]);
  });

  it('keeps the times that a row brings, and leaves those of a token alone that it says nothing new of', async () => {
    const [token, times] = [newDeviceToken(), { createdAt: 1_600_000_000_000, updatedAt: 1_700_000_000_000 }];
    const shown = { createdAt: '2020-09-13T12:26:40.000Z', updatedAt: '2023-11-14T22:13:20.000Z' };
    await take([row('dated', token, times)]);
    expect(await listed('dated')).toMatchObject([shown]);
    await take([row('dated', token)]);
    await take([row('dated', token, { updatedAt: 1_650_000_000_000 })]);
    expect(await listed('dated')).toMatchObject([shown]);
    await take([row('dated', token, { updatedAt: 1_700_000_001_000 })]);
    expect(await listed('dated')).toMatchObject([{ ...shown, updatedAt: '2023-11-14T22:13:21.000Z' }]);
    const before = Date.now();
    await take([row('dated', token, { updatedAt: before + 86_400_000, timezone: 'Europe/Rome' })]);
    const [{ updatedAt }] = await listed('dated');
    expect(Date.parse(updatedAt)).toBeLessThan(before + 86_400_000);
  });

  it('lets Apple call a token dead since before it was imported, unless the device registered after that', async () => {
    const [diedAt, since, until] = [Date.now() - 60_000, Date.now() - 30_000, Date.now() - 90_000];
    const [unknown, older, newer] = [newDeviceToken(), newDeviceToken(), newDeviceToken()];
    await take([
      row('since-unknown', unknown),
      row('since-older', older, { updatedAt: until }),
      row('since-newer', newer, { updatedAt: since }),
    ]);
    const phone = await house.newIphone('since-here');
    await take([row('since-here', phone.token)]);
    for (const token of [unknown, older, newer, phone.token]) house.simulator.apns.kill(token, diedAt);
    const uids = ['since-unknown', 'since-older', 'since-newer', 'since-here'];
    const { counts } = await house.finished(await house.send({ to: { uids }, title: 'x' }));
    expect(counts).toMatchObject({ failed: 4, droppedTokens: 2 });
    expect(await Promise.all(uids.map(async (uid) => (await listed(uid)).length))).toEqual([0, 0, 1, 1]);
  });

  it('moves a token to its new user, and holds one of a kind an auth token', async () => {
    const token = newDeviceToken();
    await take([row('old', token)]);
    await take([row('new', token)]);
    expect([(await listed('old')).length, (await listed('new')).length]).toEqual([0, 1]);
    const authToken = await house.newUser('kinds');
    const [one, two] = [newDeviceToken(), newDeviceToken()];
    await take([row('kinds', one, { authToken })]);
    await take([row('kinds', two, { authToken })]);
    expect((await listed('kinds')).map((shown: { pushToken: string }) => shown.pushToken)).toEqual([two]);
  });

  it('takes the last row of a file, wherever its token is kept, and counts those whose place it took', async () => {
    const pairs = Array.from({ length: 8 }, (_, i) => ({
      uid: `twice-${i}`,
      tokens: [newDeviceToken(), newDeviceToken()],
    }));
    const rows = [0, 1].flatMap((n) =>
      pairs.map(({ uid, tokens }) => row(uid, tokens[n] ?? '', { authToken: `${uid}_phone` })),
    );
    expect(await take(rows)).toEqual({ imported: 8, replaced: 8, refused: [] });
    for (const { uid, tokens } of pairs) expect(await listed(uid)).toMatchObject([{ pushToken: tokens[1] }]);
    // A token that comes back has the last word, too.
    const [one, two] = [newDeviceToken(), newDeviceToken()];
    const back = [one, two, one].map((token) => row('back-again', token, { authToken: 'back-again_phone' }));
    expect(await take(back)).toEqual({ imported: 1, replaced: 2, refused: [] });
    expect(await listed('back-again')).toMatchObject([{ pushToken: one }]);
  });

  it("refuses another user's auth token and more than 100 tokens a user, and takes the rest", async () => {
    const authToken = await house.newUser('owner');
    const rows = [row('thief', newDeviceToken(), { authToken })];
    for (let i = 0; i < 101; i++) rows.push(row('crowd', newDeviceToken()));
    const { imported, refused } = await take(rows);
    expect([imported, refused.length]).toEqual([100, 2]);
    expect(await listed('crowd')).toHaveLength(100);
  });

  it('holds a token once, whatever the case of its letters', async () => {
    const upper = `${newDeviceToken().slice(0, 60)}abcd`.toUpperCase();
    for (const token of [upper, upper.toLowerCase()]) {
      const reader = await LineReader.for(house.app.store, house.appId);
      const read = reader.read({ uid: 'capitals', platform: 'apns_ios_device', pushToken: token });
      if (typeof read === 'string') throw new Error(read);
      await house.app.store.change(importTokens, { appId: house.appId, actor: 'test', rows: [read] });
      expect(await listed('capitals')).toMatchObject([{ pushToken: token }]);
    }
  });

  it('counts what a user has already, or has instead, as no more', async () => {
    const rows = Array.from({ length: 100 }, (_, i) =>
      row('full', newDeviceToken(), i < 60 ? { authToken: `full_${i}` } : {}),
    );
    expect(await take(rows)).toEqual({ imported: 100, replaced: 0, refused: [] });
    expect(await take(rows)).toEqual({ imported: 100, replaced: 0, refused: [] });
    const others = Array.from({ length: 60 }, (_, i) => row('full', newDeviceToken(), { authToken: `full_${i}` }));
    const { imported, refused } = await take([...others, row('full', newDeviceToken())]);
    expect([imported, refused.map(({ uid }) => uid)]).toEqual([60, ['full']]);
    expect(await listed('full')).toHaveLength(100);
  });

  it('takes tokens of devices that register at the same time', async () => {
    const users = await Promise.all(
      Array.from({ length: 4 }, async (_, i) => ({ uid: `meets-${i}`, authToken: await house.newUser(`meets-${i}`) })),
    );
    for (let round = 0; round < 20; round++) {
      const rows = users.map(({ uid, authToken }) => row(uid, newDeviceToken(), { authToken }));
      const [imported, ...registered] = await Promise.all([
        take(rows),
        ...users.map(({ authToken }) =>
          house.asApp(`${base}/tokens`, {
            body: { platform: 'apns_ios_device', deviceToken: newDeviceToken(), authToken },
          }),
        ),
      ]);
      expect(imported.imported).toBe(users.length);
      expect(registered.map(({ status }) => status)).toEqual(users.map(() => 200));
    }
    for (const { uid } of users) expect(await listed(uid)).toHaveLength(1);
  });

  it('says of each line what is wrong with it', async () => {
    const reader = await LineReader.for(house.app.store, house.appId);
    const token = newDeviceToken();
    expect(reader.read({ uid: 'a', platform: 'apns_ios_device', deviceToken: token })).toMatchObject({ stored: token });
    expect(reader.read({ uid: 'a b', platform: 'apns_ios_device', pushToken: token })).toMatch(/uid/);
    expect(reader.read({ uid: 'a', platform: 'pigeon', pushToken: token })).toMatch(/platform "pigeon"/);
    expect(reader.read({ uid: 'a', platform: 'fcm_android', pushToken: token })).toMatch(/no FCM provider/);
    expect(reader.read({ uid: 'a', platform: 'apns_ios_device' })).toMatch(/pushToken/);
    expect(reader.read({ uid: 'a', platform: 'apns_ios_device', pushToken: 'q80=' })).toMatch(/as hex/);
    expect(reader.read({ uid: 'a', platform: 'apns_ios_device', pushToken: token, timezone: 'Moon' })).toMatch(/IANA/);
  });

  it.each([
    ['2023-11-14T22:13:20.000Z', 1_700_000_000_000],
    ['2023-11-14T23:13:20+01:00', 1_700_000_000_000],
    ['2023-11-14 22:13:20+00', 1_700_000_000_000],
    ['2023-11-14 22:13:20', 1_700_000_000_000],
    ['2023-11-14', 1_699_920_000_000],
    ['1700000000000', 1_700_000_000_000],
    [1_700_000_000, 1_700_000_000_000],
    ['', undefined],
    [null, undefined],
  ])('reads the time %s', async (sent, ms) => {
    const reader = await LineReader.for(house.app.store, house.appId);
    const record = { uid: 'a', platform: 'apns_ios_device', pushToken: newDeviceToken(), updatedAt: sent };
    const read = reader.read(record);
    expect(typeof read === 'string' ? read : read.updatedAt).toBe(ms);
  });

  it.each(['yesterday', '11/14/2023', '2023-13-45', -1, true])('refuses the time %s', async (sent) => {
    const reader = await LineReader.for(house.app.store, house.appId);
    const record = { uid: 'a', platform: 'apns_ios_device', pushToken: newDeviceToken(), createdAt: sent };
    expect(reader.read(record)).toMatch(/createdAt or updatedAt is neither/);
  });
});

describe('a file of tokens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-lines-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = async (text: string, format: 'csv' | 'jsonl') => {
    const file = join(folder, `tokens.${format}`);
    writeFileSync(file, text);
    const lines: [number, unknown][] = [];
    for await (const { number, record } of readLines(file, format)) lines.push([number, record]);
    return lines;
  };
  const header = 'uid,platform,pushToken';

  it.each(['\n', '\r\n'])('is read as CSV with the line numbers of an editor, lines ending in %j', async (end) => {
    const text = [`\ufeff${header}`, '', 'a,x,1', '', 'b,x,"2', '2"', ' c , x , 3 ', ''].join(end);
    expect(await read(text, 'csv')).toEqual([
      [3, { uid: 'a', platform: 'x', pushToken: '1' }],
      [5, { uid: 'b', platform: 'x', pushToken: `2${end}2` }],
      [7, { uid: 'c', platform: 'x', pushToken: '3' }],
    ]);
  });

  it('is read as JSON lines, the first of them after a byte order mark, too', async () => {
    expect(await read('\ufeff{"uid":"a"}\n\nno json\n["b"]\n{"uid":"c"}\n', 'jsonl')).toEqual([
      [1, { uid: 'a' }],
      [3, undefined],
      [4, undefined],
      [5, { uid: 'c' }],
    ]);
  });

  it.each([
    [
      'user,platform,token\na,x,1\n',
      /^has no column uid, pushToken in its header line, which is: user,platform,token$/,
    ],
    ['uid;platform;pushToken\na;x;1\n', /^must have commas between its columns, not ";"$/],
    ['uid\tplatform\tpushToken\n', /not tabs$/],
    [`${header}\na,x,"never closed\n`, /^is not CSV: Quote Not Closed/],
  ])('is refused as a whole where it cannot be meant: %j', async (text, sentence) => {
    await expect(read(text, 'csv')).rejects.toThrow(sentence);
  });

  it.each(['csv', 'jsonl'] as const)('says that it cannot be read as %s', async (format) => {
    await expect(readLines(folder, format).next()).rejects.toThrow(/^cannot be read: EISDIR/);
  });

  it.each(['fcmToken', 'deviceToken', 'voipToken'])('may name its tokens %s', async (name) => {
    expect(await read(`uid,platform,${name}\na,x,1\n`, 'csv')).toHaveLength(1);
  });
});

describe('gatehouse tokens import', () => {
  it('reads CSV and JSON lines from the command line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-import-'));
    const database = stores.includes('sqlite') ? undefined : await createDatabase(inject('clusterUrl'));
    const environment = { GATEHOUSE_DATA: folder, ...(database && { DATABASE_URL: database.url }) };
    const service = await startService(environment);
    await service.stop();
    const appId = service.first?.appId ?? '';
    const csv = join(folder, 'tokens.csv');
    writeFileSync(csv, `uid,platform,pushToken\nada,fcm_android,${newDeviceToken()}\n`);
    const lines: unknown[] = [];
    for await (const { record } of readLines(csv, 'csv')) lines.push(record);
    expect(lines).toHaveLength(1);
    const run = (file: string) =>
      JSON.parse(
        execFileSync(process.execPath, [program, 'tokens', 'import', appId, file, '--json'], {
          env: { ...process.env, ...environment },
          stdio: 'pipe',
        }).toString(),
      );
    // The demo has no FCM provider yet: every line is refused with its reason.
    expect(run(csv)).toEqual({ imported: 0, replaced: 0, refused: 1 });
    const broken = join(folder, 'broken.csv');
    writeFileSync(broken, 'uid,platform,pushToken\nada,fcm_android,"never closed\n');
    expect(() => run(broken)).toThrow(/broken\.csv is not CSV: Quote Not Closed(?![\s\S]*\n\s+at )/);
    writeFileSync(broken, 'user;token\nada;abc\n');
    expect(() => run(broken)).toThrow(/broken\.csv must have commas between its columns(?![\s\S]*\n\s+at )/);
    mkdirSync(join(folder, 'folder.csv'));
    expect(() => run(join(folder, 'folder.csv'))).toThrow(/folder\.csv is a folder(?![\s\S]*\n\s+at )/);
    const mixed = join(folder, 'mixed.jsonl');
    writeFileSync(mixed, 'no json\n');
    expect(run(mixed)).toEqual({ imported: 0, replaced: 0, refused: 1 });
    const queue = execFileSync(process.execPath, [program, 'queue', '--json'], {
      env: { ...process.env, ...environment },
    });
    expect(JSON.parse(queue.toString())).toEqual([]);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });
});
