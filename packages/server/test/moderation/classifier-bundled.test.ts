import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { createEvents } from '../../src/events.ts';
import {
  BundledClassifier,
  bundledLoader,
  isInstalled,
  notInstalled,
} from '../../src/moderation/classifier-bundled.ts';
import { bundledLabels, toScores } from '../../src/moderation/classifier-labels.ts';
import { hugeGif, png } from './pictures.ts';

/** `npm run test:classifier` installs it first; without it some of these say nothing. */
const isThere = isInstalled(bundledLoader);
const events = createEvents({ logLevel: 'silent' });
const timeoutMs = 60_000;

/** The labels of the interface. */
const mediaLabels = [
  'Violence',
  'Alcohol',
  'Gambling',
  'Drugs & Tobacco',
  'Rude gestures',
  'Explicit Nudity',
  'Non-Explicit Nudity',
  'Swimwear or underwear',
  'Visually Disturbing',
  'Hate symbols',
];

/** As much of sharp as the tests use. */
interface Sharp {
  png(): Sharp;
  jpeg(): Sharp;
  webp(): Sharp;
  gif(): Sharp;
  avif(): Sharp;
  tiff(): Sharp;
  composite(parts: { input: Buffer }[]): Sharp;
  toBuffer(): Promise<Buffer>;
}
type MakeSharp = (input: object | Buffer[], options?: object) => Sharp;

describe('the bundled classifier', () => {
  it('says what to install when it is not', async () => {
    const classifier = new BundledClassifier(events, '/nowhere/load.js');
    const picture = { bytes: png(10, 10, [0, 0, 0]), mimeType: 'image/png' };
    expect(await classifier.classify(picture, timeoutMs)).toEqual({ kind: 'failed', reason: notInstalled });
    expect(notInstalled).toContain('npm ci --ignore-scripts --prefix packages/server/classifier');
    expect(classifier.whyNot()).toBe(notInstalled);
    await classifier.close();
  });

  it('is installed when all its packages are there', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-classifier-'));
    const file = join(folder, 'load.js');
    writeFileSync(file, '');
    writeFileSync(join(folder, 'package.json'), '{"dependencies":{"no-such-package":"1.0.0","buffer":"6.0.3"}}');
    for (const name of ['buffer', 'no-such-package']) {
      expect(isInstalled(file)).toBe(false);
      mkdirSync(join(folder, 'node_modules', name), { recursive: true });
      writeFileSync(join(folder, 'node_modules', name, 'package.json'), '{}');
    }
    expect(isInstalled(file)).toBe(true);
    rmSync(folder, { recursive: true });
  });
});

describe('the thread of the bundled classifier', () => {
  const parts = fileURLToPath(new URL('./classifier-parts.mjs', import.meta.url));
  const classifier = new BundledClassifier(events, parts, { silentMsMax: 1000 });
  afterAll(() => classifier.close());
  interface Made {
    ms?: number;
    format?: string;
    width?: number;
    height?: number;
    pages?: number;
  }
  const classify = (made: Made, limitMs = timeoutMs) =>
    classifier.classify({ bytes: Buffer.from(JSON.stringify(made)), mimeType: 'image/png' }, limitMs);
  const scoresOf = async (answer: ReturnType<typeof classify>) => {
    const classified = await answer;
    if (classified.kind === 'failed') throw new Error(classified.reason);
    const { 'Explicit Nudity': decoded, 'Swimwear or underwear': atOnce } = classified.scores;
    return { decoded, atOnce };
  };
  const late = { kind: 'failed', reason: 'The classifier did not answer in time.' };

  it('looks at one picture at a time, and not at one that nobody waits for any more', async () => {
    expect(await scoresOf(classify({}))).toEqual({ decoded: 1, atOnce: 1 });
    const pictures = [classify({ ms: 300 }), classify({}, 50), classify({}, 60), classify({})];
    expect(await pictures[1]).toEqual(late);
    expect(await pictures[2]).toEqual(late);
    expect(await scoresOf(pictures[3] as ReturnType<typeof classify>)).toEqual({ decoded: 3, atOnce: 1 });
  });

  it('goes on after a long rest, whatever the first picture after it has left of its time', async () => {
    await classify({});
    await new Promise((resolve) => setTimeout(resolve, 1200));
    const [honest, hurried] = [classify({ ms: 100 }), classify({}, 1)];
    expect(await hurried).toEqual(late);
    expect((await honest).kind).toBe('scored');
  });

  it('is started anew when it has been silent with work in hand', async () => {
    expect(await classify({ ms: 5000 }, 1100)).toEqual(late);
    expect(await scoresOf(classify({}))).toEqual({ decoded: 1, atOnce: 1 });
  });

  it('refuses an animation that is small as a file and huge when decoded', async () => {
    const refused = { kind: 'failed', reason: 'The animation has too many pixels to be looked at.' };
    for (const format of ['gif', 'webp'])
      expect(await classify({ format, width: 7000, height: 7000, pages: 20 })).toEqual(refused);
    expect((await classify({ format: 'gif', width: 640, height: 480, pages: 300 })).kind).toBe('scored');
    // The pages of a document stand for themselves: four are decoded, however many there are.
    expect((await classify({ format: 'tiff', width: 2500, height: 3500, pages: 300 })).kind).toBe('scored');
  });
});

