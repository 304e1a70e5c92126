import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claimJobs, releaseJobs } from '../../src/outbox/jobs.ts';
import { pauseLane, resumeLane } from '../../src/outbox/lanes.ts';
import { stores } from '../gatehouse.ts';
import { base, startVendors, until, type Vendors } from './vendors.ts';

describe.each(stores)('the account of pushes on %s', (dialect) => {
  let house: Vendors;
  beforeAll(async () => {
    house = await startVendors(dialect);
    await house.addApns();
  });
  afterAll(() => house.close());
  const audited = async (target: string) =>
    (await house.asManager(`/audit?target=${target}`)).body.data.map(
      ({ action, actor, after }: { action: string; actor: string; after: unknown }) => ({ action, actor, after }),
    );

  it('a send and its cancellation leave a row each: who, what, how many, and none of its words', async () => {
    const { token } = await house.newIphone('ada');
    const key = { 'idempotency-key': 'audited-once' };
    const words = { to: { uids: ['ada', 'bob'] }, title: 'Secret title', data: { code: 'code-4711' } };
    const id = await house.send(words, key);
    expect(await house.send(words, key)).toBe(id);
    const actor = expect.stringMatching(/^apiKey:/);
    expect(await audited(id)).toEqual([
      { action: 'sendNotification', actor, after: { to: { uids: 2 }, pushType: 'alert' } },
    ]);
    const later = await house.send({ to: { all: true }, title: 'x', sendAt: Date.now() + 60_000 });
    await house.asApp(`${base}/notifications/${later}`, { method: 'DELETE' });
    const [cancelled, sent] = await audited(later);
    expect(cancelled).toMatchObject({ action: 'cancelNotification', actor });
    expect(sent).toMatchObject({ action: 'sendNotification', after: { to: 'all', sendAt: expect.any(Number) } });
    const dry = await house.asApp(`${base}/notifications`, { body: { ...words, dryRun: true } });
    expect(dry.body.data.dryRun).toBe(true);
    const refused = await house.asApp(`${base}/notifications`, { body: { to: {}, title: 'x' } });
    expect(refused.status).toBe(400);
    const all = await house.asManager('/audit?action=sendNotification');
    expect(all.body.data).toHaveLength(2);
    for (const secret of ['Secret title', 'code-4711', token]) expect(all.text).not.toContain(secret);
  });

  it('a push is counted once in the overview though its lease was lost and it was sent again', async () => {
    const { store } = house.app;
    const { token } = await house.newIphone('twice');
    const arrived = () => house.simulator.apns.records.latest().filter(({ target }) => target === token);
    const sentBefore = (await house.asManager('/overview?hours=1')).body.data.totals.sent;
    house.simulator.apns.setFaults({ latencyMs: 1500 });
    const id = await house.send({ to: { uids: ['twice'] }, title: 'x' });
    type Leased = { id: string; kind: string; lane: string; leased_by: string };
    let row: Leased | undefined;
    await until(async () => {
      [row] = await store.all<Leased>('SELECT id, kind, lane, leased_by FROM outbox WHERE group_key = $1', [id]);
      return row !== undefined && row.leased_by !== '';
    });
    if (row === undefined) throw new Error('not queued');
    const { kind, lane, leased_by: worker } = row;
    // Somebody else takes it over and dies at once.
    await store.change(pauseLane, { kind, lane, appId: house.appId, reason: 'test' });
    const job = { ...row, worker, appId: house.appId, group: id, priority: 0, payload: '', size: 1 } as const;
    await store.change(releaseJobs, { jobs: [{ ...job, attempts: 1, expiresAt: 0, createdAt: 0 }] });
    const lanes = [{ lane, urgent: 1, ordinary: 1 }];
    expect(await store.change(claimJobs, { dialect, kind, worker: 'thief', leaseMs: -1, lanes })).toHaveLength(1);
    await until(() => arrived().length === 1);
    house.simulator.apns.setFaults({ latencyMs: 0 });
    await new Promise((resolve) => setTimeout(resolve, 1600));
    expect((await house.notification(id)).counts).toMatchObject({ queued: 1, sent: 0 });
    await store.change(resumeLane, { kind, lane });
    expect((await house.finished(id)).counts).toMatchObject({ queued: 0, sent: 1 });
    expect(new Set(arrived().map((one) => one.id)).size).toBe(1);
    expect(arrived().length).toBe(2);
    expect((await house.asManager('/overview?hours=1')).body.data.totals.sent - sentBefore).toBe(1);
  });

  it('a push to a dead token is one that failed in the overview, not two', async () => {
    const failed = async () => (await house.asManager('/overview?hours=1')).body.data.totals.failed;
    const before = await failed();
    const { token } = await house.newIphone('dead');
    house.simulator.apns.kill(token, Date.now() + 1000);
    const done = await house.finished(await house.send({ to: { uids: ['dead'] }, title: 'x' }));
    expect(done.counts).toMatchObject({ sent: 0, failed: 1, droppedTokens: 1 });
    expect((await failed()) - before).toBe(1);
  });

  it.runIf(dialect === 'sqlite')('a revoked auth token never costs a walk over the tokens of the app', async () => {
    const plan = async (sql: string) =>
      (await house.app.store.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`))
        .map(({ detail }) => detail)
        .join('; ');
    const revoke = await plan("DELETE FROM auth_tokens WHERE app_id = 'a' AND auth_token = 't' AND uid = 'u'");
    expect(revoke).toContain('push_tokens_auth (app_id=? AND auth_token=?)');
    expect(revoke).not.toContain('push_tokens USING PRIMARY KEY (app_id=?)');
    expect(await plan("SELECT * FROM push_tokens WHERE (app_id || ':' || uid) = 'x'")).toContain('push_tokens_user');
  });
});
