import { parseRetryAfter } from '@gatehouse/courier';
import { audit } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import type { Events } from '../events.ts';
import { isoTime } from '../fields.ts';
import { backoffMs } from '../outbox/backoff.ts';
import { insist } from '../outbox/insist.ts';
import type { Job } from '../outbox/jobs.ts';
import { findPause, pauseLane, resumeLane } from '../outbox/lanes.ts';
import { complete, retry } from '../outbox/settle.ts';
import type { Keyring } from '../store/seal.ts';
import type { Store, Tx } from '../store/store.ts';
import { type DeliveryRow, deliveryColumns, forgetOldEvents, jobKind, laneOf, owedBy, type Try } from './delivery.ts';
import { type EndpointRow, placeOf } from './endpoint.ts';
import { findEndpoint, stopEndpoint } from './endpoints.ts';
import type { Asked, Outside } from './outside.ts';
import { signedHeaders } from './sign.ts';
import { testTrigger } from './triggers.ts';

export interface DeliveryOptions {
  region: string;
  /** The wait before the second try; each next one is longer, up to six hours. */
  firstRetryMs: number;
  /** An endpoint that took nothing for this long is paused. */
  pauseAfterMs: number;
  keepMs: number;
}

/** Two and a half days with the default wait. */
const triesMax = 18;
const longestWaitMs = 6 * 3_600_000;
const timeoutMs = 15_000;
const excerptLengthMax = 500;
/** Failures in a row after which the whole lane waits, instead of each event finding out by itself. */
const failuresToHold = 5;
const longestHoldMs = 15 * 60_000;
const forgottenPerStep = 500;
const forgetEveryMs = 10 * 60_000;

/** Brings events to endpoints. What came of a try is written together with the end of its job. */
export class Deliveries {
  private readonly store: Store;
  private readonly keyring: Keyring;
  private readonly outside: Outside;
  private readonly events: Events;
  private readonly options: DeliveryOptions;
  private forgetting: NodeJS.Timeout | undefined;

  constructor(store: Store, keyring: Keyring, outside: Outside, events: Events, options: DeliveryOptions) {
    this.store = store;
    this.keyring = keyring;
    this.outside = outside;
    this.events = events;
    this.options = options;
  }

  /** The handler of the outbox's `webhook` jobs. */
  async deliver(job: Job): Promise<void> {
    const { appId, endpointId, eventId } = owedBy(job);
    const endpoint = await findEndpoint(this.store, appId, endpointId);
    // By what is owed to it, and after the endpoint: another one may have the id by now, which is owed nothing of this.
    const event = await this.store.get<{ name: string; data: string }>(
      `SELECT e.name, e.data FROM webhook_deliveries d JOIN webhook_events e ON e.app_id = d.app_id AND e.id = d.event_id
       WHERE d.app_id = $1 AND d.endpoint_id = $2 AND d.event_id = $3`,
      [appId, endpointId, eventId],
    );
    const asked = endpoint && event && (await this.send(appId, endpoint, eventId, event.name, event.data));
    const settled = {
      job,
      ...(asked && {
        attempt: asked.attempt,
        ...(asked.retryAfterMs !== undefined && { retryAfterMs: asked.retryAfterMs }),
      }),
      options: this.options,
    };
    const outcome = await insist(
      () => this.store.change(settleDelivery, settled),
      (error) =>
        this.events.broken('what came of a delivery cannot be written', error, { appId, endpoint: endpointId }),
    );
    if (outcome === 'paused') this.events.alarm('webhook endpoint paused', { appId, endpoint: endpointId });
  }

  /** One request, now, with what the endpoint answered. Nothing is kept of it. */
  async testWebhook(appId: string, endpointId: string): Promise<Try> {
    const endpoint = await findEndpoint(this.store, appId, endpointId);
    if (endpoint === undefined) throw new ApiError('ERR_WEBHOOK_NOT_FOUND');
    const data = JSON.stringify({ message: 'This is a test. Your endpoint hears Gatehouse.' });
    return (await this.send(appId, endpoint, `test_${Date.now().toString(36)}`, testTrigger, data)).attempt;
  }

