import { audit, type By } from '../apps/audit.ts';
import { Problems } from '../errors.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { callActions, capital, memberActions } from './chat-event.ts';
import { type NotificationSettings, openSchedule, type Settings } from './settings.ts';
import { checkTimezone } from './timezone.ts';
import { type Tree, tree } from './tree.ts';

const oneOnOneEvents = ['Messages', 'Replies', 'Reactions'];
const groupEvents = [...oneOnOneEvents, ...memberActions.map((action) => `Member${capital(action)}`)];
const callEvents = callActions.map(capital);

/** What a user wants, in the platform's words. */
export interface Preferences {
  groupPreferences: Record<string, number>;
  oneOnOnePreferences: Record<string, number>;
  callPreferences: Record<string, number>;
  mutePreferences: { dnd: number; schedule: Record<string, { from: number; to: number; dnd: boolean }> };
  usePrivacyTemplate: boolean;
}

const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

const standards = new WeakMap<Settings, Preferences>();

/** What holds for a user who said nothing: the app's own settings. Worked out once for as long as those stand. */
export function preferencesBy(settings: Settings): Preferences {
  let standard = standards.get(settings);
  if (standard === undefined) {
    standard = standardOf(settings);
    standards.set(settings, standard);
  }
  return standard;
}

function standardOf({ preferences }: Settings): Preferences {
  const of = (side: Record<string, number | boolean>, prefix: string, names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [prefix + name, Number(side[`${lower(name)}Setting`] ?? 2)]));
  return {
    groupPreferences: of(preferences.group, 'group', groupEvents),
    oneOnOnePreferences: of(preferences.oneOnOne, 'oneOnOne', oneOnOneEvents),
    callPreferences: of(preferences.call, 'call', callEvents),
    mutePreferences: {
      dnd: preferences.mute.dndPreferenceSetting,
      schedule: preferences.mute.schedulePreferenceSetting,
    },
    usePrivacyTemplate: preferences.privacySetting === 2,
  };
}

/** What the user said counts where the app lets users override. */
export function effectivePreferences(settings: Settings, said: Tree | undefined): Preferences {
  const standard = preferencesBy(settings);
  if (said === undefined) return standard;
  const wished = tree.merge(standard, said);
  const { group, oneOnOne, call, mute, privacySetting } = settings.preferences;
  const pick = (
    side: Record<string, number | boolean>,
    prefix: string,
    wish: Record<string, number>,
    own: Record<string, number>,
  ) =>
    Object.fromEntries(
      Object.keys(own).map((name) => {
        const mayOverride = side[`${lower(name.slice(prefix.length))}Override`] === true;
        return [name, Number((mayOverride ? wish : own)[name])];
      }),
    );
  return {
    groupPreferences: pick(group, 'group', wished.groupPreferences, standard.groupPreferences),
    oneOnOnePreferences: pick(oneOnOne, 'oneOnOne', wished.oneOnOnePreferences, standard.oneOnOnePreferences),
    callPreferences: pick(call, 'call', wished.callPreferences, standard.callPreferences),
    mutePreferences: {
      dnd: mute.dndPreferenceOverride ? wished.mutePreferences.dnd : standard.mutePreferences.dnd,
      schedule: mute.schedulePreferenceOverride ? wished.mutePreferences.schedule : standard.mutePreferences.schedule,
    },
    usePrivacyTemplate: privacySetting === 3 ? wished.usePrivacyTemplate : standard.usePrivacyTemplate,
  };
}

/** Knows every name a user may set. */
const model: Preferences = {
  groupPreferences: Object.fromEntries(groupEvents.map((name) => [`group${name}`, 2])),
  oneOnOnePreferences: Object.fromEntries(oneOnOneEvents.map((name) => [`oneOnOne${name}`, 2])),
  callPreferences: Object.fromEntries(callEvents.map((name) => [`call${name}`, 2])),
  mutePreferences: { dnd: 1, schedule: openSchedule },
  usePrivacyTemplate: false,
};

export interface Mute {
  id: string;
  type: 'oneOnOne' | 'group';
  /** Milliseconds. */
  until: number;
}

type Target = By & { appId: string; uid: string };

/** What users want of their notifications. */
export class UserPreferences {
  private readonly store: Store;
  private readonly settings: NotificationSettings;

  constructor(store: Store, settings: NotificationSettings) {
    this.store = store;
    this.settings = settings;
  }

  async getPreferences(appId: string, uid: string): Promise<Preferences> {
    const row = await findPreferences(this.store, appId, uid);
    const settings = await this.settings.getSettings(appId);
    return effectivePreferences(settings, row === undefined ? undefined : (JSON.parse(row.body) as Tree));
  }

  async updatePreferences(target: Target, patch: object): Promise<Preferences> {
    const problems = new Problems();
    tree.check(model, patch, '', problems);
    problems.throwIfAny();
    await this.store.change(patchPreferences, { ...target, patch });
    return this.getPreferences(target.appId, target.uid);
  }

