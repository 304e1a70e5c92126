import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { announce } from '../../src/webhooks/announce.ts';
import { runSql } from '../cli/sql.ts';
import { stores } from '../gatehouse.ts';
import { base, startVendors, until, type Vendors } from '../push/vendors.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';
import { makePlace, type Place, runCli } from '../store/place.ts';

// Every case starts processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

describe.each(stores)('gatehouse queue beside the running service on %s', (store) => {
  let place: Place;
  let house: Vendors;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    place = await makePlace(store);
    const GATEHOUSE_PRIVATE_HOSTS = `127.0.0.1,localhost,${receiver.host}`;
    house = await startVendors(store, { environment: { ...place.environment, GATEHOUSE_PRIVATE_HOSTS } });
    await house.addApns();
  });
  afterAll(async () => {
    await house.close();
    await receiver.close();
    await place.remove();
  });
  const resume = (kind: string, lane: string) => {
    const { GATEHOUSE_DATA = '', ...environment } = place.environment;
    return runCli(environment, 'queue', 'resume', kind, lane, '--data', GATEHOUSE_DATA, '--json');
  };
  const queue = async () => JSON.parse((await runCli(place.environment, 'queue', '--json')).stdout);

  const health = async () => (await house.asApp(`${base}/providers/health`)).body.data[0];
  /** A notification that waits, since Apple called every token bad; it would take them by now. */
  const heldNotification = async (name: string) => {
    const uids = Array.from({ length: 60 }, (_, i) => `${name}-${i}`);
    for (const uid of uids) await house.newIphone(uid);
    house.simulator.apns.setFaults({ badTokenShare: 1 });
    const id = await house.send({ to: { uids }, title: 'x' });
    await until(async () => (await health()).isPaused && (await house.notification(id)).counts.queued > 0);
    house.simulator.apns.setFaults({ badTokenShare: 0 });
    return id;
  };

  it('resumes a provider that was mended at the vendor, whose sender asks again', async () => {
    const id = await heldNotification('told');
    const lane = `${house.appId}:apns:apns-main`;
    expect(await queue()).toMatchObject([{ kind: 'push', lane, paused: (await health()).pausedReason }]);
    const ran = await resume('push', lane);
    expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, { kind: 'push', lane, resumed: true }]);
    expect((await house.finished(id)).counts.sent).toBeGreaterThan(0);
    expect(await health()).toMatchObject({ isPaused: false, waiting: 0 });
    expect(JSON.parse((await resume('push', lane)).stdout).resumed).toBe(false);
  });

  it('asks again even where the queue is looked at before the word of it has come', async () => {
    const id = await heldNotification('untold');
    await runSql(place, ['UPDATE providers SET updated_at = updated_at + 1', 'DELETE FROM outbox_pauses']);
    expect((await house.finished(id)).counts.sent).toBeGreaterThan(0);
    expect((await health()).isPaused).toBe(false);
  });

  it('resumes a webhook that stops again when it is gone again', async () => {
    const { id } = (await house.asApp('/v3/webhooks', { body: { url: `${receiver.url}/hook` } })).body.data;
    const lane = `${house.appId}/${id}`;
    const happen = () =>
      house.app.store.change(announce, { appId: house.appId, trigger: 'message_flagged', data: { n: 1 } });
    const status = async () => (await house.asApp(`/v3/webhooks/${id}`)).body.data.status;
    receiver.behave(answer(410));
    await happen();
    await until(async () => (await status()) === 'paused');
    receiver.behave(answer(200, 'ok'));
    expect(JSON.parse((await resume('webhook', lane)).stdout)).toEqual({ kind: 'webhook', lane, resumed: true });
    expect(await status()).toBe('active');
    await until(async () => {
      const { data } = (await house.asApp(`/v3/webhooks/${id}/deliveries`)).body;
      return data.every((one: { status: string }) => one.status === 'delivered');
    });
    receiver.behave(answer(410));
    await happen();
    await until(async () => (await status()) === 'paused');
  });

  it.each([
    ['pigeon', 'x', /The kind must be push or webhook, not "pigeon"/],
    ['push', 'x', /"x" is no lane of push: it must be <appId>:<kind>:<providerId>/],
    ['push', 'x:apns:nobody', /provider/],
    ['webhook', 'x', /"x" is no lane of webhook/],
    ['webhook', 'x/nobody', /webhook/],
  ])('says with exit code 1 that there is no lane %s %s', async (kind, lane, sentence) => {
    const { code, stdout, stderr } = await resume(kind, lane);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