  startForgetting(): void {
    this.forgetting = setInterval(() => void this.forgetOld(), forgetEveryMs).unref();
  }

  stopForgetting(): void {
    clearInterval(this.forgetting);
  }

  /** Old events go in bounded steps, each a change of its own, so that nobody waits for them. */
  async forgetOld(): Promise<void> {
    const before = Date.now() - this.options.keepMs;
    try {
      while ((await this.store.change(forgetOldEvents, { before, max: forgottenPerStep })) === forgottenPerStep);
    } catch (error) {
      this.events.broken('old events cannot be forgotten', error);
    }
  }

  private async send(appId: string, endpoint: EndpointRow, eventId: string, trigger: string, data: string) {
    const now = Date.now();
    const secrets = this.secretsOf(appId, endpoint, now);
    if (secrets === undefined) {
      const error = 'The secret of the endpoint cannot be opened: its master key is not here. Rotate the secret.';
      return { attempt: { at: isoTime(now), ms: 0, error }, retryAfterMs: undefined };
    }
    // `data` is JSON already, as it was announced.
    const body = `{"trigger":${JSON.stringify(trigger)},"data":${data},"appId":"${appId}","region":${JSON.stringify(this.options.region)},"webhook":${JSON.stringify(endpoint.id)}}`;
    const asked = await this.outside.ask({
      url: endpoint.url,
      method: 'POST',
      headers: signedHeaders(secrets, eventId, body, now),
      body,
      timeoutMs,
      answerBytesMax: 4096,
      isStatusEnough: true,
    });
    this.events.asked('webhook', asked.kind === 'answered' ? String(asked.status) : asked.kind, asked.ms);
    const retryAfterMs = asked.kind === 'answered' ? parseRetryAfter(asked.retryAfter, now) : undefined;
    return { attempt: toTry(asked, now, secrets), retryAfterMs };
  }

  private secretsOf(appId: string, endpoint: EndpointRow, now: number): string[] | undefined {
    const { sealed, previous_sealed: previous, previous_until: until } = endpoint;
    const sealedTexts = previous !== null && until !== null && until > now ? [sealed, previous] : [sealed];
    try {
      return sealedTexts.map((text) => this.keyring.open(text, placeOf(appId, endpoint.id)));
    } catch (error) {
      this.events.broken('webhook secret cannot be opened', error, { appId, endpoint: endpoint.id });
      return undefined;
    }
  }
}

function toTry(asked: Asked, now: number, secrets: readonly string[]): Try {
  const common = { at: isoTime(now), ms: asked.ms };
  if (asked.kind !== 'answered') return { ...common, error: asked.reason };
  const excerpt = excerptOf(asked.body, secrets);
  return { ...common, status: asked.status, ...(excerpt !== '' && { excerpt }) };
}

/** What people need to see of an answer. A receiver that repeats its secret must not write it into our store. */
function excerptOf(body: Buffer, secrets: readonly string[]): string {
  let text = body.toString('utf8');
  for (const secret of secrets) text = text.replaceAll(secret.replace(/^whsec_/, ''), '[secret]');
  return text.slice(0, excerptLengthMax).replace(/\p{Cc}/gu, ' ');
}

export type SettledDelivery = 'gone' | 'delivered' | 'retry' | 'failed' | 'paused';

