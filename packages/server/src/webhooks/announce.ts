import { randomBytes } from 'node:crypto';
import { enqueue } from '../outbox/jobs.ts';
import type { Tx } from '../store/store.ts';
import { toJob } from './delivery.ts';
import type { Trigger } from './triggers.ts';

export interface Announcement {
  appId: string;
  trigger: Trigger;
  /** JSON that may leave the house: never a secret. */
  data: Readonly<Record<string, unknown>>;
}

/**
 * Tells the app's endpoints of what the change does, in the transaction of the change itself: no event without its change,
 * no change without its event. Costs one indexed read when nobody listens. Where even that is too much (a message let
 * through changes nothing), ask `Endpoints.hasListener` first.
 */
export async function announce(tx: Tx, { appId, trigger, data }: Announcement): Promise<void> {
  const endpoints = await tx.all<{ id: string; triggers: string | null }>(
    'SELECT id, triggers FROM webhook_endpoints WHERE app_id = $1',
    [appId],
  );
  const listening = endpoints.filter((endpoint) => wants(endpoint.triggers, trigger));
  if (listening.length === 0) return;
  const eventId = newEventId(tx.now);
  await tx.run('INSERT INTO webhook_events (app_id, id, name, data, created_at) VALUES ($1, $2, $3, $4, $5)', [
    appId,
    eventId,
    trigger,
    JSON.stringify(data),
    tx.now,
  ]);
  await tx.insertMany(
    'webhook_deliveries',
    ['app_id', 'endpoint_id', 'event_id', 'name', 'status', 'tries', 'next_at', 'answers', 'created_at', 'updated_at'],
    listening.map(({ id }) => [appId, id, eventId, trigger, 'pending', 0, tx.now, '[]', tx.now, tx.now]),
  );
  await enqueue(
    tx,
    listening.map(({ id }) => toJob(appId, id, eventId)),
  );
}

/** No choice means everything. */
export function wants(chosen: string | null, trigger: Trigger): boolean {
  return chosen === null || (JSON.parse(chosen) as string[]).includes(trigger);
}

/** Sorts by time, so that a listing needs no second column. */
function newEventId(now: number): string {
  return `evt_${now.toString(36).padStart(9, '0')}${randomBytes(8).toString('hex')}`;
}
