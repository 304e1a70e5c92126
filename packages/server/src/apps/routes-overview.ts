import { Type } from '#typebox';
import { isoTime } from '../fields.ts';
import { type Operation, operation } from '../http/operation.ts';
import type { HourlyCounts } from '../store/hourly-counts.ts';

const tag = 'Overview';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Up to this many hours are shown hour by hour, more of them day by day. */
const hourlyMax = 72;
/** What waits longer than this needs somebody. */
const reviewOldMs = dayMs;
const queueOldMs = 60_000;

const names = ['judged', 'blocked', 'dropped', 'flagged', 'sent', 'failed'] as const;
type Name = (typeof names)[number];
type Counted = Record<Name, number>;

/** What the rooms tell of themselves. The wiring hands it over: they do not know each other, nor this one. */
export interface OverviewSources {
  counts: HourlyCounts;
  moderation(appId: string): Promise<{
    pendingBlocked: number;
    pendingFlagged: number;
    oldestPendingAt: number | undefined;
    ownRules: number;
    shadow: readonly { id: string; name: string; since: number }[];
  }>;
  push(appId: string): Promise<{
    providers: readonly ProviderSeen[];
    waiting: number;
    oldestAt: number | undefined;
    hasTokens: boolean;
  }>;
  endpoints(appId: string): Promise<readonly { id: string; isPaused: boolean; reason: string; since: number }[]>;
}

interface ProviderSeen {
  kind: string;
  providerId: string;
  isPaused: boolean;
  pausedReason?: string;
  pausedAt?: string;
  lastSuccessAt?: string | 0 | null;
  lastErrorAt?: string | 0 | null;
  lastError?: string;
  lastStatus?: number;
  waiting: number;
}

const counted = Object.fromEntries(names.map((name) => [name, Type.Integer()])) as Record<
  Name,
  ReturnType<typeof Type.Integer>
>;
const answer = Type.Object({
  data: Type.Object({
    from: Type.String(),
    step: Type.Enum(['hour', 'day']),
    series: Type.Array(Type.Object({ at: Type.String(), ...counted })),
    totals: Type.Object(counted),
    review: Type.Object({
      pendingBlocked: Type.Integer({ description: 'At most 10,000 are counted.' }),
      pendingFlagged: Type.Integer({ description: 'At most 10,000 are counted.' }),
      oldestPendingAt: Type.Optional(Type.String()),
    }),
    queue: Type.Object({
      waiting: Type.Integer({ description: 'Pushes that wait to be sent.' }),
      oldestAt: Type.Optional(Type.String({ description: 'Since when the oldest of them could have been sent.' })),
    }),
    providers: Type.Array(
      Type.Object({
        kind: Type.String(),
        providerId: Type.String(),
        isPaused: Type.Boolean(),
        pausedReason: Type.Optional(Type.String()),
        lastSuccessAt: Type.Optional(Type.String()),
        lastErrorAt: Type.Optional(Type.String()),
        lastError: Type.Optional(Type.String()),
        waiting: Type.Integer(),
      }),
    ),
    attention: Type.Array(
      Type.Object({
        kind: Type.Enum([
          'providerPaused',
          'providerFailing',
          'webhookPaused',
          'webhookFailing',
          'ruleInShadow',
          'reviewOld',
          'queueOld',
        ]),
        id: Type.Optional(Type.String()),
        name: Type.Optional(Type.String()),
        reason: Type.Optional(Type.String()),
        since: Type.Optional(Type.String()),
      }),
    ),
    setup: Type.Object({
      hasOwnRules: Type.Boolean(),
      hasJudged: Type.Boolean(),
      hasProviders: Type.Boolean(),
      hasTokens: Type.Boolean(),
      hasSent: Type.Boolean(),
    }),
  }),
});

const at = '2026-01-31T12:00:00.000Z';
const exampleCounts = { judged: 1200, blocked: 12, dropped: 1, flagged: 4, sent: 300, failed: 2 };
const example = {
  data: {
    from: at,
    step: 'hour',
    series: [{ at, ...exampleCounts }],
    totals: exampleCounts,
    review: { pendingBlocked: 3, pendingFlagged: 1, oldestPendingAt: at },
    queue: { waiting: 0 },
    providers: [{ kind: 'apns', providerId: 'apns-main', isPaused: false, lastSuccessAt: at, waiting: 0 }],
    attention: [{ kind: 'reviewOld', since: at }],
    setup: { hasOwnRules: true, hasJudged: true, hasProviders: true, hasTokens: true, hasSent: true },
  },
};

