import { Type } from '#typebox';
import { type Operation, operation } from '../http/operation.ts';
import type { Store } from '../store/store.ts';
import { version } from '../version.ts';

/** What the service was started with and may be shown: each is set by the variable named beside it. */
export interface ShownSettings {
  region: string;
  ratePerMinute: number;
  ownRulesMax: number;
  ownListsMax: number;
  ownReasonsMax: number;
  webhooksMax: number;
  reviewDays: number;
  approvedHours: number;
  backtestDays: number;
  pushLogDays: number;
  webhookKeepDays: number;
  classifier: string;
}

const variables = {
  ratePerMinute: 'GATEHOUSE_RATE_PER_MINUTE',
  ownRulesMax: 'GATEHOUSE_OWN_RULES_MAX',
  ownListsMax: 'GATEHOUSE_OWN_LISTS_MAX',
  ownReasonsMax: 'GATEHOUSE_OWN_REASONS_MAX',
  webhooksMax: 'GATEHOUSE_WEBHOOKS_MAX',
  reviewDays: 'GATEHOUSE_REVIEW_DAYS',
  approvedHours: 'GATEHOUSE_APPROVED_HOURS',
  backtestDays: 'GATEHOUSE_BACKTEST_DAYS',
  pushLogDays: 'GATEHOUSE_PUSH_LOG_DAYS',
  webhookKeepDays: 'GATEHOUSE_WEBHOOK_KEEP_DAYS',
} as const satisfies Partial<Record<keyof ShownSettings, string>>;
const limits = ['ratePerMinute', 'ownRulesMax', 'ownListsMax', 'ownReasonsMax', 'webhooksMax'] as const;
const retention = ['reviewDays', 'approvedHours', 'backtestDays', 'pushLogDays', 'webhookKeepDays'] as const;

const setting = Type.Object({ name: Type.String(), value: Type.Integer(), variable: Type.String() });
const answer = Type.Object({
  data: Type.Object({
    version: Type.String(),
    node: Type.String(),
    store: Type.Enum(['sqlite', 'postgres']),
    schema: Type.Integer(),
    region: Type.String(),
    classifier: Type.String(),
    mediaProblems: Type.Array(Type.String(), {
      description: 'Why pictures or videos cannot be looked at although a classifier is set, and how to mend it.',
    }),
    startedAt: Type.String(),
    limits: Type.Array(setting),
    retention: Type.Array(setting),
  }),
});

export function serviceRoutes(
  store: Store,
  settings: ShownSettings,
  mediaProblems: () => Promise<string[]>,
): Operation[] {
  const startedAt = new Date().toISOString();
  const shown = (name: keyof typeof variables) => ({ name, value: settings[name], variable: variables[name] });
  return [
    operation({
      id: 'getService',
      method: 'GET',
      path: '/service',
      on: ['account'],
      tag: 'Overview',
      summary: 'Which version runs, on which store, with which limits, and how long it keeps what.',
      response: answer,
      example: {
        data: {
          version: '0.1.0',
          node: 'v20.19.0',
          store: 'sqlite',
          schema: 7,
          region: 'eu',
          classifier: 'none',
          mediaProblems: [],
          startedAt: '2026-01-31T12:00:00.000Z',
          limits: [{ name: 'ownRulesMax', value: 25, variable: 'GATEHOUSE_OWN_RULES_MAX' }],
          retention: [{ name: 'pushLogDays', value: 30, variable: 'GATEHOUSE_PUSH_LOG_DAYS' }],
        },
      },
      handle: async () => ({
        data: {
          version,
          node: process.version,
          store: store.dialect,
          schema: await store.schemaVersion(),
          region: settings.region,
          classifier: settings.classifier,
          mediaProblems: await mediaProblems(),
          startedAt,
          limits: limits.map(shown),
          retention: retention.map(shown),
        },
      }),
    }),
  ];
}