  async resetPreferences(target: Target): Promise<Preferences> {
    await this.store.change(resetPreferences, target);
    return this.getPreferences(target.appId, target.uid);
  }

  async getTimezone(appId: string, uid: string): Promise<string> {
    return (await findPreferences(this.store, appId, uid))?.timezone || 'UTC';
  }

  async updateTimezone(target: Target, timezone: string): Promise<string> {
    const checked = checkTimezone(timezone);
    await this.store.change(setTimezone, { ...target, timezone: checked });
    return checked;
  }

  async getMutes(appId: string, uid: string): Promise<Mute[]> {
    const rows = await this.store.all<{ conversation_id: string; conversation_type: Mute['type']; until: number }>(
      "SELECT conversation_id, conversation_type, until FROM push_mutes WHERE (app_id || ':' || uid) = $1 AND until > $2 ORDER BY conversation_type, conversation_id",
      [`${appId}:${uid}`, Date.now()],
    );
    return rows.map((row) => ({ id: row.conversation_id, type: row.conversation_type, until: row.until }));
  }

  muteConversations(target: Target, conversations: readonly Mute[]): Promise<void> {
    return this.store.change(muteConversations, { ...target, conversations });
  }

  unmuteConversations(target: Target, conversations: readonly Omit<Mute, 'until'>[]): Promise<void> {
    return this.store.change(unmuteConversations, { ...target, conversations });
  }
}

export type PreferencesRow = { body: string; timezone: string };

function findPreferences(store: Reader, appId: string, uid: string): Promise<PreferencesRow | undefined> {
  return store.get<PreferencesRow>('SELECT body, timezone FROM push_preferences WHERE app_id = $1 AND uid = $2', [
    appId,
    uid,
  ]);
}

async function write(tx: Tx, { appId, uid }: Target, row: PreferencesRow): Promise<void> {
  await tx.run(
    `INSERT INTO push_preferences (app_id, uid, body, timezone, updated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (app_id, uid) DO UPDATE SET body = excluded.body, timezone = excluded.timezone, updated_at = excluded.updated_at`,
    [appId, uid, row.body, row.timezone, tx.now],
  );
}

export async function patchPreferences(tx: Tx, target: Target & { patch: object }): Promise<void> {
  const { appId, uid, actor } = target;
  await tx.lock(`preferences:${appId}:${uid}`);
  const row = await findPreferences(tx, appId, uid);
  const known = tree.only(model, target.patch as Tree);
  const body = JSON.stringify(tree.merge(row === undefined ? {} : (JSON.parse(row.body) as Tree), known));
  await write(tx, target, { body, timezone: row?.timezone ?? '' });
  await audit(tx, { appId, actor, action: 'updatePreferences', target: uid, after: known });
}

/** The time zone is no wish: it stays. */
export async function resetPreferences(tx: Tx, { appId, uid, actor }: Target): Promise<void> {
  await tx.lock(`preferences:${appId}:${uid}`);
  await tx.run("UPDATE push_preferences SET body = '{}', updated_at = $3 WHERE app_id = $1 AND uid = $2", [
    appId,
    uid,
    tx.now,
  ]);
  await audit(tx, { appId, actor, action: 'resetPreferences', target: uid });
}

export async function setTimezone(tx: Tx, target: Target & { timezone: string }): Promise<void> {
  const { appId, uid, actor, timezone } = target;
  await tx.lock(`preferences:${appId}:${uid}`);
  const row = await findPreferences(tx, appId, uid);
  await write(tx, target, { body: row?.body ?? '{}', timezone });
  await audit(tx, { appId, actor, action: 'updateTimezone', target: uid, after: { timezone } });
}

export async function muteConversations(tx: Tx, target: Target & { conversations: readonly Mute[] }): Promise<void> {
  const { appId, uid, actor } = target;
  // Of one that is named twice the last counts: no statement may write a row twice.
  const conversations = [...new Map(target.conversations.map((one) => [`${one.type} ${one.id}`, one])).values()];
  await tx.insertMany(
    'push_mutes',
    ['app_id', 'conversation_type', 'conversation_id', 'uid', 'until'],
    conversations.map(({ id, type, until }) => [appId, type, id, uid, until]),
    'ON CONFLICT (app_id, conversation_type, conversation_id, uid) DO UPDATE SET until = excluded.until',
  );
  await audit(tx, { appId, actor, action: 'muteConversations', target: uid, after: conversations });
}

export async function unmuteConversations(
  tx: Tx,
  { appId, uid, actor, conversations }: Target & { conversations: readonly Omit<Mute, 'until'>[] },
): Promise<void> {
  for (const { id, type } of conversations)
    await tx.run(
      'DELETE FROM push_mutes WHERE app_id = $1 AND conversation_type = $2 AND conversation_id = $3 AND uid = $4',
      [appId, type, id, uid],
    );
  await audit(tx, { appId, actor, action: 'unmuteConversations', target: uid, after: conversations });
}
