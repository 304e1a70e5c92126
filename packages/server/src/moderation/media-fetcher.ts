import type { Events } from '../events.ts';
import type { Outside } from '../webhooks/outside.ts';
import { Turnstile } from './turnstile.ts';

export interface MediaFetcherOptions {
  bytesMax: number;
  /** How long a host may take to begin its answer. */
  firstByteMs: number;
  /** Attachments in memory or on their way there, of everybody together. */
  places: number;
}

/** Who wants an attachment. */
export interface Asker {
  appId: string;
  sender: string;
}

export type Fetched = { bytes: Buffer } | { failure: string };

const redirectsMax = 3;
/** The shares of the places that one may have: an app leaves some to others, and within it a host and a sender do. */
const shareOfApp = 3 / 4;
const shareOfHost = 3 / 8;
const shareOfSender = 1 / 4;

/** Fetches attachments through the guard. Neither a slow host nor one who sends many can keep the others' from being seen. */
export class MediaFetcher {
  private readonly outside: Outside;
  private readonly events: Events;
  private readonly options: MediaFetcherOptions;
  private readonly apps: Turnstile;
  private readonly hosts: Turnstile;
  private readonly senders: Turnstile;

  constructor(outside: Outside, events: Events, options: MediaFetcherOptions) {
    this.outside = outside;
    this.events = events;
    this.options = options;
    const { places } = options;
    const line = (share: number, insideMax: number): Turnstile =>
      new Turnstile({
        insideMax,
        insidePerApp: Math.max(1, Math.floor(places * share)),
        waitingPerApp: places * 16,
      });
    this.apps = line(shareOfApp, places);
    this.hosts = line(shareOfHost, Number.POSITIVE_INFINITY);
    this.senders = line(shareOfSender, Number.POSITIVE_INFINITY);
  }

  /** A place is held until `use` is done, since the bytes are in memory until then. Undefined when none was free in time. */
  async fetch<T>(
    { appId, sender }: Asker,
    url: string,
    left: () => number,
    use: (fetched: Fetched) => Promise<T>,
  ): Promise<T | undefined> {
    const host = URL.canParse(url) ? new URL(url).host : '';
    const doors: [Turnstile, string][] = [
      [this.senders, `${appId} ${sender}`],
      [this.hosts, `${appId} ${host}`],
      [this.apps, appId],
    ];
    const entered: [Turnstile, string][] = [];
    try {
      for (const door of doors) {
        const [turnstile, key] = door;
        if (!(await turnstile.enter(key, left()))) return undefined;
        entered.unshift(door);
      }
      return await use(await this.get(url, left()));
    } finally {
      for (const [turnstile, key] of entered) turnstile.leave(key);
    }
  }

  private async get(url: string, timeoutMs: number): Promise<Fetched> {
    const { bytesMax, firstByteMs } = this.options;
    const asked = await this.outside.ask({
      url,
      method: 'GET',
      timeoutMs,
      firstByteMs,
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
}
