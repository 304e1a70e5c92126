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
export async function announce(tx: Tx, ...announcements: readonly Announcement[]): Promise<void> {
  const listeners = await listenersOf(tx, announcements);
  const told = announcements
    .map((announcement) => {
      const endpoints = listeners.filter(
        ({ app_id, triggers }) => app_id === announcement.appId && wants(triggers, announcement.trigger),
      );
      return { ...announcement, endpoints };
    })
    .filter(({ endpoints }) => endpoints.length > 0)
    .map((announcement) => ({ ...announcement, eventId: newEventId(tx.now) }));
  if (told.length === 0) return;
  await tx.insertMany(
    'webhook_events',
    ['app_id', 'id', 'name', 'data', 'created_at'],
    told.map(({ appId, eventId, trigger, data }) => [appId, eventId, trigger, JSON.stringify(data), tx.now]),
  );
  const deliveries = told.flatMap(({ endpoints, ...event }) =>
    endpoints.map(({ id }) => ({ ...event, endpointId: id })),
  );
  await tx.insertMany(
    'webhook_deliveries',
    ['app_id', 'endpoint_id', 'event_id', 'name', 'status', 'tries', 'next_at', 'answers', 'created_at', 'updated_at'],
    deliveries.map(({ appId, endpointId, eventId, trigger }) => [
      appId,
      endpointId,
      eventId,
      trigger,
      'pending',
      0,
      tx.now,
      '[]',
      tx.now,
      tx.now,
    ]),
  );
  await enqueue(
    tx,
    deliveries.map(({ appId, endpointId, eventId }) => toJob(appId, endpointId, eventId)),
  );
}

type Listener = { app_id: string; id: string; triggers: string | null };

function listenersOf(tx: Tx, announcements: readonly Announcement[]): Promise<Listener[]> {
  const apps = new Set(announcements.map(({ appId }) => appId));
  return tx.each<Listener>(
    ['app'],
    [...apps].map((appId) => [appId]),
    'SELECT w.app_id, w.id, w.triggers FROM given CROSS JOIN webhook_endpoints w WHERE w.app_id = given.app',
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
