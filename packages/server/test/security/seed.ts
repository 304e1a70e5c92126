/** An app with one of everything in it, each named with a mark that nobody else's answer may hold. */
import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'vitest';
import type { Gatehouse } from '../gatehouse.ts';
import type { Known } from './requests.ts';

export interface Seeded {
  mark: string;
  authToken: string;
  known: Known;
  /** What must never be in an answer or in the log. */
  secrets: readonly string[];
}

export const deviceToken = (mark: string): string => Buffer.from(mark).toString('hex').padEnd(64, '0').slice(0, 64);

export async function seed(gatehouse: Gatehouse, mark: string): Promise<Seeded> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const p8Key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const made = async (path: string, body: unknown) => {
    const answer = await gatehouse.asApp(`/v3${path}`, { body });
    expect([200, 202], `${path} ${answer.text}`).toContain(answer.status);
    return answer.body.data;
  };
  await made('/moderation/keywords', { id: `${mark}-list`, name: mark, searchTerms: [`${mark}word`] });
  const word = { operand: 'text', category: 'word', value: [`${mark}-list`], isKeywordsReferencePresent: true };
  await made('/moderation/rules', { id: `${mark}-rule`, name: mark, conditions: [word], action: ['blockMessage'] });
  await made('/moderation/reasons', { id: `${mark}-reason`, name: mark });
  const apns = {
    providerId: `${mark}-apns`,
    keyId: 'ABC123DEFG',
    teamId: 'TEAM123456',
    bundleId: 'org.example.chat',
    p8Key,
  };
  await made('/notifications/push/v1/providers/apns', apns);
  const { secret } = await made('/webhooks', {
    id: `${mark}-hook`,
    url: 'https://127.0.0.1:9/',
    triggers: ['message_flagged'],
  });
  const message = { sender: `${mark}-ada`, receiver: `${mark}-bob`, receiverType: 'user' };
  const blocked = await made('/moderation/messages', { ...message, data: { text: `${mark}word` } });
  const fine = await made('/moderation/messages', { ...message, data: { text: `${mark} says hello` } });
  const uid = `${mark}-ada`;
  const { authToken } = await made(`/users/${uid}/auth_tokens`, {});
  const pushToken = deviceToken(mark);
  const register = { platform: 'apns_ios_device', deviceToken: pushToken, providerId: `${mark}-apns`, authToken };
  await made('/notifications/push/v1/tokens', register);
  const notification = await made('/notifications/push/v1/notifications', { to: { uids: [uid] }, title: mark });
  return {
    mark,
    authToken,
    known: {
      appId: [gatehouse.appId],
      uid: [uid],
      authToken: [authToken],
      ruleId: [`${mark}-rule`, 'profanity-filter'],
      id: [`${mark}-list`, `${mark}-reason`, blocked.id, fine.id],
      messageId: [blocked.id, fine.id],
      providerId: [`${mark}-apns`],
      pushToken: [pushToken],
      notificationId: [notification.id],
      webhookId: [`${mark}-hook`],
      revision: ['1'],
      kind: ['apns'],
    },
    secrets: [...p8Key.split('\n').filter((line) => line.length > 40), secret, gatehouse.secret],
  };
}
