import { type Static, Type } from '#typebox';
import { isoTime, recordId, text } from '../fields.ts';
import { type Trigger, triggerNames } from './triggers.ts';

/** The shape of an endpoint: what a caller may send, what is stored, what is answered. */
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'An https address in the open internet. The operator may allow others by name.',
});
const chosen = Type.Union([Type.Array(Type.Enum(triggerNames), { minItems: 1, uniqueItems: true }), Type.Null()], {
  description: 'What the endpoint wants to hear of. null: everything.',
});
const description = text(255);

export const createEndpointRequest = Type.Object(
  {
    id: Type.Optional(recordId),
    url,
    description: Type.Optional(description),
    triggers: Type.Optional(chosen),
  },
  { additionalProperties: false },
);
export const changeEndpointRequest = Type.Object(
  { url: Type.Optional(url), description: Type.Optional(description), triggers: Type.Optional(chosen) },
  { additionalProperties: false, minProperties: 1 },
);
export const rotateSecretRequest = Type.Object(
  {
    overlapHours: Type.Integer({
      minimum: 0,
      maximum: 168,
      default: 24,
      description: 'How long requests carry a signature of the old secret beside that of the new one.',
    }),
  },
  { additionalProperties: false },
);

const answerFields = {
  id: Type.String(),
  url: Type.String(),
  description: Type.String(),
  triggers: Type.Union([Type.Array(Type.String()), Type.Null()]),
  status: Type.String({ description: 'active or paused.' }),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  pausedReason: Type.Optional(Type.String()),
  failingSince: Type.Optional(Type.String({ description: 'Since when no delivery came through.' })),
  previousSecretUntil: Type.Optional(Type.String()),
};
export const endpointAnswer = Type.Object(answerFields);
/** Only what makes a secret answers it, and only once. */
export const endpointWithSecret = Type.Object({
  ...answerFields,
  secret: Type.String({ description: 'Checks the signatures. Never readable again.' }),
});

export type EndpointRequest = Static<typeof createEndpointRequest>;
export type EndpointChange = Static<typeof changeEndpointRequest>;
export type Endpoint = Static<typeof endpointAnswer>;

export type EndpointRow = {
  id: string;
  url: string;
  description: string;
  triggers: string | null;
  sealed: string;
  previous_sealed: string | null;
  previous_until: number | null;
  status: 'active' | 'paused';
  paused_reason: string | null;
  failing_since: number | null;
  failures: number;
  created_at: number;
  updated_at: number;
};
export const endpointColumns =
  'id, url, description, triggers, sealed, previous_sealed, previous_until, status, paused_reason, failing_since, failures, created_at, updated_at';

/** The place a secret is sealed for: it opens nowhere else. */
export function placeOf(appId: string, endpointId: string): string {
  return `webhook:${appId}:${endpointId}`;
}

export function toEndpoint(row: EndpointRow, now: number): Endpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    triggers: row.triggers === null ? null : (JSON.parse(row.triggers) as Trigger[]),
    status: row.status,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
    ...(row.paused_reason !== null && { pausedReason: row.paused_reason }),
    ...(row.failing_since !== null && { failingSince: isoTime(row.failing_since) }),
    ...(row.previous_until !== null &&
      row.previous_until > now && { previousSecretUntil: isoTime(row.previous_until) }),
  };
}