export function overviewRoutes(sources: OverviewSources): Operation[] {
  return [
    operation({
      id: 'getOverview',
      method: 'GET',
      path: '/overview',
      on: ['mgmt'],
      tag,
      summary: 'What happened in an app over the last hours, how it is now, and what needs somebody.',
      query: Type.Object(
        { hours: Type.Integer({ minimum: 1, maximum: 90 * 24, default: 24, description: 'How far to look back.' }) },
        { additionalProperties: false },
      ),
      response: answer,
      example,
      handle: async ({ appId, query }) => ({ data: await overview(sources, appId, query.hours, Date.now()) }),
    }),
  ];
}

async function overview(sources: OverviewSources, appId: string, hours: number, now: number) {
  const [moderation, push, endpoints, over] = await Promise.all([
    sources.moderation(appId),
    sources.push(appId),
    sources.endpoints(appId),
    overTime(sources.counts, appId, hours, now),
  ]);
  const { pendingBlocked, pendingFlagged, oldestPendingAt } = moderation;
  return {
    ...over,
    review: {
      pendingBlocked,
      pendingFlagged,
      ...(oldestPendingAt !== undefined && { oldestPendingAt: isoTime(oldestPendingAt) }),
    },
    queue: {
      waiting: push.waiting,
      ...(push.oldestAt !== undefined && { oldestAt: isoTime(push.oldestAt) }),
    },
    providers: push.providers,
    attention: [
      ...push.providers.flatMap(troubleOf),
      ...endpoints.map(({ id, isPaused, reason, since }) => ({
        kind: isPaused ? 'webhookPaused' : 'webhookFailing',
        id,
        reason,
        since: isoTime(since),
      })),
      ...moderation.shadow.map(({ id, name, since }) => ({ kind: 'ruleInShadow', id, name, since: isoTime(since) })),
      ...(oldestPendingAt !== undefined && oldestPendingAt < now - reviewOldMs
        ? [{ kind: 'reviewOld', since: isoTime(oldestPendingAt) }]
        : []),
      ...(push.oldestAt !== undefined && push.oldestAt < now - queueOldMs
        ? [{ kind: 'queueOld', since: isoTime(push.oldestAt) }]
        : []),
    ],
    setup: {
      hasOwnRules: moderation.ownRules > 0,
      hasJudged: over.totals.judged > 0,
      hasProviders: push.providers.length > 0,
      hasTokens: push.hasTokens,
      hasSent: over.totals.sent > 0,
    },
  };
}

/** A provider is in trouble when it is paused, or when the last thing it did was to fail. */
function troubleOf({
  kind,
  providerId,
  isPaused,
  pausedReason,
  pausedAt,
  lastSuccessAt,
  lastErrorAt,
  lastError,
}: ProviderSeen) {
  const id = `${kind}/${providerId}`;
  if (isPaused)
    return [
      { kind: 'providerPaused', id, reason: pausedReason ?? '', ...(pausedAt !== undefined && { since: pausedAt }) },
    ];
  const isFailing = lastErrorAt && (!lastSuccessAt || lastErrorAt > lastSuccessAt);
  return isFailing ? [{ kind: 'providerFailing', id, reason: lastError ?? '', since: lastErrorAt }] : [];
}

async function overTime(counts: HourlyCounts, appId: string, hours: number, now: number) {
  const step = hours <= hourlyMax ? 'hour' : 'day';
  const stepMs = step === 'hour' ? hourMs : dayMs;
  const first = Math.floor((now - hours * hourMs) / stepMs) + 1;
  const last = Math.floor(now / stepMs);
  const series = Array.from({ length: last - first + 1 }, (_, i) => ({
    at: isoTime((first + i) * stepMs),
    ...nothing(),
  }));
  const totals = nothing();
  for (const { hour, name, n } of await counts.read(appId, (first * stepMs) / hourMs)) {
    const known = names.find((one) => one === name);
    const bucket = series[Math.floor((hour * hourMs) / stepMs) - first];
    if (known === undefined || bucket === undefined) continue;
    bucket[known] += n;
    totals[known] += n;
  }
  return { from: isoTime(first * stepMs), step, series, totals };
}

function nothing(): Counted {
  return { judged: 0, blocked: 0, dropped: 0, flagged: 0, sent: 0, failed: 0 };
}
