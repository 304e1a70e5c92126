import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Classifier } from '../../src/moderation/classifier.ts';
import { HttpClassifier } from '../../src/moderation/classifier-http.ts';
import { CustomApi } from '../../src/moderation/custom-api.ts';
import type { EvidenceFound, EvidenceRequest, MediaKind } from '../../src/moderation/evidence.ts';
import { GatheredEvidence } from '../../src/moderation/gather-evidence.ts';
import { Media } from '../../src/moderation/media.ts';
import { MediaFetcher } from '../../src/moderation/media-fetcher.ts';
import { FrameTaker } from '../../src/moderation/media-frames.ts';
import { forgetMediaScores, saveMediaScores } from '../../src/moderation/media-scores.ts';
import { SettingsOfApps } from '../../src/moderation/settings.ts';
import { Turnstile } from '../../src/moderation/turnstile.ts';
import { Outside } from '../../src/webhooks/outside.ts';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { answer, type Receiver, startReceiver } from '../receiver.ts';
import { film, filmOf, hasFfmpeg, png, saidToMove } from './pictures.ts';

const bytesMax = 100_000;
let made = 0;
const fresh = (): Buffer => png(20, 20, [200, 100, 50], `picture ${++made}`);
const scored = (scores: Record<string, number>) => answer(200, JSON.stringify({ scores }));

