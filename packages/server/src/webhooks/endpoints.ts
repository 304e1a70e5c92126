import { randomBytes } from 'node:crypto';
import { audit, type By } from '../apps/audit.ts';
import { ApiError, badField } from '../errors.ts';
import { pauseLane, resumeLane } from '../outbox/lanes.ts';
import { decodeCursor, page } from '../paging.ts';
import { Cache } from '../store/cache.ts';
import type { Keyring } from '../store/seal.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { wants } from './announce.ts';
import {
  type DeliveryRow,
  type DeliveryStatus,
  deliveryColumns,
  jobKind,
  laneOf,
  redeliverWebhook,
  toDelivery,
} from './delivery.ts';
import {
  type Endpoint,
  type EndpointChange,
  type EndpointRequest,
  type EndpointRow,
  endpointColumns,
  placeOf,
  toEndpoint,
} from './endpoint.ts';
import type { Outside } from './outside.ts';
import { newSecret } from './sign.ts';
import { type Trigger, triggerNames } from './triggers.ts';

type Target = By & { appId: string };
type Aimed = Target & { id: string };

/** The addresses that an app wants to be told at. */
export class Endpoints {
  private readonly store: Store;
  private readonly keyring: Keyring;
  private readonly outside: Outside;
  private readonly endpointsMax: number;
  /** Every trigger that some endpoint of the app wants. */
  private readonly heard: Cache<ReadonlySet<Trigger>>;

  constructor(store: Store, keyring: Keyring, outside: Outside, options: { endpointsMax: number }) {
    this.store = store;
    this.keyring = keyring;
    this.outside = outside;
    this.endpointsMax = options.endpointsMax;
    this.heard = new Cache(store, 'webhooks', (appId) => readHeard(store, appId));
  }

  /** Without a promise when it is remembered: asked for every message that is let through. */
  hasListener(appId: string, trigger: Trigger): boolean | Promise<boolean> {
    const heard = this.heard.get(appId);
    return heard instanceof Promise
      ? heard.then((known) => known?.has(trigger) === true)
      : heard?.has(trigger) === true;
  }

  async listWebhooks(appId: string): Promise<Endpoint[]> {
    return (await readEndpoints(this.store, appId)).map((row) => toEndpoint(row, Date.now()));
  }

  async getWebhook(appId: string, id: string): Promise<Endpoint> {
    return toEndpoint(await this.find(appId, id), Date.now());
  }

  async createWebhook(target: Target, request: EndpointRequest): Promise<Endpoint & { secret: string }> {
    this.checkUrl(request.url);
    const id = request.id ?? `webhook-${randomBytes(4).toString('hex')}`;
    const secret = newSecret();
    const sealed = this.keyring.seal(secret, placeOf(target.appId, id));
    const row = await this.store.change(createWebhook, {
      ...target,
      ...request,
      id,
      sealed,
      endpointsMax: this.endpointsMax,
    });
    return { ...toEndpoint(row, Date.now()), secret };
  }

  async changeWebhook(target: Target, id: string, change: EndpointChange): Promise<Endpoint> {
    if (change.url !== undefined) this.checkUrl(change.url);
    return toEndpoint(await this.store.change(changeWebhook, { ...target, id, change }), Date.now());
  }

  deleteWebhook(target: Target, id: string): Promise<void> {
    return this.store.change(deleteWebhook, { ...target, id });
  }

  async rotateWebhookSecret(target: Target, id: string, overlapHours: number): Promise<Endpoint & { secret: string }> {
    const secret = newSecret();
    const sealed = this.keyring.seal(secret, placeOf(target.appId, id));
    const row = await this.store.change(rotateWebhookSecret, {
      ...target,
      id,
      sealed,
      overlapMs: overlapHours * 3_600_000,
    });
    return { ...toEndpoint(row, Date.now()), secret };
  }

  async pauseWebhook(target: Target, id: string): Promise<Endpoint> {
    return toEndpoint(await this.store.change(pauseWebhook, { ...target, id }), Date.now());
  }

  async resumeWebhook(target: Target, id: string): Promise<Endpoint> {
    return toEndpoint(await this.store.change(resumeWebhook, { ...target, id }), Date.now());
  }

