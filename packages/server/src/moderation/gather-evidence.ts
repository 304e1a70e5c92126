import type { MediaScore, OutsideCondition, OutsideHit } from '@gatehouse/judge';
import type { Events } from '../events.ts';
import type { CustomApi } from './custom-api.ts';
import type { Evidence, EvidenceFailure, EvidenceFound, EvidenceRequest, MediaKind } from './evidence.ts';
import type { Media } from './media.ts';
import { claimedMedia } from './media-claims.ts';
import type { OnError, SettingsOfApps } from './settings.ts';

type Failure = Omit<EvidenceFailure, 'onError'>;
type Part = Omit<EvidenceFound, 'failures'> & { failures: readonly Failure[] };

const nothing: Part = { image: [], video: [], outside: [], failures: [] };

/** Asks the world what judging a message needs: the app's own service, and the classifiers of pictures and films. */
export class GatheredEvidence implements Evidence {
  private readonly settings: SettingsOfApps;
  private readonly customApi: CustomApi;
  private readonly media: Media;
  private readonly events: Events;

  constructor(settings: SettingsOfApps, customApi: CustomApi, media: Media, events: Events) {
    this.settings = settings;
    this.customApi = customApi;
    this.media = media;
    this.events = events;
  }

  async gather(request: EvidenceRequest): Promise<EvidenceFound> {
    const [decided, seen, onError] = await Promise.all([
      this.safely(
        () => this.decide(request),
        () => request.outside.map(toFailure('Something went wrong here.')),
      ),
      this.safely(
        () => this.look(request),
        () => request.media.map((what) => ({ what, reason: 'Something went wrong here.' })),
      ),
      this.onErrorOf(request.appId),
    ]);
    const failures = [...decided.failures, ...seen.failures].map((failure) => ({ ...failure, onError }));
    return { image: seen.image, video: seen.video, outside: decided.outside, failures };
  }

  /** A fault of ours is a failure like any other: the message goes where the app's setting says. */
  private async safely(act: () => Promise<Part>, failures: () => Failure[]): Promise<Part> {
    try {
      return await act();
    } catch (error) {
      this.events.broken('evidence cannot be gathered', error);
      return { ...nothing, failures: failures() };
    }
  }

  private async onErrorOf(appId: string): Promise<OnError> {
    try {
      return (await this.settings.of(appId)).onError;
    } catch (error) {
      this.events.broken('moderation settings cannot be read', error);
      return 'approve-message';
    }
  }

  /** Asked once a message, however many conditions want to know. */
  private async decide(request: EvidenceRequest): Promise<Part> {
    const asking = request.outside.filter(({ category }) => category === 'custom-api');
    const others = request.outside.filter(({ category }) => category !== 'custom-api');
    const unknown = others.map((condition) => toFailure(`${condition.category} is not configured.`)(condition));
    if (asking.length === 0) return { ...nothing, failures: unknown };
    const answer = await this.customApi.ask(request);
    if (answer.kind === 'failed')
      return { ...nothing, failures: [...unknown, ...asking.map(toFailure(answer.reason))] };
    const { isMatchingCondition, confidence, reason } = answer;
    const outside = asking
      .filter(({ value }) => isMatchingCondition && confidence * 100 > thresholdOf(value))
      .map(({ ruleId, conditionId }): OutsideHit => ({ ruleId, conditionId, ...(reason !== undefined && { reason }) }));
    return { ...nothing, outside, failures: unknown };
  }

  private async look({ appId, message, media }: EvidenceRequest): Promise<Part> {
    const wanted = claimedMedia(message, media);
    if (wanted.length === 0) return nothing;
    const found: Record<MediaKind, MediaScore[]> = { image: [], video: [] };
    const failures: Failure[] = [];
    for (const seen of await this.media.look({ appId, sender: message.sender }, wanted)) {
      const { kind, alsoClaimed, url } = seen.medium;
      for (const what of [kind, ...alsoClaimed]) {
        if (seen.failure !== undefined)
          failures.push({ what, ...(url !== undefined && { url }), reason: seen.failure });
        if ('score' in seen) found[what].push(seen.score);
      }
      // A film that says it is a picture is judged as both.
      if ('score' in seen && kind !== seen.actualKind && !alsoClaimed.includes(seen.actualKind))
        found[seen.actualKind].push(seen.score);
    }
    return { ...nothing, ...found, failures };
  }
}

/** `<anything>_greaterThan_<0 to 100>` asks for more confidence than that; any other value for none in particular. */
function thresholdOf(value: readonly string[]): number {
  const thresholds = value.map((entry) => Number(/(?:^|_)greaterThan_(\d+(?:\.\d+)?)$/.exec(entry)?.[1]));
  const known = thresholds.filter((threshold) => !Number.isNaN(threshold));
  return known.length === 0 ? -1 : Math.min(...known);
}

function toFailure(reason: string) {
  return ({ category, ruleId, conditionId }: OutsideCondition): Failure => ({
    what: category === 'toxicity' || category === 'sentence-similarity' ? category : 'custom-api',
    ruleId,
    conditionId,
    reason,
  });
}
