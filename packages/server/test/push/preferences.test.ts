import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PushLogs } from '../../src/push/logs.ts';
import { stores } from '../gatehouse.ts';
import { base, startVendors, type Vendors } from './vendors.ts';

const preferences = '/v3/notifications/v1/preferences';
const settings = '/v3/notifications/v1/settings';

describe.each(stores)('preferences and messages on %s', (store) => {
  let house: Vendors;
  const ada = { token: '', authToken: '' };
  const grace = { token: '', authToken: '' };
  beforeAll(async () => {
    house = await startVendors(store);
    await house.addApns();
    Object.assign(ada, await house.newIphone('ada'));
    Object.assign(grace, await house.newIphone('grace'));
  });
  afterAll(() => house.close());
  const patch = (path: string, body: unknown, headers?: Record<string, string>) =>
    house.asApp(path, { method: 'PATCH', body, ...(headers && { headers }) });
  const message = (change: Record<string, unknown> = {}) =>
    house.asApp('/v3/messages', {
      body: { sender: 'ada', receiver: 'grace', receiverType: 'user', data: { text: 'Hello Grace' }, ...change },
    });
  /** What became of the message's notification. */
  const ring = async (change?: Record<string, unknown>) => {
    const { body } = await message(change);
    return house.finished(body.data.notification.id);
  };
  const shownTo = (token: string) =>
    house.simulator.apns.records
      .latest()
      .filter(({ target }) => target === token)
      .map(({ body }) => JSON.parse(body));

  it('a message rings its receiver by the template, with the flat keys of the platform', async () => {
    const answer = await message({ id: 'm-1', senderUserDetails: { name: 'Ada L.' } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ id: 'm-1', moderation: { status: 'approved' } });
    expect((await house.finished(answer.body.data.notification.id)).counts.sent).toBe(1);
    expect(shownTo(grace.token).at(-1)).toMatchObject({
      aps: { alert: { title: 'Ada L.', body: 'Hello Grace' }, sound: 'default' },
      sender: 'ada',
      senderName: 'Ada L.',
      receiver: 'grace',
      receiverType: 'user',
      tag: 'm-1',
      type: 'chat',
      conversationId: 'ada_user_grace',
    });
    expect(shownTo(ada.token)).toEqual([]);
  });

  it('a blocked message notifies nobody', async () => {
    const before = shownTo(grace.token).length;
    const answer = await message({ data: { text: 'you fucking bastard' } });
    expect(answer.body.data.moderation.status).toBe('disapproved');
    expect(answer.body.data.notification).toBeUndefined();
    expect(shownTo(grace.token)).toHaveLength(before);
  });

  it('a message to a group rings the listed receivers and never its sender', async () => {
    const done = await ring({
      receiver: 'team',
      receiverType: 'group',
      receivers: ['ada', 'grace'],
      receiverGroupDetails: { name: 'Team' },
    });
    expect(done.counts.sent).toBe(1);
    expect(shownTo(grace.token).at(-1).aps.alert.title).toBe('ada @ Team');
  });

  it('of a conversation that is muted twice in one call the last counts', async () => {
    const [early, late] = [Date.now() + 60_000, Date.now() + 120_000];
    const conversations = [early, late].map((until) => ({ id: 'twice', type: 'group', until }));
    const path = `${preferences}/mute?uid=twice`;
    expect((await house.asApp(path, { method: 'PUT', body: { conversations } })).status).toBe(200);
    expect((await house.asApp(path)).body.data.conversations).toEqual([{ id: 'twice', type: 'group', until: late }]);
  });

  it('a muted conversation is skipped with MUTE_PREFERENCE until the mute ends', async () => {
    const mute = (until: number) =>
      house.ask(`${preferences}/mute`, {
        method: 'PUT',
        headers: { authToken: grace.authToken },
        body: { conversations: [{ id: 'ada', type: 'oneOnOne', until }] },
      });
    expect((await mute(Date.now() + 60_000)).status).toBe(200);
    expect((await ring()).skippedByReason).toEqual({ MUTE_PREFERENCE: 1 });
    const listed = await house.asApp(`${preferences}/mute?uid=grace`);
    expect(listed.body.data.conversations).toMatchObject([{ id: 'ada', type: 'oneOnOne' }]);
    await house.asApp(`${preferences}/mute?uid=grace`, {
      method: 'DELETE',
      body: { conversations: [{ id: 'ada', type: 'oneOnOne' }] },
    });
    expect((await ring()).counts.sent).toBe(1);
    const logs = await house.asApp('/v3/notifications/v1/logs?reason=MUTE_PREFERENCE');
    expect(logs.body.data[0]).toMatchObject({
      notificationTriggered: false,
      success: false,
      member: 'grace',
      channel: 'push',
    });
  });

  it('do-not-disturb and the schedule are respected, and a mention may pass them', async () => {
    await patch(`${preferences}?uid=grace`, { mutePreferences: { dnd: 2 } });
    expect((await ring()).skippedByReason).toEqual({ DND_PREFERENCE: 1 });
    await patch(settings, { preferences: { bypassPreferencesForMentions: true } });
    expect((await ring({ mentionedUids: ['grace'] })).counts.sent).toBe(1);
    const silent = { from: 0, to: 2359, dnd: true };
    const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
    const schedule = Object.fromEntries(days.map((day) => [day, silent]));
    await patch(`${preferences}?uid=grace`, { mutePreferences: { dnd: 1, schedule } });
    expect((await ring()).skippedByReason).toEqual({ SCHEDULE_PREFERENCE: 1 });
    const direct = await house.finished(await house.send({ to: { uids: ['grace'] }, title: 'x' }));
    expect(direct.skippedByReason).toEqual({ SCHEDULE_PREFERENCE: 1 });
    const urgent = await house.finished(
      await house.send({ to: { uids: ['grace'] }, title: 'x', ignorePreferences: true }),
    );
    expect(urgent.counts.sent).toBe(1);
    await house.asApp(`${preferences}?uid=grace`, { method: 'DELETE' });
    expect((await ring()).counts.sent).toBe(1);
  });

  it('a user who wants privacy gets the privacy template, unless the app does not let users choose', async () => {
    await patch(`${preferences}?uid=grace`, { usePrivacyTemplate: true });
    await ring({ data: { text: 'secret' } });
    expect(shownTo(grace.token).at(-1).aps.alert.body).toBe('New message');
    await patch(settings, { preferences: { privacySetting: 1 } });
    await ring({ data: { text: 'secret' } });
    expect(shownTo(grace.token).at(-1).aps.alert.body).toBe('secret');
    expect((await house.asApp(settings, { method: 'DELETE' })).status).toBe(200);
    await house.asApp(`${preferences}?uid=grace`, { method: 'DELETE' });
  });

  it('messages of a kind that the user switched off are skipped, where the app lets users', async () => {
    await patch(`${preferences}?uid=grace`, { oneOnOnePreferences: { oneOnOneMessages: 1 } });
    expect((await ring()).skippedByReason).toEqual({ MESSAGES_PREFERENCE: 1 });
    await patch(settings, { preferences: { oneOnOne: { messagesOverride: false } } });
    expect((await ring()).counts.sent).toBe(1);
    await house.asApp(settings, { method: 'DELETE' });
    await house.asApp(`${preferences}?uid=grace`, { method: 'DELETE' });
  });

  it('a device sees and changes its own preferences only', async () => {
    const headers = { authToken: grace.authToken };
    const answer = await house.ask(preferences, { headers });
    expect(answer.body.data).toMatchObject({
      usePrivacyTemplate: false,
      mutePreferences: { dnd: 1 },
      oneOnOnePreferences: { oneOnOneMessages: 2 },
    });
    expect((await house.ask(`${preferences}?uid=ada`, { headers })).status).toBe(400);
    expect((await house.ask('/v3/notifications/push/v1/preferences', { headers })).body).toEqual(answer.body);
  });

  it.each([
    [settings, { templates: { oneOnOne: { title: '{{sender.nmae}}' } } }, 'templates.oneOnOne.title', /does not know/i],
    [
      settings,
      { templates: { oneOnOne: { title: '{{sender name}}' } } },
      'templates.oneOnOne.title',
      /know \{\{sender name\}\}/,
    ],
    [settings, { templates: { group: { body: '{{sender.name' } } }, 'templates.group.body', /other half/],
    [settings, { preferences: { group: { messagesSetting: 7 } } }, 'preferences.group.messagesSetting', /1, 2 or 3/],
    [settings, { preferences: { call: { busySetting: 3 } } }, 'preferences.call.busySetting', /1 or 2/],
    [`${preferences}?uid=ada`, { mutePreferences: { dnd: 3 } }, 'mutePreferences.dnd', /1 or 2/],
    [
      `${preferences}?uid=ada`,
      { groupPreferences: { groupMemberLeft: 3 } },
      'groupPreferences.groupMemberLeft',
      /1 or 2/,
    ],
    [
      `${preferences}?uid=ada`,
      { mutePreferences: { schedule: { monday: { from: 1299 } } } },
      'mutePreferences.schedule.monday.from',
      /HHMM/,
    ],
    [`${preferences}/timezone?uid=ada`, { timezone: 'Mars/Olympus' }, 'timezone', /IANA/],
    [preferences, { usePrivacyTemplate: true }, 'uid', /whose/],
  ])('answers 400 to %s naming the field', async (path, body, field, sentence) => {
    const answer = await patch(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[field]?.join(' ')).toMatch(sentence);
  });

  it('logs are filtered and paged from the newest to the oldest and back', async () => {
    for (let i = 0; i < 5; i++) await ring({ id: `page-${i}` });
    const list = async (query: string) => (await house.asApp(`/v3/notifications/v1/logs?${query}`)).body;
    const first = await list('sender=ada&success=true&limit=2');
    expect(first.data.map((log: { messageId: string }) => log.messageId)).toEqual(['page-4', 'page-3']);
    const second = await list(`sender=ada&success=true&limit=2&affix=append&logId=${first.meta.next.logId}`);
    expect(second.data.map((log: { messageId: string }) => log.messageId)).toEqual(['page-2', 'page-1']);
    const back = await list(`sender=ada&success=true&limit=2&affix=prepend&logId=${second.data[0]._id}`);
    expect(back.data.map((log: { messageId: string }) => log.messageId)).toEqual(['page-4', 'page-3']);
    const one = await list('messageId=page-2');
    expect(one.data).toHaveLength(1);
    expect(one.data[0]).toMatchObject({
      provider: 'apns',
      providerId: 'apns-main',
      tokenType: 'apns_ios_device',
      pushToken: grace.token,
      status: 200,
    });
    expect((await list('channel=sms')).data).toEqual([]);
    expect((await list(`from=${Date.now() + 60_000}`)).data).toEqual([]);
    expect((await house.asApp(`${base}/notifications/nope`)).status).toBe(400);
  });

  it('logs that fit a filter are found behind many that do not, forwards and back', async () => {
    const wish = (dnd: number) => patch(`${preferences}?uid=grace`, { mutePreferences: { dnd } });
    const quiet = async (id: string) => {
      await wish(2);
      await ring({ id, sender: 'pager' });
      await wish(1);
    };
    await quiet('oldest');
    for (let i = 0; i < 65; i++) await ring({ sender: 'pager' });
    await quiet('newest');
    // In steps so small that pages come out empty: each goes on where the last one ended.
    const logs = new PushLogs(house.app.store, 20);
    const walk = async (affix: 'append' | 'prepend', from?: string) => {
      const found: { messageId?: string; _id: string }[] = [];
      for (let place = from === undefined ? undefined : { affix, logId: from }; ; ) {
        const filter = { sender: 'pager', reason: 'DND_PREFERENCE' };
        const { data, meta } = await logs.listLogs(house.appId, filter, 2, place);
        found.push(...data);
        const next = affix === 'append' ? meta.next : meta.previous;
        if (next === undefined) return found;
        expect(next.logId).not.toBe(place?.logId);
        place = { affix, logId: next.logId };
      }
    };
    const down = await walk('append');
    expect(down.map(({ messageId }) => messageId)).toEqual(['newest', 'oldest']);
    const up = await walk('prepend', down[1]?._id);
    expect(up.map(({ messageId }) => messageId)).toEqual(['newest']);
  });
});