  async listDeliveries(appId: string, id: string, status: DeliveryStatus | undefined, limit: number, cursor?: string) {
    await this.find(appId, id);
    // The newest first; nothing sorts after "~".
    const [before] = cursor === undefined ? ['~'] : decodeCursor(cursor, ['string']);
    const rows =
      status === undefined
        ? await this.store.all<DeliveryRow>(
            `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND event_id < $3
             ORDER BY event_id DESC LIMIT $4`,
            [appId, id, before, limit + 1],
          )
        : await this.store.all<DeliveryRow>(
            `SELECT ${deliveryColumns} FROM webhook_deliveries WHERE app_id = $1 AND endpoint_id = $2 AND event_id < $3 AND status = $5
             ORDER BY event_id DESC LIMIT $4`,
            [appId, id, before, limit + 1, status],
          );
    return page(rows.map(toDelivery), limit, ({ eventId }) => [eventId]);
  }

  async redeliver(target: Target, id: string, eventId: string): Promise<void> {
    await this.find(target.appId, id);
    await this.store.change(redeliverWebhook, { ...target, endpointId: id, eventId });
  }

  private async find(appId: string, id: string): Promise<EndpointRow> {
    const row = await findEndpoint(this.store, appId, id);
    if (row === undefined) throw new ApiError('ERR_WEBHOOK_NOT_FOUND');
    return row;
  }

  private checkUrl(url: string): void {
    const why = this.outside.whyNot(url);
    if (why !== undefined) throw badField('url', why);
  }
}

export async function createWebhook(
  tx: Tx,
  input: Aimed & {
    url: string;
    description?: string;
    triggers?: Trigger[] | null;
    sealed: string;
    endpointsMax: number;
  },
): Promise<EndpointRow> {
  const { appId, id } = input;
  await tx.lock(`webhooks:${appId}`);
  const existing = await readEndpoints(tx, appId);
  if (existing.some((row) => row.id === id)) throw new ApiError('ERR_WEBHOOK_ALREADY_EXISTS');
  if (existing.length >= input.endpointsMax) throw new ApiError('ERR_WEBHOOK_LIMIT_REACHED');
  await tx.run(
    `INSERT INTO webhook_endpoints (app_id, id, url, description, triggers, sealed, status, failures, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'active', 0, $7, $7)`,
    [appId, id, input.url, input.description ?? '', chosenText(input.triggers ?? null), input.sealed, tx.now],
  );
  return audited(tx, input, 'createWebhook', undefined);
}

export async function changeWebhook(tx: Tx, input: Aimed & { change: EndpointChange }): Promise<EndpointRow> {
  const { appId, id, change } = input;
  const before = await lockEndpoint(tx, input);
  await tx.run(
    'UPDATE webhook_endpoints SET url = $3, description = $4, triggers = $5, updated_at = $6 WHERE app_id = $1 AND id = $2',
    [
      appId,
      id,
      change.url ?? before.url,
      change.description ?? before.description,
      change.triggers === undefined ? before.triggers : chosenText(change.triggers),
      tx.now,
    ],
  );
  if (change.url !== undefined && change.url !== before.url) await forgetFailures(tx, input, before);
  return audited(tx, input, 'changeWebhook', before);
}

/** Another address did not fail yet: nothing waits because of the old one. One that is paused stays so until it is resumed. */
async function forgetFailures(tx: Tx, { appId, id }: Aimed, { status }: EndpointRow): Promise<void> {
  await tx.run('UPDATE webhook_endpoints SET failing_since = NULL, failures = 0 WHERE app_id = $1 AND id = $2', [
    appId,
    id,
  ]);
  if (status === 'active') await resumeLane(tx, { kind: jobKind, lane: laneOf(appId, id) });
}

/** What waits in its lane finds nothing to do and goes. */
export async function deleteWebhook(tx: Tx, input: Aimed): Promise<void> {
  const before = await lockEndpoint(tx, input);
  await tx.run('DELETE FROM webhook_endpoints WHERE app_id = $1 AND id = $2', [input.appId, input.id]);
  await resumeLane(tx, { kind: jobKind, lane: laneOf(input.appId, input.id) });
  await audit(tx, {
    appId: input.appId,
    actor: input.actor,
    action: 'deleteWebhook',
    target: input.id,
    before: toEndpoint(before, tx.now),
  });
  tx.touch(`webhooks:${input.appId}`);
}

