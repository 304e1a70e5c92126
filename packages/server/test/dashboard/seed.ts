/** An app in which something has happened, so that every screen has something to show. */
import { addHourlyCounts } from '../../src/store/hourly-counts.ts';
import { apnsProvider } from '../contract/signing-keys.ts';
import type { Gatehouse } from '../gatehouse.ts';

export const listEntries = ['butler', 'it was a dream', 'the twin did it', 'everybody dies'];

async function ok(answer: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

export async function say(gatehouse: Gatehouse, text: string, more: object = {}): Promise<string> {
  const {
    status,
    body,
    text: answer,
  } = await gatehouse.asManager('/moderation/messages', {
    body: { sender: 'linus', receiver: 'movies', receiverType: 'group', type: 'text', data: { text }, ...more },
  });
  if (status !== 200) throw new Error(`${status} ${answer}`);
  return body.data.id;
}

const word = { entity: 'message', operand: 'text', operator: 'contains' };

export async function seed(gatehouse: Gatehouse): Promise<void> {
  const { asManager, asApp } = gatehouse;
  await ok(
    asManager('/moderation/keywords', {
      body: {
        id: 'spoilers',
        name: 'Spoilers',
        description: 'Words that give the ending away.',
        searchTerms: listEntries,
      },
    }),
  );
  const rule = (body: object) => ok(asManager('/moderation/rules', { body }));
  await rule({
    id: 'no-spoilers',
    name: 'No spoilers',
    description: 'The ending is for who has seen it.',
    conditions: [
      {
        ...word,
        isKeywordsReferencePresent: true,
        category: 'word',
        value: ['spoilers'],
        message: ['It gives the ending away.'],
      },
    ],
    action: ['blockMessage'],
  });
  await rule({
    id: 'no-trading',
    name: 'No trading',
    conditions: [{ ...word, category: 'pattern', value: ['(?i)\\b(buy|sell)(ing)? (an? )?accounts?\\b'] }],
    action: ['dropMessage'],
  });
  await rule({
    id: 'look-at-insults',
    name: 'Look at insults',
    conditions: [{ ...word, category: 'word', value: ['fool', 'clown', 'muppet'] }],
    action: ['flagMessage'],
    filters: [{ type: 'receiver', entity: 'group', operand: 'guid', operator: 'in', value: ['movies', 'books'] }],
  });
  await rule({
    id: 'links-in-shadow',
    name: 'Links (watching)',
    shadow: true,
    conditions: [{ ...word, category: 'pattern', value: ['https?://\\S+'] }],
    action: ['blockMessage'],
  });
  await seedMessages(gatehouse);
  await seedPush(gatehouse);
  await ok(
    asManager('/webhooks', {
      body: { id: 'chat-server', url: 'https://chat.example.org/gatehouse', triggers: ['message_flagged'] },
    }),
  );
  await ok(asManager('/apikeys', { body: { name: 'Back end', scope: 'fullAccess' } }));
  await ok(asApp('/v3/moderation/reasons'));
  await seedCounts(gatehouse);
}

async function seedMessages(gatehouse: Gatehouse): Promise<void> {
  const said = [
    ['linus', 'I cannot believe it, the b.u.t.l.e.r did it!'],
    ['margaret', 'So it was a dream all along'],
    ['dennis', 'spoiler: everybody dies in the last five minutes'],
    ['barbara', 'You are a complete muppet'],
    ['ken', 'What a clown, honestly'],
    ['radia', 'Selling an account, write to me'],
    ['edsger', 'See you at eight in front of the cinema'],
    ['frances', 'The twin did it and nobody noticed'],
  ] as const;
  for (const [sender, text] of said) await say(gatehouse, text, { sender });
  await say(gatehouse, 'Look: the butler', {
    sender: 'john',
    type: 'image',
    data: {
      text: 'Look: the butler',
      attachments: [{ url: 'https://pictures.example.org/1.jpg', name: 'scene.jpg', mimeType: 'image/jpeg' }],
    },
  });
  const { body } = await gatehouse.asManager('/moderation/blocked-messages?sender=margaret');
  await ok(
    gatehouse.asManager(`/moderation/blocked-messages/${body.data[0].message.id}`, {
      method: 'PATCH',
      body: { status: 'approved' },
    }),
  );
}

async function seedPush(gatehouse: Gatehouse): Promise<void> {
  const base = '/v3/notifications/push/v1';
  await ok(gatehouse.asApp(`${base}/providers/apns`, { body: apnsProvider('apns-main') }));
  await ok(
    gatehouse.asApp(`${base}/providers/webpush`, {
      body: { providerId: 'browsers', subject: 'mailto:ops@example.org' },
    }),
  );
  for (const uid of ['grace', 'barbara', 'ken']) {
    const authToken = await gatehouse.newUser(uid);
    await ok(
      gatehouse.ask(`${base}/tokens`, {
        headers: { authToken, appId: gatehouse.appId },
        body: {
          platform: 'apns_ios_device',
          providerId: 'apns-main',
          deviceToken: Buffer.from(uid.padEnd(32, '.')).toString('hex'),
        },
      }),
    );
  }
  await ok(
    gatehouse.asApp(`${base}/notifications`, {
      body: {
        to: { all: true },
        title: 'Tonight at eight',
        body: 'The director answers your questions.',
        sendAt: Date.now() + 6 * 3_600_000,
      },
    }),
  );
}

/** A day as a chat has it, so that the charts can be looked at. */
async function seedCounts({ app, appId }: Gatehouse): Promise<void> {
  const hour = Math.floor(Date.now() / 3_600_000);
  for (let i = 1; i < 24; i++) {
    const busy = 60 + Math.round(50 * Math.sin((i / 24) * 2 * Math.PI));
    const counts = {
      judged: busy * 9,
      blocked: busy >> 3,
      flagged: busy >> 4,
      dropped: busy >> 5,
      sent: busy * 4,
      failed: busy >> 4,
    };
    await app.store.change(addHourlyCounts, { counts: [{ appId, hour: hour - i, named: Object.entries(counts) }] });
  }
}
