import { Type } from '#typebox';
import { audit, type By } from '../apps/audit.ts';
import { ApiError } from '../errors.ts';
import { isoTime } from '../fields.ts';
import { enqueue, hasten, type Job, type NewJob } from '../outbox/jobs.ts';
import { endRest } from '../outbox/lanes.ts';
import { cancelGroup } from '../outbox/settle.ts';
import type { Tx } from '../store/store.ts';

/** What is owed to one endpoint for one event, and every answer it gave so far. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed';

/** One try. The excerpt is what the other side said, shortened; the error is ours. */
export interface Try {
  at: string;
  ms: number;
  status?: number;
  excerpt?: string;
  error?: string;
}

const oneTry = Type.Object({
  at: Type.String(),
  ms: Type.Integer(),
  status: Type.Optional(Type.Integer()),
  excerpt: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
});

export const deliveryAnswer = Type.Object({
  eventId: Type.String(),
  trigger: Type.String(),
  status: Type.String(),
  tries: Type.Integer(),
  answers: Type.Array(oneTry),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  nextTryAt: Type.Optional(Type.String()),
});

export type DeliveryRow = {
  event_id: string;
  name: string;
  status: DeliveryStatus;
  tries: number;
  next_at: number | null;
  answers: string;
  created_at: number;
  updated_at: number;
};
export const deliveryColumns = 'event_id, name, status, tries, next_at, answers, created_at, updated_at';

export function toDelivery(row: DeliveryRow) {
  return {
    eventId: row.event_id,
    trigger: row.name,
    status: row.status,
    tries: row.tries,
    answers: JSON.parse(row.answers) as Try[],
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ...(row.next_at !== null && { nextTryAt: isoTime(row.next_at) }),
  };
}

export const jobKind = 'webhook';

/** A lane an endpoint: one that is slow or gone holds up nobody else. */
export function laneOf(appId: string, endpointId: string): string {
  return `${appId}/${endpointId}`;
}

/** Jobs of an event go when the event goes. */
function groupOf(appId: string, eventId: string): string {
  return `webhook/${appId}/${eventId}`;
}

export function toJob(appId: string, endpointId: string, eventId: string): NewJob {
  return {
    kind: jobKind,
    lane: laneOf(appId, endpointId),
    appId,
    group: groupOf(appId, eventId),
    payload: JSON.stringify({ endpointId, eventId }),
  };
}

export function owedBy(job: Job): { appId: string; endpointId: string; eventId: string } {
  const { endpointId, eventId } = JSON.parse(job.payload) as { endpointId: string; eventId: string };
  return { appId: job.appId, endpointId, eventId };
}

/** Sends a delivery that ended once more, from the first try. One that waits for its next try goes now, though its endpoint rests. */
export async function redeliverWebhook(
  tx: Tx,
  { appId, endpointId, eventId, actor }: By & { appId: string; endpointId: string; eventId: string },
): Promise<void> {
  await tx.lock(`webhook:${appId}:${endpointId}`);
  const row = await tx.get<{ status: DeliveryStatus }>(
    'SELECT status FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND event_id = $3',
    [appId, endpointId, eventId],
  );
  if (row === undefined) throw new ApiError('ERR_DELIVERY_NOT_FOUND');
  const isPending = row.status === 'pending';
  await tx.run(
    `UPDATE webhook_deliveries SET status = 'pending', ${isPending ? '' : 'tries = 0, '}next_at = $4, updated_at = $4
     WHERE app_id = $1 AND endpoint_id = $2 AND event_id = $3`,
    [appId, endpointId, eventId, tx.now],
  );
  const place = { kind: jobKind, lane: laneOf(appId, endpointId) };
  if (isPending) await hasten(tx, { ...place, group: groupOf(appId, eventId) });
  else await enqueue(tx, [toJob(appId, endpointId, eventId)]);
  await endRest(tx, place);
  await audit(tx, { appId, actor, action: 'redeliverWebhook', target: endpointId, after: { eventId } });
}

/** Forgets events of old, with what was owed for them, in a bounded step. Answers how many, so that the caller goes on until none is left. */
export async function forgetOldEvents(tx: Tx, { before, max }: { before: number; max: number }): Promise<number> {
  const old = await tx.all<{ app_id: string; id: string }>(
    'SELECT app_id, id FROM webhook_events WHERE created_at < $1 ORDER BY created_at LIMIT $2',
    [before, max],
  );
  for (const { app_id, id } of old) {
    await cancelGroup(tx, groupOf(app_id, id));
    await tx.run('DELETE FROM webhook_events WHERE app_id = $1 AND id = $2', [app_id, id]);
  }
  return old.length;
}
