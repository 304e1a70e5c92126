import { Type } from '#typebox';
import { isoTime } from '../fields.ts';
import { readPauses } from '../outbox/lanes.ts';
import type { Reader, Tx } from '../store/store.ts';
import { laneOf, type ProviderKind } from './provider.ts';
import { jobKind } from './segment.ts';

/** What the last pushes came to; a side without news is left out. */
export interface Health {
  succeededAt?: number;
  failure?: { at: number; status: number; reason: string };
}

export async function writeHealth(
  tx: Tx,
  appId: string,
  kind: ProviderKind,
  providerId: string,
  { succeededAt, failure }: Health,
): Promise<void> {
  await tx.run(
    `INSERT INTO provider_health (app_id, kind, provider_id, last_success_at, last_error_at, last_error, last_status) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (app_id, kind, provider_id) DO UPDATE SET
       last_success_at = CASE WHEN excluded.last_success_at > 0 THEN excluded.last_success_at ELSE provider_health.last_success_at END,
       last_error_at = CASE WHEN excluded.last_error_at > 0 THEN excluded.last_error_at ELSE provider_health.last_error_at END,
       last_error = CASE WHEN excluded.last_error_at > 0 THEN excluded.last_error ELSE provider_health.last_error END,
       last_status = CASE WHEN excluded.last_error_at > 0 THEN excluded.last_status ELSE provider_health.last_status END`,
    [
      appId,
      kind,
      providerId,
      succeededAt ?? 0,
      failure?.at ?? 0,
      failure?.reason.slice(0, 500) ?? '',
      failure?.status ?? 0,
    ],
  );
}

export const healthAnswer = Type.Object({
  kind: Type.String(),
  providerId: Type.String(),
  isPaused: Type.Boolean(),
  pausedReason: Type.Optional(Type.String()),
  pausedAt: Type.Optional(Type.String()),
  lastSuccessAt: Type.Optional(Type.String()),
  lastErrorAt: Type.Optional(Type.String()),
  lastError: Type.Optional(
    Type.String({ description: "The vendor's own words, or what went wrong with the connection." }),
  ),
  lastStatus: Type.Optional(Type.Integer()),
  waiting: Type.Integer({ description: 'Pushes that wait to be sent through it.' }),
});

type HealthRow = {
  kind: ProviderKind;
  provider_id: string;
  last_success_at: number | null;
  last_error_at: number | null;
  last_error: string | null;
  last_status: number | null;
};

/** Every provider of the app, those included that have never sent anything. */
export async function readHealth(store: Reader, appId: string) {
  const rows = await store.all<HealthRow>(
    `SELECT p.kind, p.provider_id, h.last_success_at, h.last_error_at, h.last_error, h.last_status
     FROM providers p LEFT JOIN provider_health h ON h.app_id = p.app_id AND h.kind = p.kind AND h.provider_id = p.provider_id
     WHERE p.app_id = $1 ORDER BY p.kind, p.provider_id`,
    [appId],
  );
  const pauses = new Map((await readPauses(store, jobKind, Date.now())).map((pause) => [pause.lane, pause]));
  return Promise.all(
    rows.map(async (row) => {
      const lane = laneOf(appId, row.kind, row.provider_id);
      const pause = pauses.get(lane);
      return {
        kind: row.kind,
        providerId: row.provider_id,
        isPaused: pause !== undefined,
        ...(pause && { pausedReason: pause.reason, pausedAt: isoTime(pause.pausedAt) }),
        ...(row.last_success_at && { lastSuccessAt: isoTime(row.last_success_at) }),
        ...(row.last_error_at && {
          lastErrorAt: isoTime(row.last_error_at),
          lastError: row.last_error ?? '',
          lastStatus: row.last_status ?? 0,
        }),
        waiting: await waitingIn(store, lane),
      };
    }),
  );
}

async function waitingIn(store: Reader, lane: string): Promise<number> {
  const row = await store.get<{ n: number | null }>(
    'SELECT CAST(SUM(size) AS BIGINT) AS n FROM outbox WHERE kind = $1 AND lane = $2',
    [jobKind, lane],
  );
  return Number(row?.n ?? 0);
}
