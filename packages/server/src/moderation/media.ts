import { createHash } from 'node:crypto';
import type { MediaScore } from '@gatehouse/judge';
import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import type { Outside } from '../webhooks/outside.ts';
import { type Classified, type Classifier, type Scores, worstOf } from './classifier.ts';
import type { MediaKind } from './evidence.ts';
import type { FrameTaker } from './media-frames.ts';
import { findMediaScores, forgetMediaScores, saveMediaScores } from './media-scores.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';
import type { Turnstile } from './turnstile.ts';

export interface MediaOptions {
  bytesMax: number;
  timeoutMs: number;
}

/** One attachment that a rule wants to know of. */
export interface Medium {
  kind: MediaKind;
  /** A message may contradict itself; nobody knows which of its words a client goes by. */
  alsoClaimed: readonly MediaKind[];
  url: string | undefined;
}

export type Seen = { medium: Medium; actualKind: MediaKind } & ({ score: MediaScore } | { failure: string });

/** Attachments of one message that are looked at; the rest is reported as not looked at. */
export const mediaPerMessageMax = 10;
const redirectsMax = 3;
const keepMs = 30 * 86_400_000;
const forgetEveryMs = 3_600_000;
const forgottenPerStep = 500;

/** Fetches attachments through the guard and has them scored: bounded in size, time and number at once. */
export class Media {
  private readonly store: Store;
  private readonly outside: Outside;
  private readonly events: Events;
  private readonly classifier: Classifier | undefined;
  private readonly frameTaker: FrameTaker;
  private readonly turnstile: Turnstile;
  private readonly options: MediaOptions;
  /** The same bytes at the same moment are scored once. */
  private readonly underWay = new Map<string, Promise<Classified>>();
  private forgetting: NodeJS.Timeout | undefined;

  constructor(
    parts: {
      store: Store;
      outside: Outside;
      events: Events;
      classifier: Classifier | undefined;
      frameTaker: FrameTaker;
      turnstile: Turnstile;
    },
    options: MediaOptions,
  ) {
    this.store = parts.store;
    this.outside = parts.outside;
    this.events = parts.events;
    this.classifier = parts.classifier;
    this.frameTaker = parts.frameTaker;
    this.turnstile = parts.turnstile;
    this.options = options;
  }

  /** What there is to know about the set-up, for whoever writes a rule. */
  async describe(): Promise<{ labels: readonly string[] | null; video: boolean; configured: boolean }> {
    return {
      configured: this.classifier !== undefined,
      labels: this.classifier?.labels ?? null,
      video: this.classifier !== undefined && (await this.frameTaker.isPresent()),
    };
  }

  /** Everything within one time limit, in the order given. */
  look(appId: string, media: readonly Medium[]): Promise<Seen[]> {
    const deadline = performance.now() + this.options.timeoutMs;
    return Promise.all(media.map((medium, i) => this.lookAt(appId, medium, i, deadline)));
  }

  startForgetting(): void {
    this.forgetting = setInterval(() => void this.forgetOld(), forgetEveryMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.forgetting);
    await this.classifier?.close();
  }

  private async lookAt(appId: string, medium: Medium, index: number, deadline: number): Promise<Seen> {
    const failed = (failure: string, actualKind = medium.kind): Seen => ({ medium, actualKind, failure });
    if (this.classifier === undefined) return failed('No classifier is configured: see GATEHOUSE_CLASSIFIER.');
    if (index >= mediaPerMessageMax)
      return failed(`Only ${mediaPerMessageMax} attachments of a message are looked at.`);
    if (medium.url === undefined || medium.url === '') return failed('The attachment has no address.');
    if (!(await this.turnstile.enter(appId, left(deadline))))
      return failed('Too many attachments wait to be looked at.');
    try {
      const fetched = await this.fetch(medium.url, deadline);
      if ('failure' in fetched) return failed(fetched.failure);
      const type = mediaTypeOf(fetched.bytes);
      if (type === undefined)
        return failed('What the address holds is neither a picture nor a video that can be read.');
      const classified = await this.scoreOnce(this.classifier, fetched.bytes, type, deadline);
      return classified.kind === 'failed'
        ? failed(classified.reason, type.kind)
        : { medium, actualKind: type.kind, score: { url: medium.url, scores: classified.scores } };
    } finally {
      this.turnstile.leave(appId);
    }
  }

  private async fetch(url: string, deadline: number): Promise<{ bytes: Buffer } | { failure: string }> {
    const { bytesMax } = this.options;
    const asked = await this.outside.ask({
      url,
      method: 'GET',
      timeoutMs: left(deadline),
      answerBytesMax: bytesMax,
      isWholeNeeded: true,
      redirectsMax,
      allowHttp: true,
    });
    this.events.asked('media', asked.kind === 'answered' ? String(asked.status) : asked.kind, asked.ms);
    if (asked.kind !== 'answered') return { failure: `The attachment could not be fetched: ${asked.reason}` };
    if (asked.status !== 200)
      return { failure: `The attachment could not be fetched: its host answered ${asked.status}.` };
    if (asked.isCut) return { failure: `The attachment has more than ${bytesMax} bytes.` };
    return { bytes: asked.body };
  }

  private scoreOnce(classifier: Classifier, bytes: Buffer, type: MediaType, deadline: number): Promise<Classified> {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    const known = this.underWay.get(hash);
    if (known !== undefined) return known;
    const scoring = this.score(classifier, hash, bytes, type, deadline).finally(() => this.underWay.delete(hash));
    this.underWay.set(hash, scoring);
    return scoring;
  }

  private async score(
    classifier: Classifier,
    contentHash: string,
    bytes: Buffer,
    type: MediaType,
    deadline: number,
  ): Promise<Classified> {
    const remembered = await findMediaScores(this.store, contentHash, classifier.name);
    if (remembered !== undefined) return { kind: 'scored', scores: remembered };
    const classified =
      type.container === undefined
        ? await classifier.classify({ bytes, mimeType: type.mimeType }, left(deadline))
        : await this.scoreFilm(classifier, bytes, type.container, deadline);
    if (classified.kind === 'scored')
      await this.store.change(saveMediaScores, { contentHash, classifier: classifier.name, scores: classified.scores });
    return classified;
  }

  private async scoreFilm(
    classifier: Classifier,
    film: Buffer,
    container: string,
    deadline: number,
  ): Promise<Classified> {
    if (!(await this.frameTaker.isPresent()))
      return { kind: 'failed', reason: 'Videos are not configured: ffmpeg is not installed (see GATEHOUSE_FFMPEG).' };
    const taken = await this.frameTaker.take(film, container, left(deadline));
    if (taken.kind === 'failed') return taken;
    const all: Scores[] = [];
    for (const frame of taken.frames) {
      const classified = await classifier.classify({ bytes: frame, mimeType: 'image/jpeg' }, left(deadline));
      if (classified.kind === 'failed') return classified;
      all.push(classified.scores);
    }
    return { kind: 'scored', scores: worstOf(all) };
  }

  private async forgetOld(): Promise<void> {
    const before = Date.now() - keepMs;
    try {
      while ((await this.store.change(forgetMediaScores, { before, max: forgottenPerStep })) === forgottenPerStep);
    } catch (error) {
      this.events.broken('old scores cannot be forgotten', error);
    }
  }
}

function left(deadline: number): number {
  return Math.max(1, Math.ceil(deadline - performance.now()));
}