describe.each(stores)('attachments on %s', (store) => {
  let gatehouse: Gatehouse;
  /** Where attachments lie. */
  let host: Receiver;
  let classifierHost: Receiver;
  let outside: Outside;

  beforeAll(async () => {
    host = await startReceiver();
    classifierHost = await startReceiver();
    gatehouse = await startGatehouse(store);
    outside = new Outside([host.host]);
  });
  afterAll(async () => {
    outside.close();
    await gatehouse.close();
    await host.close();
    await classifierHost.close();
  });
  beforeEach(() => {
    host.received.length = 0;
    classifierHost.received.length = 0;
    classifierHost.behave(scored({ Violence: 12, 'Explicit Nudity': 97.5 }));
  });

  // Taking frames out of films asks nothing of the store: once is enough.
  const takesFilms = hasFfmpeg && store === stores[0];
  const serve = (files: Record<string, Buffer | string>): void =>
    host.behave((request, response) => {
      const file = files[request.path.slice(1)];
      if (file === undefined) answer(404)(request, response);
      else response.writeHead(200, { 'content-type': 'text/plain' }).end(file);
    });
  const http = (version = '1'): Classifier =>
    new HttpClassifier(outside, gatehouse.app.events, {
      url: `${classifierHost.url}/classify`,
      token: 'a-token-of-the-test',
      version,
    });
  interface Options {
    classifier?: Classifier | undefined;
    ffmpeg?: string;
    kind?: MediaKind;
    timeoutMs?: number;
    firstByteMs?: number;
    sender?: string;
    outside?: Outside;
    /** Looks that share what is under way. */
    evidence?: GatheredEvidence;
  }
  const gathering = (options: Options = {}): GatheredEvidence => {
    const { store: opened, keyring, events } = gatehouse.app;
    const { ffmpeg = 'ffmpeg', timeoutMs = 50_000, firstByteMs = timeoutMs } = options;
    const settings = new SettingsOfApps(opened, keyring, outside);
    const media = new Media(
      {
        store: opened,
        fetcher: new MediaFetcher(options.outside ?? outside, events, { bytesMax, firstByteMs, places: 8 }),
        events,
        classifier: 'classifier' in options ? options.classifier : http(),
        frameTaker: new FrameTaker(ffmpeg),
        turnstile: new Turnstile({ insideMax: 2, insidePerApp: 2, waitingPerApp: 100 }),
      },
      { timeoutMs },
    );
    const customApi = new CustomApi(settings, outside, events, { concurrency: 1 });
    return new GatheredEvidence(settings, customApi, media, events);
  };
  const look = (urls: string[], options: Options = {}): Promise<EvidenceFound> => {
    const { kind = 'image', sender = 'ann', evidence = gathering(options) } = options;
    const request: EvidenceRequest = {
      appId: gatehouse.appId,
      message: {
        id: 'm',
        sender,
        receiver: 'bob',
        receiverType: 'user',
        type: kind,
        data: { attachments: urls.map((url) => ({ url })) },
      },
      outside: [],
      media: [kind],
      context: async () => [],
    };
    return evidence.gather(request);
  };

  it('are fetched and scored by the http classifier, by its contract', async () => {
    const picture = fresh();
    serve({ 'a.png': picture });
    const url = `${host.url}/a.png`;
    const found = await look([url]);
    expect(found).toEqual({
      image: [{ url, index: 0, scores: { Violence: 12, 'Explicit Nudity': 97.5 } }],
      video: [],
      outside: [],
      failures: [],
    });
    const [got] = classifierHost.received;
    expect(got).toMatchObject({
      method: 'POST',
      path: '/classify',
      headers: { 'content-type': 'image/png', authorization: 'Bearer a-token-of-the-test' },
    });
    expect(got?.headers['content-length']).toBe(String(picture.length));
  });

  it('are scored once, wherever the same bytes lie, until the model changes or the memory is old', async () => {
    const picture = fresh();
    serve({ a: picture, b: picture });
    const urls = [`${host.url}/a`, `${host.url}/b`];
    expect((await look(urls)).image.map(({ scores }) => scores.Violence)).toEqual([12, 12]);
    expect((await look(urls)).image).toHaveLength(2);
    expect(classifierHost.received.length).toBe(1);
    await look(urls, { classifier: http('2') });
    expect(classifierHost.received.length).toBe(2);
    await gatehouse.app.store.change(forgetMediaScores, { before: Date.now() + 1, max: 1000 });
    await look(urls);
    expect(classifierHost.received.length).toBe(3);
  });

  it('that cannot be fetched, read or scored are failures, seen with their reason and the on-error setting', async () => {
    serve({ big: Buffer.concat([fresh(), Buffer.alloc(bytesMax)]), text: '<svg onload="x"/>', 'c.png': fresh() });
    const cases: [string, RegExp][] = [
      [`${host.url}/none`, /its host answered 404/],
      [`${host.url}/big`, /more than 100000 bytes/],
      [`${host.url}/text`, /neither a picture nor a video/],
      ['http://127.0.0.1:1/a.png', /not public/],
      ['http://[::ffff:127.0.0.1]/a.png', /not public/],
      ['ftp://files.example/a.png', /ftp: is not allowed|not allowed/],
      ['', /no address/],
    ];
    for (const [url, reason] of cases) {
      const found = await look([url]);
      expect(found.image).toEqual([]);
      expect(found.failures).toMatchObject([{ what: 'image', url, onError: 'approve-message' }]);
      expect(found.failures[0]?.reason).toMatch(reason);
    }
    for (const behaviour of [
      answer(503),
      answer(200, 'no'),
      answer(200, '{"scores":{"Violence":101}}'),
      answer(200, '{"scores":{"Violence":"high"}}'),
      answer(200, '{"scores":[1]}'),
    ]) {
      classifierHost.behave(behaviour);
      const found = await look([`${host.url}/c.png`]);
      expect(found.failures[0]?.reason).toMatch(/^The classifier /);
      expect(found.image).toEqual([]);
    }
    await gatehouse.asApp('/v3/moderation/settings', { method: 'PATCH', body: { onError: 'drop-message' } });
    expect((await look([`${host.url}/none`])).failures[0]?.onError).toBe('drop-message');
    await gatehouse.asApp('/v3/moderation/settings', { method: 'PATCH', body: { onError: 'approve-message' } });
  });

  it('are not fetched from where a redirect should not lead', async () => {
    host.behave(answer(302, '', { location: `${classifierHost.url}/secret` }));
    const found = await look([`${host.url}/a.png`]);
    expect(found.failures[0]?.reason).toContain('not public');
    expect(classifierHost.received).toEqual([]);
  });

  it('that come too slowly fail in time, and the others of the message are still scored', async () => {
    const picture = fresh();
    host.behave((request, response) => {
      if (request.path === '/quick') response.end(picture);
      else response.writeHead(200).write('x');
    });
    const found = await look([`${host.url}/slow`, `${host.url}/quick`], { timeoutMs: 1500 });
    expect(found.failures).toMatchObject([{ url: `${host.url}/slow` }]);
    expect(found.failures[0]?.reason).toMatch(/No whole answer within \d+ ms/);
    expect(found.image).toMatchObject([{ url: `${host.url}/quick` }]);
  });

  it('of somebody with a slow host do not keep those of others from being seen', async () => {
    const slow = await startReceiver();
    slow.behave(() => {});
    serve({ quick: fresh() });
    const both = new Outside([host.host, slow.host]);
    const evidence = gathering({ outside: both });
    const urls = Array.from({ length: 10 }, (_, i) => `${slow.url}/${i}`);
    const stuck = [1, 2].map(() => look(urls, { evidence, sender: 'mallory' }));
    const found = await Promise.race([look([`${host.url}/quick`], { evidence, sender: 'bea' }), ...stuck]);
    expect(found.failures).toEqual([]);
    expect(found.image).toMatchObject([{ url: `${host.url}/quick` }]);
    // One sender has two of the eight places.
    await slow.until(2);
    expect(slow.received).toHaveLength(2);
    both.close();
    await slow.close();
    await Promise.all(stuck);
  });

  it('of which no byte comes soon fail before the time of the message is over', async () => {
    host.behave(() => {});
    const found = await look([`${host.url}/silent`], { firstByteMs: 200 });
    expect(found.failures[0]?.reason).toBe('The attachment could not be fetched: No answer began within 200 ms.');
  });

  it('of the same bytes do not fail because the message before had less time', async () => {
    const picture = fresh();
    serve({ a: picture, b: picture });
    let waits = 0;
    const slowly: Classifier = {
      name: 'slow',
      labels: undefined,
      whyNot: () => undefined,
      classify: (_, timeoutMs) =>
        new Promise((resolve) => {
          if (++waits > 1) resolve({ kind: 'scored', scores: { Violence: 1 } });
          else setTimeout(resolve, timeoutMs, { kind: 'failed', reason: 'Too late.' });
        }),
      close: async () => {},
    };
    const evidence = gathering({ classifier: slowly, timeoutMs: 1500 });
    const first = look([`${host.url}/a`], { evidence });
    await new Promise((resolve) => setTimeout(resolve, 500));
    const second = look([`${host.url}/b`], { evidence });
    expect((await first).failures).toMatchObject([{ reason: 'Too late.' }]);
    expect((await second).image).toMatchObject([{ scores: { Violence: 1 } }]);
    expect(waits).toBe(2);
  });

  it('of the same bytes fail in time although the message before still waits for the classifier', async () => {
    const picture = fresh();
    serve({ a: picture, b: picture });
    let answerLate = (): void => {};
    const stuck: Classifier = {
      name: 'stuck',
      labels: undefined,
      whyNot: () => undefined,
      classify: () =>
        new Promise((resolve) => {
          answerLate = () => resolve({ kind: 'failed', reason: 'Far too late.' });
        }),
      close: async () => {},
    };
    const evidence = gathering({ classifier: stuck, timeoutMs: 500 });
    const first = look([`${host.url}/a`], { evidence });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const second = await look([`${host.url}/b`], { evidence });
    expect(second.failures).toMatchObject([{ reason: 'The classifier did not answer in time.' }]);
    answerLate();
    expect((await first).failures).toMatchObject([{ reason: 'Far too late.' }]);
  });

  it('beyond the tenth are reported as not looked at', async () => {
    serve({ a: fresh() });
    const found = await look(Array.from({ length: 12 }, () => `${host.url}/a`));
    expect(found.image).toHaveLength(10);
    expect(found.failures.map(({ reason }) => reason)).toEqual([
      'Only 10 attachments of a message are looked at.',
      'Only 10 attachments of a message are looked at.',
    ]);
  });

  it('fail as not configured without a classifier, and films without ffmpeg', async () => {
    serve({ a: fresh(), b: Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.from('isomxxxx')]) });
    const none = await look([`${host.url}/a`], { classifier: undefined });
    expect(none.failures[0]?.reason).toContain('No classifier is configured');
    expect(host.received).toEqual([]);
    const noFfmpeg = await look([`${host.url}/b`], { kind: 'video', ffmpeg: '/nowhere/ffmpeg' });
    expect(noFfmpeg.failures[0]?.reason).toContain('ffmpeg is not installed');
  });

  it('that are pictures said to move are judged by the still one where no frames can be taken', async () => {
    const picture = saidToMove(fresh());
    serve({ 'a.png': picture });
    const url = `${host.url}/a.png`;
    const programs = takesFilms ? ['/nowhere/ffmpeg', 'ffmpeg'] : ['/nowhere/ffmpeg'];
    for (const ffmpeg of programs) {
      const found = await look([url], { ffmpeg });
      expect(found.image).toEqual([{ url, index: 0, scores: { Violence: 12, 'Explicit Nudity': 97.5 } }]);
      expect(found.failures).toMatchObject([{ what: 'image', url }]);
    }
    // What was seen in part is not remembered as the whole.
    expect(classifierHost.received).toHaveLength(programs.length);
    expect(classifierHost.received[0]?.headers['content-type']).toBe('image/png');
  });

  it('that move are scored anew where they are remembered by a look at one picture', async () => {
    const [still, moving] = [fresh(), saidToMove(fresh())];
    serve({ still, moving });
    const classifier = http('of one picture');
    for (const picture of [still, moving]) {
      const contentHash = createHash('sha256').update(picture).digest('base64url');
      const harmless = { contentHash, classifier: classifier.name, scores: { Violence: 0 } };
      await gatehouse.app.store.change(saveMediaScores, harmless);
    }
    const found = await look([`${host.url}/still`, `${host.url}/moving`], { classifier });
    expect(found.image.map(({ scores }) => scores.Violence)).toEqual([0, 12]);
  });

  it.runIf(takesFilms)('that are films are judged by frames of their whole length, the worst of them', async () => {
    for (const extension of ['mp4', 'webm', 'avi'] as const) {
      serve({ film: film(['blue', 'red', 'green'], extension) });
      let calls = 0;
      classifierHost.behave((request, response) =>
        scored({ Violence: ++calls === 3 ? 80 : 5, Alcohol: 1 })(request, response),
      );
      const found = await look([`${host.url}/film`], { kind: 'video' });
      expect(found.failures).toEqual([]);
      expect(found.video).toMatchObject([{ scores: { Violence: 80, Alcohol: 1 } }]);
      expect(calls).toBeGreaterThanOrEqual(3);
      expect(calls).toBeLessThanOrEqual(13);
      for (const { headers } of classifierHost.received) expect(headers['content-type']).toBe('image/jpeg');
      classifierHost.received.length = 0;
    }
  });

  it.runIf(takesFilms)('that are films are judged by the frames before the one that could not be scored', async () => {
    serve({ film: film(['blue', 'green', 'red'], 'mp4') });
    let calls = 0;
    classifierHost.behave((request, response) =>
      (++calls === 1 ? scored({ Violence: 80 }) : answer(503))(request, response),
    );
    const found = await look([`${host.url}/film`], { kind: 'video' });
    expect(found.video).toMatchObject([{ scores: { Violence: 80 } }]);
    expect(found.failures).toMatchObject([{ what: 'video', url: `${host.url}/film` }]);
  });

  it.runIf(takesFilms)('that say they are pictures and are films are judged as both', async () => {
    serve({ 'a.png': film(['blue', 'red'], 'mp4') });
    const found = await look([`${host.url}/a.png`]);
    expect(found.image).toHaveLength(1);
    expect(found.video).toHaveLength(1);
  });

  it.runIf(takesFilms)(
    'that are animated PNGs are judged as pictures, by the still one and by their frames',
    async () => {
      const parts: [string, number][] = [
        ['blue', 1],
        ['red', 1],
      ];
      serve({ 'a.png': filmOf(parts, 'apng', ['-f', 'apng', '-pix_fmt', 'rgb24']) });
      classifierHost.behave((request, response) => {
        const isStill = request.headers['content-type'] === 'image/png';
        scored(isStill ? { Violence: 90, Alcohol: 1 } : { Violence: 2, Alcohol: 80 })(request, response);
      });
      const found = await look([`${host.url}/a.png`]);
      expect(found.image).toMatchObject([{ scores: { Violence: 90, Alcohol: 80 } }]);
      expect(found.video).toEqual([]);
      expect(found.failures).toEqual([]);
      expect(classifierHost.received.length).toBeGreaterThan(4);
    },
  );

  it.runIf(takesFilms)('that are broken films fail', async () => {
    serve({ film: film(['blue'], 'mp4').subarray(0, 600) });
    const found = await look([`${host.url}/film`], { kind: 'video' });
    expect(found.failures[0]?.reason).toBe('The video could not be read.');
  });
});