describe('the labels of the bundled classifier', () => {
  it('are sums of the classes that mean them, never more than 100', () => {
    const classes = (Porn: number, Hentai: number, Sexy: number) => [
      { className: 'Porn', probability: Porn },
      { className: 'Hentai', probability: Hentai },
      { className: 'Sexy', probability: Sexy },
      { className: 'Neutral', probability: 0.5 },
      { className: 'Drawing', probability: 0.5 },
    ];
    expect(toScores(classes(0.6, 0.3, 0.08))).toEqual({
      'Explicit Nudity': 90,
      'Non-Explicit Nudity': 8,
      'Swimwear or underwear': 8,
    });
    expect(toScores(classes(0.7, 0.7, 0))['Explicit Nudity']).toBe(100);
    for (const label of bundledLabels) expect(mediaLabels).toContain(label);
  });
});

describe.runIf(isThere)('the bundled classifier, installed', () => {
  const classifier = new BundledClassifier(events);
  afterAll(() => classifier.close());
  const classify = (bytes: Buffer, mimeType = 'image/png') => classifier.classify({ bytes, mimeType }, timeoutMs);
  const makeSharp = async () => ((await import(pathToFileURL(bundledLoader).href)) as { sharp: MakeSharp }).sharp;
  /** A flat sky over a flat meadow. */
  const landscape = async (): Promise<Sharp> => {
    const sharp = await makeSharp();
    const part = (height: number, background: string) => ({ create: { width: 300, height, channels: 3, background } });
    const meadow = await sharp(part(100, '#3a7d2c')).png().toBuffer();
    return sharp(part(300, '#87ceeb')).composite([{ input: meadow }]);
  };

  it('scores a harmless picture low on every label it sees, in every format', async () => {
    const formats = ['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const;
    for (const format of formats) {
      const picture = await landscape();
      const answer = await classify(await picture[format]().toBuffer(), `image/${format}`);
      if (answer.kind !== 'scored') throw new Error(`${format}: ${answer.reason}`);
      expect(Object.keys(answer.scores).sort()).toEqual([...classifier.labels].sort());
      for (const score of Object.values(answer.scores)) {
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThan(50);
      }
    }
  });

  it('answers the same for the same picture, and not the same for every picture', async () => {
    const skin = png(224, 224, [224, 172, 135]);
    const [once, twice, other] = [
      await classify(skin),
      await classify(skin),
      await classify(png(224, 224, [0, 0, 255])),
    ];
    expect(once).toEqual(twice);
    expect(once).not.toEqual(other);
  });

  it('reads grey, transparent and tiny pictures', async () => {
    const sharp = await makeSharp();
    const grey = sharp({ create: { width: 9, height: 9, channels: 3, background: 'grey' } });
    const clear = sharp({ create: { width: 50, height: 50, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } });
    expect((await classify(png(1, 1, [255, 255, 255]))).kind).toBe('scored');
    expect((await classify(await grey.png().toBuffer())).kind).toBe('scored');
    expect((await classify(await clear.png().toBuffer())).kind).toBe('scored');
  });

  it('looks at an animation beyond its first picture', async () => {
    const sharp = await makeSharp();
    const still = await classify(png(200, 200, [0, 0, 255]));
    const frames = [png(200, 200, [0, 0, 255]), png(200, 200, [224, 172, 135])];
    const animation = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const moving = await classify(animation, 'image/gif');
    const last = await classify(png(200, 200, [224, 172, 135]));
    if (still.kind !== 'scored' || moving.kind !== 'scored' || last.kind !== 'scored') throw new Error('not scored');
    for (const label of classifier.labels) {
      const worst = Math.max(still.scores[label] ?? 0, last.scores[label] ?? 0);
      expect(Math.abs((moving.scores[label] ?? 0) - worst)).toBeLessThan(5);
    }
  });

  it('fails on what is no picture and on one of too many pixels, and goes on', async () => {
    expect(await classify(Buffer.from('no picture'))).toEqual({
      kind: 'failed',
      reason: 'The picture could not be read.',
    });
    expect((await classify(png(10, 10, [1, 2, 3]).subarray(0, 40))).kind).toBe('failed');
    const sharp = await makeSharp();
    const huge = sharp({ create: { width: 8000, height: 8000, channels: 3, background: 'red' } });
    expect((await classify(await huge.png().toBuffer())).kind).toBe('failed');
    expect(await classify(hugeGif(7000, 20), 'image/gif')).toEqual({
      kind: 'failed',
      reason: 'The animation has too many pixels to be looked at.',
    });
    expect((await classify(png(10, 10, [1, 2, 3]))).kind).toBe('scored');
  });

  it('fails in time when asked for more than time allows', async () => {
    const answer = await classifier.classify({ bytes: png(10, 10, [1, 2, 3]), mimeType: 'image/png' }, 1);
    expect(answer).toEqual({ kind: 'failed', reason: 'The classifier did not answer in time.' });
  });
});
