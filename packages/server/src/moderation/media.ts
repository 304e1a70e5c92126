import { createHash } from 'node:crypto';
import type { MediaScore } from '@gatehouse/judge';
import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import { type Classified, type Classifier, type Scores, worstOf } from './classifier.ts';
import type { MediaKind } from './evidence.ts';
import type { Asker, Fetched, MediaFetcher } from './media-fetcher.ts';
import { type FrameTaker, noFfmpeg } from './media-frames.ts';
import { findMediaScores, forgetMediaScores, saveMediaScores } from './media-scores.ts';
import { type MediaType, mediaTypeOf } from './media-type.ts';
import type { Turnstile } from './turnstile.ts';

/** One attachment that a rule wants to know of. */
export interface Medium {
  /** Which of the message's attachments it is. */
  index: number;
  kind: MediaKind;
  /** A message may contradict itself; nobody knows which of its words a client goes by. */
  alsoClaimed: readonly MediaKind[];
  url: string | undefined;
}

/** A score and a failure at once: a part of it was seen. */
export type Seen = { medium: Medium; actualKind: MediaKind } & (
  | { score: MediaScore; failure?: string }
  | { failure: string }
);

/** What was seen of a part counts, whatever became of the rest. */
type Looked = Classified | { kind: 'partly'; scores: Scores; reason: string };

export interface MediaSetUp {
  labels: readonly string[] | null;
  video: boolean;
  configured: boolean;
  problems: readonly string[];
}

interface UnderWay {
  scoring: Promise<Looked>;
  deadline: number;
}

const tooMany = 'Too many attachments wait to be looked at.';
/** Attachments of one message that are looked at; the rest is reported as not looked at. */
export const mediaPerMessageMax = 10;
/** How frames are chosen; it changes with that, since scores by fewer of them say less. */
const lookAtFrames = 'frames:2';
const keepMs = 30 * 86_400_000;
const forgetEveryMs = 3_600_000;
const forgottenPerStep = 500;

/** Fetches attachments through the guard and has them scored: bounded in size, time and number at once. */
export class Media {
  private readonly store: Store;
  private readonly fetcher: MediaFetcher;
  private readonly events: Events;
  private readonly classifier: Classifier | undefined;
  private readonly frameTaker: FrameTaker;
  private readonly turnstile: Turnstile;
  private readonly timeoutMs: number;
  /** The same bytes at the same moment are scored once an app. */
  private readonly underWay = new Map<string, UnderWay>();
  private forgetting: NodeJS.Timeout | undefined;

  constructor(
    parts: {
      store: Store;
      fetcher: MediaFetcher;
      events: Events;
      classifier: Classifier | undefined;
      frameTaker: FrameTaker;
      turnstile: Turnstile;
    },
    options: { timeoutMs: number },
  ) {
    this.store = parts.store;
    this.fetcher = parts.fetcher;
    this.events = parts.events;
    this.classifier = parts.classifier;
    this.frameTaker = parts.frameTaker;
    this.turnstile = parts.turnstile;
    this.timeoutMs = options.timeoutMs;
  }

  /** What there is to know about the set-up, for whoever writes a rule. */
  async describe(): Promise<MediaSetUp> {
    const { classifier } = this;
    const problems = await this.problems();
    const isUsable = classifier !== undefined && classifier.whyNot() === undefined;
    return {
      configured: isUsable,
      labels: isUsable ? (classifier.labels ?? null) : null,
      video: isUsable && problems.length === 0,
      problems,
    };
  }

  /** What was asked for and does not work: nothing where no classifier was asked for. */
  async problems(): Promise<string[]> {
    if (this.classifier === undefined) return [];
    const ofClassifier = this.classifier.whyNot();
    const problems = ofClassifier === undefined ? [] : [ofClassifier];
    return (await this.frameTaker.isPresent()) ? problems : [...problems, noFfmpeg];
  }

  /** Rules over media fail open where nothing can look: somebody should hear of it before the first picture comes. */
  async raiseAlarms(): Promise<void> {
    for (const reason of await this.problems()) this.events.alarm('media cannot be looked at', { reason });
  }

  /** Everything within one time limit, in the order given. */
  look(asker: Asker, media: readonly Medium[]): Promise<Seen[]> {
    const deadline = performance.now() + this.timeoutMs;
    return Promise.all(media.map((medium, i) => this.lookAt(asker, medium, i, deadline)));
  }

  startForgetting(): void {
    this.forgetting = setInterval(() => void this.forgetOld(), forgetEveryMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.forgetting);
    await this.classifier?.close();
  }

