import { randomUUID } from 'node:crypto';
import { Breaker, systemClock } from '@gatehouse/courier';
import type { Events } from '../events.ts';
import type { Asked, Outside } from '../webhooks/outside.ts';
import { signedHeaders } from '../webhooks/sign.ts';
import type { EvidenceRequest } from './evidence.ts';
import type { SettingsOfApps } from './settings.ts';
import { Turnstile } from './turnstile.ts';

/** For everything together: the wait for a free place, the connection, the last byte. */
export const customApiTimeoutMs = 2000;
const answerBytesMax = 65_536;
const reasonLengthMax = 500;
/** Of all apps together, in multiples of what one may have. */
const appsAtOnce = 16;
/** A connection that cannot be made or an answer that does not come says more than a wrong answer. */
const silenceWeight = 4;
const healthsMax = 10_000;

export type CustomApiAnswer =
  | { kind: 'answered'; isMatchingCondition: boolean; confidence: number; reason: string | undefined }
  | { kind: 'failed'; reason: string };

interface Health {
  breaker: Breaker;
  /** Somebody is finding out whether it is well again. */
  isProbed: boolean;
}

/** Asks the app's own service whether a message breaks a rule. Never throws, never takes longer than its time. */
export class CustomApi {
  private readonly settings: SettingsOfApps;
  private readonly outside: Outside;
  private readonly events: Events;
  private readonly turnstile: Turnstile;
  private readonly healths = new Map<string, Health>();

  constructor(settings: SettingsOfApps, outside: Outside, events: Events, options: { concurrency: number }) {
    this.settings = settings;
    this.outside = outside;
    this.events = events;
    this.turnstile = new Turnstile({
      insideMax: options.concurrency * appsAtOnce,
      insidePerApp: options.concurrency,
      waitingPerApp: options.concurrency * 4,
    });
  }

  async ask(request: Pick<EvidenceRequest, 'appId' | 'message' | 'context'>): Promise<CustomApiAnswer> {
    const { customApi } = await this.settings.of(request.appId);
    if (customApi === undefined)
      return failed('No custom API is configured. Set its address in the moderation settings.');
    const health = this.healthOf(request.appId);
    const { state } = health.breaker;
    if (state === 'open' || (state === 'halfOpen' && health.isProbed))
      return failed('The custom API failed too often and is left alone for a moment.');
    const isProbe = state === 'halfOpen';
    if (isProbe) health.isProbed = true;
    try {
      return await this.askInTurn(request, customApi, health);
    } finally {
      if (isProbe) health.isProbed = false;
    }
  }

  private async askInTurn(
    request: Pick<EvidenceRequest, 'appId' | 'message' | 'context'>,
    customApi: { url: string; sealed: string; contextMessages: number },
    health: Health,
  ): Promise<CustomApiAnswer> {
    const began = performance.now();
    const { appId, message } = request;
    const tooMany = failed('Too many messages wait for the custom API.');
    if (!(await this.turnstile.enter(appId, customApiTimeoutMs))) return tooMany;
    try {
      const body = toBody(message, await request.context(customApi.contextMessages));
      const timeoutMs = Math.ceil(customApiTimeoutMs - (performance.now() - began));
      if (timeoutMs < 1) return tooMany;
      return this.judge(await this.send(appId, customApi, body, timeoutMs), health, appId);
    } finally {
      this.turnstile.leave(appId);
    }
  }

  private send(appId: string, customApi: { url: string; sealed: string }, body: string, timeoutMs: number) {
    const secret = this.settings.secretOf(appId, customApi);
    return this.outside.ask({
      url: customApi.url,
      method: 'POST',
      headers: { accept: 'application/json', ...signedHeaders([secret], `msg_${randomUUID()}`, body, Date.now()) },
      body,
      timeoutMs,
      answerBytesMax,
    });
  }

  private judge(asked: Asked, health: Health, appId: string): CustomApiAnswer {
    const answer = readAnswer(asked);
    this.events.asked('custom-api', asked.kind === 'answered' ? answer.kind : asked.kind, asked.ms);
    if (answer.kind === 'answered') health.breaker.success();
    else if (health.breaker.failure(asked.kind === 'answered' ? 1 : silenceWeight))
      this.events.alarm('custom api left alone', { appId });
    return answer;
  }

  private healthOf(appId: string): Health {
    const known = this.healths.get(appId);
    if (known !== undefined) return known;
    // Forgetting a service that is well costs nothing.
    if (this.healths.size >= healthsMax)
      for (const [key, { breaker, isProbed }] of this.healths)
        if (breaker.state === 'closed' && !isProbed) this.healths.delete(key);
    const health = { breaker: new Breaker(systemClock), isProbed: false };
    this.healths.set(appId, health);
    return health;
  }
}

/** Earlier messages as text, the one in question whole. */
function toBody(message: EvidenceRequest['message'], context: readonly { uid: string; text: string }[]): string {
  return JSON.stringify({
    contextMessages: [...context.map(({ uid, text }) => ({ [uid]: text })), { [message.sender]: message }],
  });
}

function readAnswer(asked: Asked): CustomApiAnswer {
  if (asked.kind !== 'answered') return failed(asked.reason);
  if (asked.status !== 200) return failed(`The custom API answered ${asked.status}, not 200.`);
  if (asked.isCut) return failed(`The custom API answered more than ${answerBytesMax} bytes.`);
  const answer = parse(asked.body.toString('utf8'));
  const confidence = answer?.confidence;
  if (
    typeof answer?.isMatchingCondition !== 'boolean' ||
    typeof confidence !== 'number' ||
    !(confidence >= 0 && confidence <= 1)
  )
    return failed('The custom API did not answer {isMatchingCondition: boolean, confidence: 0 to 1}.');
  const { isMatchingCondition, reason } = answer;
  return {
    kind: 'answered',
    isMatchingCondition,
    confidence,
    reason: typeof reason === 'string' ? oneLine(reason) : undefined,
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function oneLine(text: string): string {
  return text
    .slice(0, reasonLengthMax)
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
}

function failed(reason: string): CustomApiAnswer {
  return { kind: 'failed', reason };
}
