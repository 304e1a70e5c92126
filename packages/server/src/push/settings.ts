import { audit, type By } from '../apps/audit.ts';
import { Problems } from '../errors.ts';
import { Cache } from '../store/cache.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { callActions, capital, memberActions } from './chat-event.ts';
import { checkTemplate } from './template.ts';
import { type Tree, tree } from './tree.ts';

/** 1: none. 2: all (of a reaction: to one's own messages). 3: mentions only (of a reaction: to all messages). */
const events = (names: readonly string[], setting: number): Record<string, number | boolean> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [`${name}Setting`, setting],
      [`${name}Override`, true],
    ]),
  );

const day = { from: 0, to: 2359, dnd: false };
export const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export const openSchedule = Object.fromEntries(weekdays.map((name) => [name, day]));
const memberEvents = memberActions.map((action) => `member${capital(action)}`);
/** What a phone must hear of: that it rings, that it need not ring any more, and that it rang in vain. */
const callsHeard = ['initiated', 'cancelled', 'unanswered'];
const callsUnheard = callActions.filter((action) => !callsHeard.includes(action));

/** What an app that changed nothing has. Its shape is what PATCH may change; its values are the defaults. */
export const standardSettings = {
  preferences: {
    group: {
      ...events(['messages', 'replies', 'reactions'], 2),
      ...events(memberEvents, 1),
      messageEditedSetting: 2,
      messageDeletedSetting: 2,
    } as Record<string, number | boolean>,
    oneOnOne: {
      ...events(['messages', 'replies', 'reactions'], 2),
      messageEditedSetting: 2,
      messageDeletedSetting: 2,
    } as Record<string, number | boolean>,
    call: { ...events(callsHeard, 2), ...events(callsUnheard, 1) },
    mute: {
      dndPreferenceSetting: 1,
      dndPreferenceOverride: true,
      schedulePreferenceSetting: openSchedule,
      schedulePreferenceOverride: true,
    },
    push: {
      includeMessageObjectSetting: false,
      includeSenderMetadataSetting: false,
      includeReceiverMetadataSetting: false,
      includeMessageMetadataSetting: false,
      trimTextFieldSetting: true,
    },
    bypassPreferencesForMentions: false,
    /** 1: the templates. 2: the privacy templates for everybody. 3: as each user wants. */
    privacySetting: 3,
  },
  sounds: { chat: 'default', call: 'default' },
  templates: {
    oneOnOne: { title: '{{sender.name}}', body: '{{message.text}}' },
    group: { title: '{{sender.name}} @ {{receiver.name}}', body: '{{message.text}}' },
    image: { body: '📷 Photo' },
    video: { body: '📹 Video' },
    audio: { body: '🎵 Audio' },
    file: { body: '📄 File' },
    custom: { body: 'New message' },
    edited: { body: '✏️ {{message.text}}' },
    deleted: { body: '🗑️ Message deleted' },
    reaction: { body: 'Reacted with {{message.reaction}}' },
    member: {
      left: '{{member.name}} left',
      added: '{{member.name}} was added',
      joined: '{{member.name}} joined',
      kicked: '{{member.name}} was removed',
      banned: '{{member.name}} was banned',
      unbanned: '{{member.name}} may come back',
      scopeChanged: '{{member.name}} is now {{member.scope}}',
    },
    call: {
      initiated: 'Incoming {{message.type}} call',
      ongoing: 'The call has begun',
      cancelled: 'The call was cancelled',
      rejected: 'The call was declined',
      unanswered: 'Missed {{message.type}} call',
      busy: 'Busy',
      ended: 'The call has ended',
    },
    privacy: { title: '{{sender.name}}', body: 'New message' },
  },
};

export type Settings = typeof standardSettings;
export type Templates = Settings['templates'];

/** The notification settings of each app: preferences, sounds, templates. */
export class NotificationSettings {
  private readonly store: Store;
  private readonly cache: Cache<Settings>;

  constructor(store: Store) {
    this.store = store;
    this.cache = new Cache(store, 'pushSettings', (appId) => readSettings(store, appId), 1000);
  }

  async getSettings(appId: string): Promise<Settings> {
    return (await this.cache.get(appId)) ?? standardSettings;
  }

  async updateSettings(target: By & { appId: string }, patch: object): Promise<Settings> {
    const problems = new Problems();
    tree.check(standardSettings, patch, '', problems);
    checkTemplates(patch, problems);
    problems.throwIfAny();
    await this.store.change(patchSettings, { ...target, patch });
    return this.getSettings(target.appId);
  }

  resetSettings(target: By & { appId: string }): Promise<void> {
    return this.store.change(resetSettings, target);
  }
}

function checkTemplates(patch: object, problems: Problems): void {
  const templates: unknown = 'templates' in patch ? patch.templates : undefined;
  for (const [name, template] of Object.entries(templates ?? {}))
    for (const [part, text] of Object.entries((template ?? {}) as object))
      if (typeof text === 'string') checkTemplate(text, `templates.${name}.${part}`, problems);
}

async function readSettings(store: Reader, appId: string): Promise<Settings> {
  const row = await store.get<{ body: string }>('SELECT body FROM push_settings WHERE app_id = $1', [appId]);
  return row === undefined ? standardSettings : tree.merge(standardSettings, JSON.parse(row.body) as Tree);
}

/** Only what differs from the defaults is stored: a default that gets better gets better for everybody. */
export async function patchSettings(
  tx: Tx,
  { appId, actor, patch }: By & { appId: string; patch: object },
): Promise<void> {
  await tx.lock(`pushSettings:${appId}`);
  const row = await tx.get<{ body: string }>('SELECT body FROM push_settings WHERE app_id = $1', [appId]);
  const known = tree.only(standardSettings, patch as Tree);
  const body = JSON.stringify(tree.merge(row === undefined ? {} : (JSON.parse(row.body) as Tree), known));
  await tx.run(
    `INSERT INTO push_settings (app_id, body, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (app_id) DO UPDATE SET body = excluded.body, updated_at = excluded.updated_at`,
    [appId, body, tx.now],
  );
  await audit(tx, { appId, actor, action: 'updateSettings', target: appId, after: known });
  tx.touch(`pushSettings:${appId}`);
}

export async function resetSettings(tx: Tx, { appId, actor }: By & { appId: string }): Promise<void> {
  await tx.run('DELETE FROM push_settings WHERE app_id = $1', [appId]);
  await audit(tx, { appId, actor, action: 'resetSettings', target: appId });
  tx.touch(`pushSettings:${appId}`);
}