  private async lookAt(asker: Asker, medium: Medium, index: number, deadline: number): Promise<Seen> {
    const failed = (failure: string, actualKind = medium.kind): Seen => ({ medium, actualKind, failure });
    const { classifier } = this;
    const { url } = medium;
    if (classifier === undefined) return failed('No classifier is configured: see GATEHOUSE_CLASSIFIER.');
    if (index >= mediaPerMessageMax)
      return failed(`Only ${mediaPerMessageMax} attachments of a message are looked at.`);
    if (url === undefined || url === '') return failed('The attachment has no address.');
    const use = async (fetched: Fetched): Promise<Seen> => {
      if ('failure' in fetched) return failed(fetched.failure);
      const type = mediaTypeOf(fetched.bytes);
      if (type === undefined)
        return failed('What the address holds is neither a picture nor a video that can be read.');
      const contentHash = createHash('sha256').update(fetched.bytes).digest('base64url');
      const looked = await this.scoreOnce(classifier, asker.appId, contentHash, fetched.bytes, type, deadline);
      if (looked.kind === 'failed') return failed(looked.reason, type.kind);
      const score = { url, index: medium.index, scores: looked.scores };
      return { medium, actualKind: type.kind, score, ...(looked.kind === 'partly' && { failure: looked.reason }) };
    };
    return (await this.fetcher.fetch(asker, url, () => left(deadline), use)) ?? failed(tooMany);
  }

  private async scoreOnce(
    classifier: Classifier,
    appId: string,
    contentHash: string,
    bytes: Buffer,
    type: MediaType,
    deadline: number,
  ): Promise<Looked> {
    const key = `${appId} ${contentHash}`;
    const known = this.underWay.get(key);
    if (known === undefined) {
      const scoring = this.score(classifier, appId, contentHash, bytes, type, deadline).finally(() =>
        this.underWay.delete(key),
      );
      this.underWay.set(key, { scoring, deadline });
      return scoring;
    }
    const looked = await within(known.scoring, deadline);
    // It may have failed for lack of time: whoever has more goes on. A timer can be a moment early.
    const now = performance.now();
    const hasMoreTime = now < deadline && deadline > known.deadline && known.deadline <= now + 5;
    if (looked.kind === 'scored' || !hasMoreTime) return looked;
    const again = await this.scoreOnce(classifier, appId, contentHash, bytes, type, deadline);
    return again.kind === 'failed' ? looked : again;
  }

  private async score(
    classifier: Classifier,
    appId: string,
    contentHash: string,
    bytes: Buffer,
    type: MediaType,
    deadline: number,
  ): Promise<Looked> {
    const rememberedAs = type.container === undefined ? classifier.name : `${classifier.name} ${lookAtFrames}`;
    const remembered = await findMediaScores(this.store, contentHash, rememberedAs);
    if (remembered !== undefined) return { kind: 'scored', scores: remembered };
    if (!(await this.turnstile.enter(appId, left(deadline)))) return { kind: 'failed', reason: tooMany };
    let looked: Looked;
    try {
      looked = await this.scoreParts(classifier, bytes, type, deadline);
    } finally {
      this.turnstile.leave(appId);
    }
    if (looked.kind === 'scored')
      await this.store.change(saveMediaScores, { contentHash, classifier: rememberedAs, scores: looked.scores });
    return looked;
  }

  private async scoreParts(
    classifier: Classifier,
    bytes: Buffer,
    { kind, mimeType, container }: MediaType,
    deadline: number,
  ): Promise<Looked> {
    const parts: Looked[] = [];
    // A picture that moves may show something else where it is taken for a still one.
    if (kind === 'image') parts.push(await classifier.classify({ bytes, mimeType }, left(deadline)));
    if (container !== undefined) parts.push(await this.scoreFilm(classifier, bytes, container, deadline));
    return together(parts);
  }

  private async scoreFilm(classifier: Classifier, film: Buffer, container: string, deadline: number): Promise<Looked> {
    if (!(await this.frameTaker.isPresent())) return { kind: 'failed', reason: noFfmpeg };
    const taken = await this.frameTaker.take(film, container, left(deadline));
    if (taken.kind === 'failed') return taken;
    const parts: Looked[] = [];
    for (const frame of taken.frames) {
      const classified = await classifier.classify({ bytes: frame, mimeType: 'image/jpeg' }, left(deadline));
      parts.push(classified);
      if (classified.kind === 'failed') break;
    }
    if (taken.failure !== undefined) parts.push({ kind: 'failed', reason: taken.failure });
    return together(parts);
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

/** The worst of what was seen, and the first reason why something was not. */
function together(parts: readonly Looked[]): Looked {
  const seen = parts.flatMap((part) => (part.kind === 'failed' ? [] : [part.scores]));
  const [reason] = parts.flatMap((part) => (part.kind === 'scored' ? [] : [part.reason]));
  const scores = worstOf(seen);
  if (reason === undefined) return { kind: 'scored', scores };
  return seen.length === 0 ? { kind: 'failed', reason } : { kind: 'partly', scores, reason };
}

/** Answers in time, even if the other does not. */
async function within(scoring: Promise<Looked>, deadline: number): Promise<Looked> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Looked>((resolve) => {
    timer = setTimeout(resolve, left(deadline), { kind: 'failed', reason: 'The classifier did not answer in time.' });
  });
  try {
    return await Promise.race([scoring, late]);
  } finally {
    clearTimeout(timer);
  }
}

function left(deadline: number): number {
  return Math.max(1, Math.ceil(deadline - performance.now()));
}
