import { randomUUID } from 'node:crypto';
import { NotificationError, type Outcome } from '@gatehouse/courier';
import { Type } from '#typebox';
import { ApiError, badField } from '../errors.ts';
import { text } from '../fields.ts';
import type { Store } from '../store/store.ts';
import { hashPushToken, tokenLengthMax } from './device-token.ts';
import type { ProviderKind } from './provider.ts';
import type { Senders } from './senders.ts';

export const testRequest = Type.Object(
  {
    pushToken: Type.String({
      minLength: 1,
      maxLength: tokenLengthMax,
      description: 'A device token, the endpoint of a registered browser, or for the custom provider a user id.',
    }),
    title: Type.Optional(text(1000)),
    body: Type.Optional(text(1000)),
  },
  { additionalProperties: false },
);

export const testAnswer = Type.Object({
  success: Type.Boolean(),
  outcome: Type.String(),
  status: Type.Integer({ description: 'HTTP status of the vendor; 0 when no answer came.' }),
  reason: Type.String({ description: "The vendor's own word." }),
  detail: Type.String({ description: "The vendor's own words in full." }),
  id: Type.String(),
  ms: Type.Integer(),
});

export interface TestSend {
  appId: string;
  kind: ProviderKind;
  providerId: string;
  pushToken: string;
  title?: string;
  body?: string;
}

const waitMs = 20_000;

/** One push past the outbox, awaited, so that an operator sees at once what the vendor says. Nothing is stored and no token removed. */
export async function sendTest(store: Store, senders: Senders, test: TestSend) {
  const outlet = await senders.get(test.appId, test.kind, test.providerId);
  if (outlet === undefined) throw new ApiError('ERR_PROVIDER_NOT_FOUND');
  const stored = await storedToken(store, test);
  const began = performance.now();
  const { title = 'Test', body = 'A test from Gatehouse.' } = test;
  try {
    const post = outlet.load({ title, body }, outlet.variantOf(''), true);
    const outcome = await new Promise<Outcome | undefined>((resolve) => {
      setTimeout(() => resolve(undefined), waitMs).unref();
      if (!post(stored, 0, (_, ended) => resolve(ended), randomUUID())) resolve(undefined);
    });
    const { status, reason, detail, id } = outcome?.provider ?? { status: 0, reason: 'busy', detail: '', id: '' };
    return {
      success: outcome?.kind === 'sent',
      outcome: outcome?.kind ?? 'retry',
      status,
      reason,
      detail: detail ?? '',
      id,
      ms: Math.round(performance.now() - began),
    };
  } catch (error) {
    if (error instanceof NotificationError) throw badField(error.field, error.message);
    throw error;
  }
}

/** A browser is named by its endpoint; its keys are in the store. */
async function storedToken(store: Store, { appId, kind, pushToken }: TestSend): Promise<string> {
  if (kind !== 'webpush') return pushToken;
  const row = await store.get<{ push_token: string }>(
    "SELECT push_token FROM push_tokens WHERE app_id = $1 AND token_hash = $2 AND kind = 'webpush'",
    [appId, hashPushToken(pushToken)],
  );
  if (row === undefined) throw new ApiError('ERR_TOKEN_NOT_FOUND');
  return row.push_token;
}
