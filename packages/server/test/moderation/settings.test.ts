import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundledLoader, isInstalled, notInstalled } from '../../src/moderation/classifier-bundled.ts';
import { noFfmpeg } from '../../src/moderation/media-frames.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const path = '/v3/moderation/settings';
const url = 'https://judge.example.org/hook';
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

describe.each(stores)('moderation settings on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
  });
  afterAll(() => gatehouse.close());

  const patch = (body: unknown) => gatehouse.asApp(path, { method: 'PATCH', body });

  it('answers 200 with what an app has that changed nothing', async () => {
    const answer = await gatehouse.asApp(path);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: {
        onError: 'approve-message',
        customApi: null,
        media: { configured: false, video: false, labels: null, problems: [] },
      },
    });
  });

  it('answers 200 to a change, on both hosts, and never shows the secret again', async () => {
    const secret = newSecret();
    const changed = await patch({ onError: 'drop-message', customApi: { url, secret, contextMessages: 3 } });
    expect(changed.body.data).toMatchObject({ onError: 'drop-message', customApi: { url, contextMessages: 3 } });
    const seen = await gatehouse.asManager('/moderation/settings');
    expect(seen.body.data).toEqual(changed.body.data);
    const stored = await gatehouse.app.store.all('SELECT * FROM moderation_settings');
    const audited = await gatehouse.app.store.all(
      "SELECT before, after FROM audit WHERE action = 'changeModerationSettings'",
    );
    for (const text of [changed.text, seen.text, JSON.stringify(stored), JSON.stringify(audited), gatehouse.logs()])
      expect(text).not.toContain(secret.slice(6));
    expect(audited).toHaveLength(1);
  });

  it('keeps the sealed secret when only the address changes, and forgets all of it on null', async () => {
    await patch({ customApi: { url, secret: newSecret() } });
    expect((await patch({ customApi: { url: `${url}/2` } })).body.data.customApi.url).toBe(`${url}/2`);
    expect((await patch({ customApi: null })).body.data.customApi).toBeNull();
    const again = await patch({ customApi: { url } });
    expect(again.status).toBe(400);
    expect(again.body.error.details['customApi.secret']).toBeDefined();
  });

  it('answers 400 to private addresses, weak secrets, unknown choices and unknown fields', async () => {
    const secret = newSecret();
    for (const body of [
      {},
      { onError: 'block-message' },
      { customApi: { url: 'http://judge.example.org/', secret } },
      { customApi: { url: 'https://127.0.0.1/', secret } },
      { customApi: { url: 'https://2130706433/', secret } },
      { customApi: { url, secret: 'whsec_short' } },
      { customApi: { url, secret, contextMessages: 21 } },
      { customApi: { url, secret, token: 'x' } },
      { secret },
    ])
      expect([body, (await patch(body)).status]).toEqual([body, 400]);
  });

  it("does not touch another app's settings", async () => {
    await patch({ onError: 'drop-message' });
    const other = await gatehouse.newApp();
    const seen = await gatehouse.ask(path, { headers: { apikey: other.fullAccess } });
    expect(seen.body.data.onError).toBe('approve-message');
  });
});

describe.each(stores)('the media set-up on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store, {
      GATEHOUSE_CLASSIFIER: 'bundled',
      GATEHOUSE_FFMPEG: '/nowhere/ffmpeg',
    });
  });
  afterAll(() => gatehouse.close());

  it('says what of it does not work, to moderators, to the operator and in the log', async () => {
    const isThere = isInstalled(bundledLoader);
    const problems = [...(isThere ? [] : [notInstalled]), noFfmpeg];
    const { body } = await gatehouse.asApp(path);
    expect(body.data.media).toMatchObject({ configured: isThere, video: false, problems });
    const service = await gatehouse.ask('/service', { headers: { key: gatehouse.key, secret: gatehouse.secret } });
    expect(service.body.data.mediaProblems).toEqual(problems);
    await vi.waitFor(() => {
      for (const reason of problems) expect(gatehouse.logs()).toContain(JSON.stringify(reason));
    });
  });
});
