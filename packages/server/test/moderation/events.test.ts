import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Gatehouse, startGatehouse, stores } from '../gatehouse.ts';

const message = (text: string, id: string) => ({
  id,
  sender: 'ada',
  receiver: 'grace',
  receiverType: 'user',
  data: { text },
});
const rule = (id: string, action: string, value: string) => ({
  id,
  name: id,
  action: [action],
  conditions: [{ operand: 'text', category: 'word', value: [value] }],
});

describe.each(stores)('what the outside is told, on %s', (store) => {
  let gatehouse: Gatehouse;
  beforeAll(async () => {
    gatehouse = await startGatehouse(store);
    await gatehouse.asApp('/v3/webhooks', { body: { url: 'https://chat.example.org/hook' } });
  });
  afterAll(() => gatehouse.close());

  const events = async () => {
    const rows = await gatehouse.app.store.all<{ name: string; data: string }>(
      'SELECT name, data FROM webhook_events WHERE app_id = $1 ORDER BY created_at, id',
      [gatehouse.appId],
    );
    // Each case looks at what came since the one before.
    const fresh = rows.slice(seenBefore);
    seenBefore = rows.length;
    return fresh.map(({ name, data }) => ({ name, data: JSON.parse(data) }));
  };
  let seenBefore = 0;
  const judge = (text: string, id: string) => gatehouse.asApp('/v3/moderation/messages', { body: message(text, id) });

  it('hears of every change to rules and lists, and never of the words of a list', async () => {
    await gatehouse.asApp('/v3/moderation/rules', { body: rule('flagger', 'flagMessage', 'flagword') });
    await gatehouse.asApp('/v3/moderation/rules', { body: rule('dropper', 'dropMessage', 'dropword') });
    await gatehouse.asApp('/v3/moderation/keywords', { body: { id: 'slurs', searchTerms: ['unspeakable'] } });
    await gatehouse.asApp('/v3/moderation/keywords/slurs/terms', { body: { searchTerms: ['unutterable'] } });
    const seen = await events();
    expect(seen.map(({ name, data }) => [name, data.change])).toEqual([
      ['rule_changed', 'createRule'],
      ['rule_changed', 'createRule'],
      ['list_changed', 'createKeywordList'],
      ['list_changed', 'addKeywordTerms'],
    ]);
    expect(JSON.stringify(seen)).not.toMatch(/unspeakable|unutterable/);
  });

  it('hears what became of each message, of a dropped one only the fact', async () => {
    await judge('hello', 'e-1');
    await judge('fuck', 'e-2');
    await judge('a secretdetail dropword', 'e-3');
    await judge('a flagword', 'e-4');
    const seen = await events();
    expect(seen).toMatchObject([
      { name: 'moderation_engine_approved', data: { message: { id: 'e-1' } } },
      {
        name: 'moderation_engine_blocked',
        data: { message: { id: 'e-2' }, verdict: 'block', rule: { id: 'profanity-filter' } },
      },
      { name: 'moderation_engine_blocked', data: { message: { id: 'e-3', sender: 'ada' }, verdict: 'drop' } },
      { name: 'message_flagged', data: { message: { id: 'e-4' }, by: 'rule' } },
    ]);
    expect(JSON.stringify(seen)).not.toContain('secretdetail');
  });

  it('hears what is to be done about a sender and which rule asks for it, also when the message was let through', async () => {
    await gatehouse.asApp('/v3/moderation/rules', { body: rule('banner', 'ban', 'banword') });
    await events();
    const { body } = await judge('a banword', 'e-6');
    expect(body.data).toMatchObject({ verdict: 'allow', actions: ['ban'], moderation: { status: 'approved' } });
    await judge('a banword, fuck', 'e-7');
    expect(await events()).toMatchObject([
      {
        name: 'moderation_engine_approved',
        data: { message: { id: 'e-6' }, rule: { id: 'banner', name: 'banner' }, actions: ['ban'] },
      },
      {
        name: 'moderation_engine_blocked',
        data: { rule: { id: 'profanity-filter' }, actions: expect.arrayContaining(['ban', 'blockMessage']) },
      },
    ]);
  });

  it('hears once of each rejection, of a flagged message too, and of what stands again after an edit', async () => {
    const decide = (queue: string, id: string, status: string) =>
      gatehouse.asApp(`/v3/moderation/${queue}-messages/${id}`, { method: 'PATCH', body: { status } });
    await judge('hello', 'e-5');
    await gatehouse.asApp('/v3/moderation/messages/e-5', { method: 'PUT', body: { data: { text: 'fuck' } } });
    await events();
    await decide('blocked', 'e-5', 'approved');
    await decide('blocked', 'e-5', 'rejected');
    await decide('blocked', 'e-5', 'rejected');
    await decide('flagged', 'e-4', 'disapproved');
    expect(await events()).toMatchObject([
      { name: 'moderation_manual_approved', data: { message: { id: 'e-5', data: { text: 'fuck' } } } },
      {
        name: 'message_rejected',
        data: { message: { id: 'e-5', data: { text: 'fuck' } }, standing: { id: 'e-5', data: { text: 'hello' } } },
      },
      { name: 'message_rejected', data: { message: { id: 'e-4' }, by: expect.stringMatching(/^apiKey:/) } },
    ]);
  });

  it('hears of reporters and of approvals', async () => {
    await gatehouse.asApp('/v3/messages/e-1/flagged', { body: { reasonId: 'spam' }, headers: { onbehalfof: 'linus' } });
    await gatehouse.asApp('/v3/moderation/blocked-messages/e-2', { method: 'PATCH', body: { status: 'approved' } });
    await gatehouse.asApp('/v3/moderation/blocked-messages/e-2', { method: 'PATCH', body: { status: 'approved' } });
    expect(await events()).toMatchObject([
      { name: 'message_flagged', data: { message: { id: 'e-1' }, reason: { id: 'spam' }, by: 'linus' } },
      { name: 'moderation_manual_approved', data: { message: { id: 'e-2' } } },
    ]);
  });

  it('hears nothing of what was only checked or refused', async () => {
    await gatehouse.asApp('/v3/moderation/check', { body: message('fuck', 'e-5') });
    await gatehouse.asApp('/v3/moderation/rules', { body: rule('flagger', 'flagMessage', 'again') });
    expect(await events()).toEqual([]);
  });
});
