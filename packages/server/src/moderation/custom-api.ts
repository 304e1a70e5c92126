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
const linesMax = 10_000;

export type CustomApiAnswer =
  | { kind: 'answered'; isMatchingCondition: boolean; confidence: number; reason: string | undefined }
  | { kind: 'failed'; reason: string };

interface Line {
  turnstile: Turnstile;
  breaker: Breaker;
  /** Somebody is finding out whether it is well again. */
  isProbed: boolean;
}

/** Asks the app's own service whether a message breaks a rule. Never throws, never takes longer than its time. */
export class CustomApi {
  private readonly settings: SettingsOfApps;
  private readonly outside: Outside;
  private readonly events: Events;
  private readonly concurrency: number;
  private readonly all: Turnstile;
  private readonly lines = new Map<string, Line>();

  constructor(settings: SettingsOfApps, outside: Outside, events: Events, options: { concurrency: number }) {
    this.settings = settings;
    this.outside = outside;
    this.events = events;
    this.concurrency = options.concurrency;
    this.all = new Turnstile(options.concurrency * appsAtOnce, 0);
  }

  async ask(request: Pick<EvidenceRequest, 'appId' | 'message' | 'context'>): Promise<CustomApiAnswer> {
    const { customApi } = await this.settings.of(request.appId);
    if (customApi === undefined)
      return failed('No custom API is configured. Set its address in the moderation settings.');
    const line = this.lineOf(request.appId);
    const { state } = line.breaker;
    if (state === 'open' || (state === 'halfOpen' && line.isProbed))
      return failed('The custom API failed too often and is left alone for a moment.');
    const isProbe = state === 'halfOpen';
    if (isProbe) line.isProbed = true;
    try {
      return await this.askInTurn(request, customApi, line);
    } finally {
      if (isProbe) line.isProbed = false;
    }
  }

  private async askInTurn(
    request: Pick<EvidenceRequest, 'appId' | 'message' | 'context'>,
    customApi: { url: string; sealed: string; contextMessages: number },
    line: Line,
  ): Promise<CustomApiAnswer> {
    const began = performance.now();
    if (!(await line.turnstile.enter(customApiTimeoutMs))) return failed('Too many messages wait for the custom API.');
    try {
      if (!(await this.all.enter(0))) return failed('Too many messages wait for custom APIs.');
      try {
        const context = await request.context(customApi.contextMessages);
        const body = toBody(request.message, context);
        const timeoutMs = customApiTimeoutMs - (performance.now() - began);
        if (timeoutMs < 1) return failed('Too many messages wait for the custom API.');
        const asked = await this.send(request.appId, customApi, body, Math.ceil(timeoutMs));
        return this.judge(asked, line, request.appId);
      } finally {
        this.all.leave();
      }
    } finally {
      line.turnstile.leave();
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

  private judge(asked: Asked, line: Line, appId: string): CustomApiAnswer {
    const answer = readAnswer(asked);
    this.events.asked('custom-api', asked.kind === 'answered' ? answer.kind : asked.kind, asked.ms);
    if (answer.kind === 'answered') line.breaker.success();
    else if (line.breaker.failure(asked.kind === 'answered' ? 1 : silenceWeight))
      this.events.alarm('custom api left alone', { appId });
    return answer;
  }

  private lineOf(appId: string): Line {
    const known = this.lines.get(appId);
    if (known !== undefined) return known;
    if (this.lines.size >= linesMax)
      for (const [key, { turnstile }] of this.lines) if (turnstile.isIdle) this.lines.delete(key);
    const line = {
      turnstile: new Turnstile(this.concurrency, this.concurrency * 4),
      breaker: new Breaker(systemClock),
      isProbed: false,
    };
    this.lines.set(appId, line);
    return line;
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
