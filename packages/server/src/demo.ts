import { createApiKey } from './apps/api-keys.ts';
import { createAccount, createApp, firstAccount } from './apps/apps.ts';
import { audit } from './apps/audit.ts';
import { createAuthToken } from './apps/auth-tokens.ts';
import { createKeyPair } from './apps/key-pairs.ts';
import { createKeywordList } from './moderation/list-changes.ts';
import type { RuleBody } from './moderation/rule.ts';
import { createRule } from './moderation/rule-changes.ts';
import { toUpload } from './moderation/terms.ts';
import { hashPushToken } from './push/device-token.ts';
import type { Tx } from './store/store.ts';

/** What the first start makes, so that there is something to look at. Everything in one transaction: a cut leaves nothing half made. */
export interface Demo {
  appId: string;
  key: string;
  secret: string;
  apiKeys: { fullAccess: string; authOnly: string };
  authTokens: { uid: string; authToken: string }[];
}

const actor = 'first-start';
const word = {
  isKeywordsReferencePresent: true,
  isMediaPresent: false,
  entity: 'message',
  operand: 'text',
  category: 'word',
  operator: 'contains',
};

const ownRules: Record<string, RuleBody> = {
  'no-spoilers': {
    name: 'No spoilers',
    description: 'Blocks words of the list "spoilers".',
    enabled: true,
    conditions: [{ id: 1, ...word, value: ['spoilers'], message: ['The text gives the ending away.'] }],
    action: ['blockMessage'],
  },
  'no-trading': {
    name: 'No trading',
    description: 'Drops offers to buy or sell accounts.',
    enabled: false,
    conditions: [
      {
        id: 1,
        isKeywordsReferencePresent: false,
        isMediaPresent: false,
        entity: 'message',
        operand: 'text',
        category: 'pattern',
        operator: 'contains',
        value: ['(?i)\\b(buy|sell)(ing)? (an? )?accounts?\\b'],
      },
    ],
    action: ['dropMessage'],
  },
};

const devices = [
  {
    uid: 'ada',
    platform: 'fcm_android',
    kind: 'fcm',
    providerId: 'fcm-demo',
    pushToken: 'demo-device-of-ada:APA91bFexampleTokenOfAnAndroidDevice',
  },
  {
    uid: 'grace',
    platform: 'apns_ios_device',
    kind: 'apns',
    providerId: 'apns-demo',
    pushToken: 'de30de30de30de30de30de30de30de30de30de30de30de30de30de30de30de30',
  },
] as const;

/** Undefined when the store has an account already: two processes may start on an empty store at once. */
export async function seedDemo(tx: Tx): Promise<Demo | undefined> {
  await tx.lock('first-start');
  if ((await firstAccount(tx)) !== undefined) return undefined;
  const { id: accountId } = await createAccount(tx, { name: 'Demo', actor });
  const { id: appId } = await createApp(tx, { accountId, name: 'Demo', actor });
  const pair = await createKeyPair(tx, { accountId, name: 'demo', actor });
  const fullAccess = await createApiKey(tx, { appId, name: 'demo back end', scope: 'fullAccess', actor });
  const authOnly = await createApiKey(tx, { appId, name: 'demo sign-in', scope: 'authOnly', actor });
  await createKeywordList(tx, {
    appId,
    actor,
    ownListsMax: Number.MAX_SAFE_INTEGER,
    list: {
      id: 'spoilers',
      name: 'Spoilers',
      description: 'Words that give the ending away.',
      category: 'word',
      isCSV: false,
      options: {},
    },
    upload: toUpload(['butler', 'it was a dream']),
  });
  for (const [id, body] of Object.entries(ownRules))
    await createRule(tx, { appId, actor, id, body, ownRulesMax: Number.MAX_SAFE_INTEGER });
  const authTokens: Demo['authTokens'] = [];
  for (const device of devices) {
    const { uid, authToken } = await createAuthToken(tx, { appId, uid: device.uid, actor });
    authTokens.push({ uid, authToken });
    // Written past `registerPushToken`, which asks for a provider: adding one is the newcomer's third step.
    await tx.run(
      `INSERT INTO push_tokens (app_id, token_hash, push_token, auth_token, uid, kind, platform, provider_id, created_at, updated_at, last_seen_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9)`,
      [
        appId,
        hashPushToken(device.pushToken),
        device.pushToken,
        authToken,
        uid,
        device.kind,
        device.platform,
        device.providerId,
        tx.now,
      ],
    );
    await audit(tx, { appId, actor, action: 'registerPushToken', target: uid, after: { platform: device.platform } });
  }
  return {
    appId,
    key: pair.key,
    secret: pair.secret,
    apiKeys: { fullAccess: fullAccess.apiKey, authOnly: authOnly.apiKey },
    authTokens,
  };
}

/** The first start without the demo: an account and the pair that opens it. */
export async function seedAccount(tx: Tx): Promise<Pick<Demo, 'key' | 'secret'> | undefined> {
  await tx.lock('first-start');
  if ((await firstAccount(tx)) !== undefined) return undefined;
  const { id: accountId } = await createAccount(tx, { name: 'Main', actor });
  const { key, secret } = await createKeyPair(tx, { accountId, name: 'first', actor });
  return { key, secret };
}
