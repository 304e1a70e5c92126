import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApiKey } from '../../src/apps/api-keys.ts';
import { createAccount, createApp } from '../../src/apps/apps.ts';
import { createAuthToken } from '../../src/apps/auth-tokens.ts';
import { createKeyPair } from '../../src/apps/key-pairs.ts';
import { type Answer, type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';
import { type Document, requestOf, type Target, targetsOf } from './requests.ts';
import { type Seeded, seed } from './seed.ts';

const mark = 'zqxalpha';
/** Everything of the app that can be read, to see afterwards that nobody changed it. */
const readable = [
  '/moderation/rules?limit=100',
  '/moderation/keywords?limit=100',
  '/moderation/reasons',
  '/moderation/settings',
  '/moderation/messages?limit=100',
  '/moderation/blocked-messages',
  '/moderation/flagged-messages',
  '/notifications/push/v1/tokens',
  '/notifications/push/v1/providers/apns',
  '/notifications/push/v1/providers/fcm',
  '/notifications/v1/settings',
  '/webhooks',
];

interface Stranger {
  name: string;
  headers: Record<string, string>;
}

describe.each(stores)('an app among others, on %s', (store) => {
  let gatehouse: Gatehouse;
  let seeded: Seeded;
  let targets: Target[];
  let strangers: Stranger[];

  beforeAll(async () => {
    gatehouse = await startGatehouse(store, {
      GATEHOUSE_RATE_PER_MINUTE: '0',
      GATEHOUSE_PRIVATE_HOSTS: '127.0.0.1:9',
      GATEHOUSE_APNS_HOST: '127.0.0.1:9',
      GATEHOUSE_FCM_HOST: '127.0.0.1:9',
    });
    seeded = await seed(gatehouse, mark);
    const document: Document = (await gatehouse.ask('/openapi.json')).body;
    targets = targetsOf(document).filter(({ security }) => security.length > 0);
    strangers = await makeStrangers(gatehouse, pathOf(document, 'redeemSignInLink'));
  });
  afterAll(() => gatehouse.close());

  const snapshot = async (): Promise<string[]> => {
    const answers: string[] = [];
    for (const path of readable) {
      const { status, text } = await gatehouse.asApp(`/v3${path}`);
      expect(status, path).toBe(200);
      answers.push(text);
    }
    return answers;
  };

  /** Every id that the path can name, one after the other, so that each is tried with each operation. */
  async function ask(target: Target, headers: Record<string, string>): Promise<Asked[]> {
    const asked: Asked[] = [];
    const made = fc.sample(requestOf(target, seeded.known, 'known'), { numRuns: 4, seed: 11 });
    for (const { path, body } of new Map(made.map((one) => [one.path, one])).values()) {
      const answer = await gatehouse.ask(path, {
        method: target.method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      asked.push({ path, answer });
    }
    return asked;
  }

  it('shows nothing to, and takes nothing from, credentials of another app, whatever the operation', async () => {
    const before = await snapshot();
    for (const target of targets) {
      for (const { name, headers } of strangers) {
        for (const { path, answer } of await ask(target, headers)) {
          const said = `${target.operationId} ${path} as ${name}: ${answer.status} ${answer.text.slice(0, 400)}`;
          expect(withoutAsked(answer.text, path), said).not.toContain(mark);
          // A path under /apps names the app: it is as if it were not there.
          if (target.path.startsWith('/apps/{appId}')) expect([401, 403, 404], said).toContain(answer.status);
        }
        // The header names it: the same.
        if (target.path.startsWith('/v3/'))
          for (const { path, answer } of await ask(target, { ...headers, appId: gatehouse.appId }))
            expect([401, 403, 404], `${path} as ${name}: ${answer.text.slice(0, 400)}`).toContain(answer.status);
      }
    }
    expect(await snapshot()).toEqual(before);
  });
});

/** An answer may repeat the id that was asked for, such as "there is no ...", or a user's own record under the same uid. */
function withoutAsked(text: string, path: string): string {
  const asked = decodeURIComponent(path)
    .split(/[/?=&]/)
    .filter((part) => part.includes(mark));
  return asked.reduce((rest, part) => rest.replaceAll(part, ''), text);
}

interface Asked {
  path: string;
  answer: Answer;
}

/** Another app of the same account; an app of another account; that account's pair; a device of that app; a pair granted nothing. */
async function makeStrangers(
  { app: { store }, accountId, newApp, ask }: Gatehouse,
  linkPath: string,
): Promise<Stranger[]> {
  const actor = 'test';
  const sibling = await newApp();
  const other = await store.change(createAccount, { name: 'Other', actor });
  const theirs = await store.change(createApp, { accountId: other.id, name: 'Other', actor });
  const { apiKey } = await store.change(createApiKey, { appId: theirs.id, name: 'x', scope: 'fullAccess', actor });
  const pair = await store.change(createKeyPair, { accountId: other.id, name: 'x', actor });
  const granted = await store.change(createKeyPair, { accountId, name: 'x', apps: [sibling.appId], actor });
  const device = await store.change(createAuthToken, { appId: theirs.id, uid: 'eve', actor });
  return [
    { name: 'key of a sibling app', headers: { apikey: sibling.fullAccess } },
    { name: 'key of another account', headers: { apikey: apiKey } },
    { name: 'pair of another account', headers: { key: pair.key, secret: pair.secret } },
    { name: 'pair granted a sibling only', headers: { key: granted.key, secret: granted.secret } },
    { name: 'device of another app', headers: { authToken: device.authToken } },
    { name: 'person of another account', headers: await signIn(ask, { key: pair.key, secret: pair.secret }, linkPath) },
  ];
}

/** An owner of the other account, invited and signed in as people are. */
async function signIn(
  ask: Gatehouse['ask'],
  pair: Record<string, string>,
  linkPath: string,
): Promise<Record<string, string>> {
  const body = { email: 'eve@example.org', name: 'Eve', role: 'owner' };
  const invited = await ask('/people', { headers: pair, body });
  const sameOrigin = { 'sec-fetch-site': 'same-origin' };
  const password = crypto.randomUUID();
  const used = await ask(linkPath, {
    headers: sameOrigin,
    body: { token: invited.body.data.token, password },
  });
  const cookie = used.headers.get('set-cookie')?.split(';')[0];
  if (cookie === undefined) throw new Error(`nobody signed in: ${used.text}`);
  return { ...sameOrigin, cookie };
}

function pathOf(document: Document, operationId: string): string {
  const found = targetsOf(document).find((target) => target.operationId === operationId);
  if (found === undefined) throw new Error(`there is no operation ${operationId}`);
  return found.path;
}
