import { Type } from '#typebox';
import { actorOf, type Caller } from '../caller.ts';
import { badField } from '../errors.ts';
import { timeMs, uidField } from '../fields.ts';
import { success } from '../http/envelope.ts';
import { type Operation, operation } from '../http/operation.ts';
import { preferencesBy, type UserPreferences } from './preferences.ts';
import { type NotificationSettings, standardSettings } from './settings.ts';

const tag = 'Push preferences';
const on = ['app'] as const;
/** The platform has them under both. */
const bases = ['/notifications/v1', '/notifications/push/v1'] as const;

const tree = Type.Record(Type.String(), Type.Unknown());
const query = Type.Object({ uid: Type.Optional(uidField) });
const conversation = {
  id: Type.String({ minLength: 1, maxLength: 100 }),
  type: Type.Union([Type.Literal('oneOnOne'), Type.Literal('group')]),
};
const until = timeMs('Milliseconds since the epoch.');
const mutes = Type.Object({
  conversations: Type.Array(Type.Object({ ...conversation, until }), { minItems: 1, maxItems: 100 }),
});
const unmutes = Type.Object({
  conversations: Type.Array(Type.Object(conversation), { minItems: 1, maxItems: 100 }),
});
const mutedList = Type.Object({
  data: Type.Object({ conversations: Type.Array(Type.Object({ ...conversation, until })) }),
});
/** The platform's SDK believes an answer only when it says `success`. */
const timezoneAnswer = Type.Object({ data: Type.Object({ timezone: Type.String(), success: Type.Boolean() }) });

/** A device speaks for its own user, a key for the one it names. */
function userOf(caller: Caller, uid: string | undefined): string {
  if (caller.kind === 'device') {
    if (uid !== undefined && uid !== caller.uid) throw badField('uid', 'Differs from the user of the auth token.');
    return caller.uid;
  }
  if (uid === undefined) throw badField('uid', 'Say whose preferences: uid in the query, or call with an authToken.');
  return uid;
}

const target = (caller: Caller, appId: string, uid: string | undefined) => ({
  appId,
  uid: userOf(caller, uid),
  actor: actorOf(caller),
});

export function preferenceRoutes(settings: NotificationSettings, preferences: UserPreferences): Operation[] {
  const both = bases.flatMap((base, i) => userRoutes(preferences, base, i === 0 ? '' : 'Push'));
  return [...settingsRoutes(settings), ...both];
}

function settingsRoutes(settings: NotificationSettings): Operation[] {
  const path = '/notifications/v1/settings';
  const response = Type.Object({ data: tree });
  return [
    operation({
      id: 'getNotificationSettings',
      method: 'GET',
      path,
      on,
      tag,
      summary: 'The preferences, sounds and templates of the app.',
      response,
      example: { data: standardSettings },
      handle: async ({ appId }) => ({ data: await settings.getSettings(appId) }),
    }),
    operation({
      id: 'updateNotificationSettings',
      method: 'PATCH',
      path,
      on,
      tag,
      summary: 'Change some of the settings; what is not named stays.',
      body: tree,
      response,
      example: { data: standardSettings },
      handle: async ({ caller, appId, body }) => ({
        data: await settings.updateSettings({ appId, actor: actorOf(caller) }, body),
      }),
    }),
    operation({
      id: 'resetNotificationSettings',
      method: 'DELETE',
      path,
      on,
      tag,
      summary: 'Back to the defaults.',
      response: success,
      example: { data: { success: true } },
      handle: async ({ caller, appId }) => {
        await settings.resetSettings({ appId, actor: actorOf(caller) });
        return { data: { success: true } };
      },
    }),
  ];
}

function userRoutes(preferences: UserPreferences, base: string, infix: string): Operation[] {
  const path = `${base}/preferences`;
  const shared = { on, tag, access: 'device', path, query, response: Type.Object({ data: tree }) } as const;
  const example = { data: preferencesBy(standardSettings) };
  return [
    operation({
      ...shared,
      id: `get${infix}Preferences`,
      method: 'GET',
      summary: 'What a user wants of notifications.',
      example,
      handle: async ({ caller, appId, query: { uid } }) => ({
        data: await preferences.getPreferences(appId, userOf(caller, uid)),
      }),
    }),
    operation({
      ...shared,
      id: `update${infix}Preferences`,
      method: 'PATCH',
      summary: 'Change some of the preferences of a user; what is not named stays.',
      body: tree,
      example,
      handle: async ({ caller, appId, query: { uid }, body }) => {
        const { uid: named, ...patch } = body;
        const user = uid ?? (typeof named === 'string' ? named : undefined);
        return { data: await preferences.updatePreferences(target(caller, appId, user), patch) };
      },
    }),
    operation({
      ...shared,
      id: `reset${infix}Preferences`,
      method: 'DELETE',
      summary: "Back to the app's defaults.",
      example,
      handle: async ({ caller, appId, query: { uid } }) => ({
        data: await preferences.resetPreferences(target(caller, appId, uid)),
      }),
    }),
    ...muteRoutes(preferences, path, infix),
    ...timezoneRoutes(preferences, path, infix),
  ];
}

function muteRoutes(preferences: UserPreferences, base: string, infix: string): Operation[] {
  const shared = { on, tag, access: 'device', path: `${base}/mute`, query } as const;
  const example = { data: { conversations: [{ id: 'grace', type: 'oneOnOne', until: 1_770_000_000_000 }] } };
  return [
    operation({
      ...shared,
      id: `list${infix}MutedConversations`,
      method: 'GET',
      summary: 'The conversations a user has muted.',
      response: mutedList,
      example,
      handle: async ({ caller, appId, query: { uid } }) => ({
        data: { conversations: await preferences.getMutes(appId, userOf(caller, uid)) },
      }),
    }),
    operation({
      ...shared,
      id: `mute${infix}Conversations`,
      method: 'PUT',
      summary: 'Mute conversations until a time.',
      body: mutes,
      response: success,
      example: { data: { success: true } },
      handle: async ({ caller, appId, query: { uid }, body }) => {
        await preferences.muteConversations(target(caller, appId, uid), body.conversations);
        return { data: { success: true } };
      },
    }),
    operation({
      ...shared,
      id: `unmute${infix}Conversations`,
      method: 'DELETE',
      summary: 'Unmute conversations.',
      body: unmutes,
      response: success,
      example: { data: { success: true } },
      handle: async ({ caller, appId, query: { uid }, body }) => {
        await preferences.unmuteConversations(target(caller, appId, uid), body.conversations);
        return { data: { success: true } };
      },
    }),
  ];
}

function timezoneRoutes(preferences: UserPreferences, base: string, infix: string): Operation[] {
  const shared = { on, tag, access: 'device', path: `${base}/timezone`, query, response: timezoneAnswer } as const;
  const example = { data: { timezone: 'Europe/Berlin', success: true } };
  return [
    operation({
      ...shared,
      id: `get${infix}Timezone`,
      method: 'GET',
      summary: 'The time zone of a user.',
      example,
      handle: async ({ caller, appId, query: { uid } }) => ({
        data: { timezone: await preferences.getTimezone(appId, userOf(caller, uid)), success: true },
      }),
    }),
    operation({
      ...shared,
      id: `update${infix}Timezone`,
      method: 'PATCH',
      summary: 'Set the time zone of a user.',
      body: Type.Object({ timezone: Type.String({ minLength: 1, maxLength: 64 }) }),
      example,
      handle: async ({ caller, appId, query: { uid }, body }) => ({
        data: { timezone: await preferences.updateTimezone(target(caller, appId, uid), body.timezone), success: true },
      }),
    }),
  ];
}