export async function rotateWebhookSecret(
  tx: Tx,
  input: Aimed & { sealed: string; overlapMs: number },
): Promise<EndpointRow> {
  const before = await lockEndpoint(tx, input);
  await tx.run(
    'UPDATE webhook_endpoints SET sealed = $3, previous_sealed = $4, previous_until = $5, updated_at = $6 WHERE app_id = $1 AND id = $2',
    [input.appId, input.id, input.sealed, before.sealed, tx.now + input.overlapMs, tx.now],
  );
  return audited(tx, input, 'rotateWebhookSecret', before);
}

/** What happens meanwhile is kept, as long as events are, and sent after `resumeWebhook`. */
export async function pauseWebhook(tx: Tx, input: Aimed): Promise<EndpointRow> {
  const before = await lockEndpoint(tx, input);
  if (before.status === 'paused') return before;
  await stopEndpoint(tx, input.appId, input.id, `Paused by ${input.actor}.`);
  return audited(tx, input, 'pauseWebhook', before);
}

/** Part of a change: the endpoint is sent nothing until somebody resumes it. */
export async function stopEndpoint(tx: Tx, appId: string, id: string, reason: string): Promise<void> {
  await tx.run(
    "UPDATE webhook_endpoints SET status = 'paused', paused_reason = $3, updated_at = $4 WHERE app_id = $1 AND id = $2",
    [appId, id, reason, tx.now],
  );
  await pauseLane(tx, { kind: jobKind, lane: laneOf(appId, id), appId, reason });
  tx.touch(`webhooks:${appId}`);
}

export async function resumeWebhook(tx: Tx, input: Aimed): Promise<EndpointRow> {
  const before = await lockEndpoint(tx, input);
  await tx.run(
    `UPDATE webhook_endpoints SET status = 'active', paused_reason = NULL, failing_since = NULL, failures = 0, updated_at = $3
     WHERE app_id = $1 AND id = $2`,
    [input.appId, input.id, tx.now],
  );
  await resumeLane(tx, { kind: jobKind, lane: laneOf(input.appId, input.id) });
  return audited(tx, input, 'resumeWebhook', before);
}

export async function findEndpoint(store: Reader, appId: string, id: string): Promise<EndpointRow | undefined> {
  return store.get<EndpointRow>(`SELECT ${endpointColumns} FROM webhook_endpoints WHERE app_id = $1 AND id = $2`, [
    appId,
    id,
  ]);
}

function readEndpoints(store: Reader, appId: string): Promise<EndpointRow[]> {
  return store.all<EndpointRow>(
    `SELECT ${endpointColumns} FROM webhook_endpoints WHERE app_id = $1 ORDER BY created_at, id`,
    [appId],
  );
}

async function readHeard(store: Reader, appId: string): Promise<ReadonlySet<Trigger>> {
  const endpoints = await readEndpoints(store, appId);
  return new Set(triggerNames.filter((name) => endpoints.some(({ triggers }) => wants(triggers, name))));
}

/** Against other changes of the app's endpoints, and against deliveries that are being settled by what they read of this one. */
async function lockEndpoint(tx: Tx, { appId, id }: Aimed): Promise<EndpointRow> {
  await tx.lock(`webhooks:${appId}`, `webhook:${appId}:${id}`);
  const row = await findEndpoint(tx, appId, id);
  if (row === undefined) throw new ApiError('ERR_WEBHOOK_NOT_FOUND');
  return row;
}

async function audited(
  tx: Tx,
  { appId, id, actor }: Aimed,
  action: string,
  before: EndpointRow | undefined,
): Promise<EndpointRow> {
  const after = await findEndpoint(tx, appId, id);
  if (after === undefined) throw new Error(`The endpoint ${id} vanished within its own change.`);
  await audit(tx, {
    appId,
    actor,
    action,
    target: id,
    ...(before && { before: toEndpoint(before, tx.now) }),
    after: toEndpoint(after, tx.now),
  });
  tx.touch(`webhooks:${appId}`);
  return after;
}

function chosenText(triggers: readonly Trigger[] | null): string | null {
  return triggers === null ? null : JSON.stringify(triggers);
}