/** One transaction: the end of the job, the answer in the delivery, and how the endpoint fares. */
export async function settleDelivery(
  tx: Tx,
  { job, attempt, retryAfterMs, options }: { job: Job; attempt?: Try; retryAfterMs?: number; options: DeliveryOptions },
): Promise<SettledDelivery> {
  const { appId, endpointId, eventId } = owedBy(job);
  await tx.lock(`webhook:${appId}:${endpointId}`);
  const endpoint = await findEndpoint(tx, appId, endpointId);
  const delivery = await tx.get<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND event_id = $3`,
    [appId, endpointId, eventId],
  );
  if (attempt === undefined || endpoint === undefined || delivery === undefined) {
    await complete(tx, job);
    return 'gone';
  }
  const isDelivered = attempt.status !== undefined && attempt.status >= 200 && attempt.status < 300;
  const tries = delivery.tries + 1;
  const status = isDelivered ? 'delivered' : tries >= triesMax ? 'failed' : 'pending';
  const at = tx.now + Math.max(waitMs(tries, options.firstRetryMs), retryAfterMs ?? 0);
  const isOurs =
    status === 'pending'
      ? await retry(tx, { job, at, error: attempt.error ?? `HTTP ${attempt.status}` })
      : await complete(tx, job);
  // Another worker has the job by now, and writes what comes of it.
  if (!isOurs) return 'gone';
  const answers = [...(JSON.parse(delivery.answers) as Try[]), attempt].slice(-triesMax);
  await tx.run(
    `UPDATE webhook_deliveries SET status = $4, tries = $5, next_at = $6, answers = $7, updated_at = $8
     WHERE app_id = $1 AND endpoint_id = $2 AND event_id = $3`,
    [appId, endpointId, eventId, status, tries, status === 'pending' ? at : null, JSON.stringify(answers), tx.now],
  );
  if (isDelivered) {
    await markWell(tx, appId, endpoint);
    return 'delivered';
  }
  if (await markFailing(tx, appId, endpoint, attempt, options)) return 'paused';
  return status === 'failed' ? 'failed' : 'retry';
}

/** Three times as long each time, never at the same moment as everybody else. */
function waitMs(tries: number, firstMs: number): number {
  return Math.round(Math.min(longestWaitMs, firstMs * 3 ** (tries - 1)) * (0.75 + Math.random() / 2));
}

async function markWell(tx: Tx, appId: string, endpoint: EndpointRow): Promise<void> {
  if (endpoint.failing_since === null) return;
  await tx.run('UPDATE webhook_endpoints SET failing_since = NULL, failures = 0 WHERE app_id = $1 AND id = $2', [
    appId,
    endpoint.id,
  ]);
  if (endpoint.status === 'active') await resumeLane(tx, { kind: jobKind, lane: laneOf(appId, endpoint.id) });
}

/**
 * Answers whether the endpoint was paused for it. Many are under way at once: those that began before the endpoint was
 * changed or held say nothing new of it.
 */
async function markFailing(
  tx: Tx,
  appId: string,
  endpoint: EndpointRow,
  attempt: Try,
  options: DeliveryOptions,
): Promise<boolean> {
  const began = Date.parse(attempt.at);
  if (began < endpoint.updated_at) return false;
  const place = { kind: jobKind, lane: laneOf(appId, endpoint.id) };
  const isGone = attempt.status === 410;
  const hold = endpoint.failures >= failuresToHold ? await findPause(tx, place) : undefined;
  if (hold !== undefined && began < hold.until && !isGone) return false;
  const failures = endpoint.failures + 1;
  const since = endpoint.failing_since ?? tx.now;
  await tx.run('UPDATE webhook_endpoints SET failing_since = $3, failures = $4 WHERE app_id = $1 AND id = $2', [
    appId,
    endpoint.id,
    since,
    failures,
  ]);
  if (endpoint.status === 'paused') return false;
  if (isGone || (failures >= failuresToHold && tx.now - since >= options.pauseAfterMs)) {
    const reason = isGone
      ? 'The endpoint answered 410: it is gone.'
      : `The endpoint took nothing since ${isoTime(since)}.`;
    await stopEndpoint(tx, appId, endpoint.id, reason);
    await audit(tx, { appId, actor: 'gatehouse', action: 'pauseWebhook', target: endpoint.id, after: { reason } });
    return true;
  }
  if (failures >= failuresToHold) {
    const until = tx.now + backoffMs(failures - failuresToHold + 1, options.firstRetryMs, longestHoldMs);
    await pauseLane(tx, { ...place, appId, reason: 'The endpoint fails.', until });
  }
  return false;
}
