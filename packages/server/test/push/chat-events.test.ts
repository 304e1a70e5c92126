import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stores } from '../gatehouse.ts';
import { base, newDeviceToken, startVendors, until, type Vendors } from './vendors.ts';

const preferences = '/v3/notifications/v1/preferences';
const settings = '/v3/notifications/v1/settings';
const on = (entity: Record<string, unknown>) => ({ entities: { on: { entity } } });

describe.each(stores)('what happens in a chat on %s', (store) => {
  let house: Vendors;
  let grace = '';
  let android = '';
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    await house.addFcm();
    grace = (await house.newIphone('grace')).token;
    android = (await house.newAndroid('grace')).token;
    await house.newIphone('alan');
  });
  afterAll(() => house.close());
  const patch = (path: string, body: unknown) => house.asApp(path, { method: 'PATCH', body });
  const wish = (wishes: unknown, uid = 'grace') => patch(`${preferences}?uid=${uid}`, wishes);
  const reset = async () => {
    await house.asApp(settings, { method: 'DELETE' });
    for (const uid of ['grace', 'alan']) await house.asApp(`${preferences}?uid=${uid}`, { method: 'DELETE' });
  };
  const message = (change: Record<string, unknown>) =>
    house.asApp('/v3/messages', { body: { sender: 'ada', receiver: 'grace', receiverType: 'user', ...change } });
  const ring = async (change: Record<string, unknown>) => {
    const { body, text } = await message(change);
    if (body.data?.notification === undefined) throw new Error(text);
    return house.finished(body.data.notification.id);
  };
  const group = {
    receiver: 'team',
    receiverType: 'group',
    receivers: ['grace'],
    receiverGroupDetails: { name: 'Team' },
  };
  const inGroup = (change: Record<string, unknown>) => ring({ ...group, ...change });
  const last = (token = grace) => {
    const { apns, fcm } = house.simulator;
    const found = [...apns.records.latest(), ...fcm.records.latest()].filter(({ target }) => target === token).at(-1);
    return { headers: found?.headers, body: JSON.parse(found?.body ?? '{}') };
  };
  const member = (action: string, more: object = {}) => ({
    category: 'action',
    type: 'groupMember',
    data: { action, ...on({ uid: 'kay', name: 'Kay' }), ...more },
  });

  it.each([
    ['left', 'Left', 'Kay left'],
    ['added', 'Added', 'Kay was added'],
    ['joined', 'Joined', 'Kay joined'],
    ['kicked', 'Kicked', 'Kay was removed'],
    ['banned', 'Banned', 'Kay was banned'],
    ['unbanned', 'Unbanned', 'Kay may come back'],
    ['scopeChanged', 'ScopeChanged', 'Kay is now moderator'],
  ])('a member who is %s rings those only who want to know', async (action, name, words) => {
    const change = member(action, { extras: { scope: { new: 'moderator' } } });
    const reason = `MEMBER_${name.replace('C', '_C').toUpperCase()}_PREFERENCE`;
    const skipped = await inGroup({ ...change, id: `m-${name}` });
    expect(skipped.skippedByReason).toEqual({ [reason]: 2 });
    const log = await house.asApp(`/v3/notifications/v1/logs?messageId=m-${name}&reason=${reason}`);
    expect(log.body.data[0]).toMatchObject({ notificationTriggered: false, member: 'grace', sender: 'ada' });
    expect(log.body.data[0].trigger).toMatch(/^group_member_/);
    await wish({ groupPreferences: { [`groupMember${name}`]: 2 } });
    expect((await inGroup(change)).counts.sent).toBe(2);
    expect(last().body.aps.alert).toMatchObject({ title: 'ada @ Team', body: words });
    await patch(settings, { preferences: { group: { [`member${name}Override`]: false } } });
    expect((await inGroup(change)).counts.skipped).toBe(2);
    await reset();
  });

  it('a reaction rings whose message it is, everybody, or nobody, as each wants', async () => {
    const reacted = {
      ...group,
      receivers: ['grace', 'alan'],
      category: 'action',
      type: 'message',
      data: { action: 'reaction_added', reaction: '❤️', ...on({ id: 7, sender: 'alan' }) },
    };
    expect(await ring(reacted)).toMatchObject({ counts: { sent: 1 }, skippedByReason: { REACTIONS_PREFERENCE: 2 } });
    await wish({ groupPreferences: { groupReactions: 3 } });
    expect((await ring(reacted)).counts.sent).toBe(3);
    expect(last().body).toMatchObject({
      tag: '7',
      action: 'reaction_added',
      aps: { alert: { body: 'Reacted with ❤️' } },
    });
    await wish({ groupPreferences: { groupReactions: 1 } }, 'alan');
    expect(await ring(reacted)).toMatchObject({ counts: { sent: 2 }, skippedByReason: { REACTIONS_PREFERENCE: 1 } });
    const toTwo = { category: 'action', type: 'message', data: { action: 'reaction_added', reaction: '👍' } };
    expect((await ring(toTwo)).counts.sent).toBe(2);
    await reset();
  });

  it('an edit is judged and rings, a deletion rings, unless the app does not want them', async () => {
    const edited = (text: string) => ({
      category: 'action',
      type: 'message',
      data: { action: 'edited', ...on({ id: 'm-9', sender: 'ada', type: 'text', data: { text } }) },
    });
    await ring(edited('Hello again'));
    expect(last().body).toMatchObject({ tag: 'm-9', aps: { alert: { body: '✏️ Hello again' } } });
    const refused = await message(edited('you fucking bastard'));
    expect(refused.body.data.moderation.status).toBe('disapproved');
    expect(refused.body.data.notification).toBeUndefined();
    const deleted = { category: 'action', type: 'message', data: { action: 'deleted', ...on({ id: 'm-9' }) } };
    await ring(deleted);
    expect(last().body.aps.alert.body).toBe('🗑️ Message deleted');
    await patch(settings, { preferences: { oneOnOne: { messageEditedSetting: 1, messageDeletedSetting: 1 } } });
    expect((await ring(edited('Hello'))).skippedByReason).toEqual({ MESSAGE_EDITED_PREFERENCE: 2 });
    expect((await ring(deleted)).skippedByReason).toEqual({ MESSAGE_DELETED_PREFERENCE: 2 });
    expect((await inGroup(deleted)).counts.sent).toBe(2);
    await reset();
  });

  it('replies and mentions go by their own preferences', async () => {
    const reply = { parentId: 'm-1', data: { text: 'yes' } };
    await wish({ groupPreferences: { groupReplies: 1, groupMessages: 3 } });
    expect((await inGroup(reply)).skippedByReason).toEqual({ REPLIES_PREFERENCE: 2 });
    expect((await inGroup({ data: { text: 'hi' } })).skippedByReason).toEqual({ MENTIONS_PREFERENCE: 2 });
    const mention = { data: { text: 'hi @grace', mentions: { grace: { uid: 'grace' } } } };
    expect((await inGroup(mention)).counts.sent).toBe(2);
    expect((await ring(reply)).counts.sent).toBe(2);
    await reset();
  });

  it('a call rings every device once: by VoIP where there is a token for it, with the keys of a call', async () => {
    const authToken = await house.newUser('kay');
    const voip = newDeviceToken();
    const tokens = [
      { platform: 'apns_ios_device', deviceToken: newDeviceToken(), authToken },
      { platform: 'apns_ios_voip', voipToken: voip, authToken },
    ];
    for (const body of tokens) await house.asApp(`${base}/tokens`, { body });
    await patch(settings, { sounds: { call: 'ring.caf' } });
    const call = (action: string) => ({
      ...{ category: 'call', type: 'video', receivers: ['grace', 'kay'] },
      data: { action, entities: { on: { entity: { sessionid: 's-1' } }, by: { entity: { name: 'Ada L.' } } } },
    });
    expect((await ring(call('initiated'))).counts).toMatchObject({ sent: 3, skipped: 0 });
    const keys = { type: 'call', callAction: 'initiated', sessionId: 's-1', callType: 'video' };
    expect(last(voip)).toMatchObject({ headers: { 'apns-push-type': 'voip' }, body: keys });
    expect(last()).toMatchObject({
      headers: { 'apns-push-type': 'alert', 'apns-collapse-id': 's-1' },
      body: { ...keys, aps: { alert: { title: 'Ada L.', body: 'Incoming video call' }, sound: 'ring.caf' } },
    });
    expect(last(android).body.message.data).toMatchObject(keys);
    expect(last(tokens[0]?.deviceToken).body).toEqual({});
    expect((await ring(call('unanswered'))).counts.sent).toBe(3);
    expect((await ring(call('busy'))).skippedByReason).toEqual({ CALL_BUSY_PREFERENCE: 3 });
    await wish({ callPreferences: { callInitiated: 1 } });
    const rung = await ring(call('initiated'));
    expect(rung).toMatchObject({ counts: { sent: 1 }, skippedByReason: { CALL_INITIATED_PREFERENCE: 2 } });
    await wish({ callPreferences: { callInitiated: 2 }, mutePreferences: { dnd: 2 } });
    expect((await ring(call('initiated'))).skippedByReason).toEqual({ DND_PREFERENCE: 2 });
    await reset();
  });

  it('the payload holds the message and the metadata that the app asks for, as far as there is room', async () => {
    const rich = (text: string) => ({
      data: { text, metadata: { mood: 'good' } },
      senderUserDetails: { name: 'Ada', metadata: { team: 'red' } },
      receiverUserDetails: { name: 'Grace', metadata: { team: 'blue' } },
    });
    await ring(rich('short'));
    for (const key of ['message', 'messageMetadata', 'senderMetadata', 'receiverMetadata'])
      expect(last().body).not.toHaveProperty(key);
    const all = ['Message', 'Sender', 'Receiver'].map((name) => [`include${name}MetadataSetting`, true]);
    const push = { ...Object.fromEntries(all), includeMessageObjectSetting: true };
    await patch(settings, { preferences: { push } });
    const { id } = await ring(rich('short'));
    expect(last().body).toMatchObject({
      notificationId: id,
      message: { sender: 'ada', category: 'message', data: { text: 'short' } },
      messageMetadata: { mood: 'good' },
      senderMetadata: { team: 'red' },
      receiverMetadata: { team: 'blue' },
    });
    expect(JSON.parse(last(android).body.message.data.message).data.text).toBe('short');
    const long = '"ä😀'.repeat(2000);
    expect((await ring(rich(long))).counts).toMatchObject({ sent: 2, failed: 0 });
    const shown: string = last().body.message.data.text;
    expect(shown.length).toBeGreaterThan(200);
    expect(long.startsWith(shown.slice(0, -1))).toBe(true);
    // Half a character would not survive the way through bytes.
    expect(Buffer.from(shown).toString()).toBe(shown);
    await patch(settings, { preferences: { push: { trimTextFieldSetting: false } } });
    expect((await ring(rich(long))).counts.sent).toBe(2);
    expect(last().body).not.toHaveProperty('message');
    await wish({ usePrivacyTemplate: true });
    await ring(rich('secret'));
    expect(JSON.stringify(last().body)).not.toContain('secret');
    await reset();
  });

  it('a repetition of a message with the same key is judged, stored and rung once', async () => {
    const say = (text: string, key: string) =>
      house.asApp('/v3/messages', {
        body: { sender: 'once', receiver: 'grace', receiverType: 'user', data: { text } },
        headers: { 'idempotency-key': key },
      });
    const stored = async () =>
      (await house.asApp('/v3/moderation/messages?sender=once')).body.data.map(
        (one: { id: string; data: { text: string } }) => [one.id, one.data.text],
      );
    const first = await say('hello', 'm-1');
    const second = await say('hello', 'm-1');
    expect(second.body).toEqual(first.body);
    const third = await say('other', 'm-1');
    expect([third.status, third.body.error.code]).toEqual([422, 'ERR_IDEMPOTENCY_KEY_REUSED']);
    const together = await Promise.all([say('hi', 'm-2'), say('hi', 'm-2')]);
    expect(new Set(together.map(({ body }) => body.data.notification.id)).size).toBe(1);
    // Those that pass are written behind the answer.
    const both = [
      [first.body.data.id, 'hello'],
      [together[0]?.body.data.id, 'hi'],
    ];
    await until(async () => (await stored()).length >= 2);
    expect((await stored()).sort()).toEqual(both.sort());
  });

  it('cuts a long text and a long name before a whole character, and says so', async () => {
    const family = '👨‍👩‍👧‍👦';
    await ring({
      data: { text: `${'a'.repeat(995)}${family} tail` },
      senderUserDetails: { name: `${'n'.repeat(198)}${family}` },
    });
    const { aps, senderName } = last().body;
    expect([aps.alert.body, senderName]).toEqual([`${'a'.repeat(995)}…`, `${'n'.repeat(198)}…`]);
    await patch(settings, { preferences: { push: { includeMessageObjectSetting: true } } });
    const long = family.repeat(600);
    await ring({ data: { text: long } });
    expect(last().body.message.data.text).toMatch(new RegExp(`^(${family})+…$`, 'u'));
    await reset();
  });

  it.each([
    ['data.action', { category: 'call', type: 'audio', data: { action: 'dialled' } }, /initiated, ongoing/],
    ['data.action', { category: 'action', type: 'message' }, /edited, deleted, reaction_added/],
    ['type', { category: 'action', type: 'weather', data: { action: 'rain' } }, /groupMember/],
    ['receiverType', member('left'), /group/],
    ['category', { category: 'shout' }, /message/],
  ])('answers 400 naming %s, and rings nobody', async (field, change, sentence) => {
    const answer = await message(change);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[field]?.join(' ')).toMatch(sentence);
  });
});
