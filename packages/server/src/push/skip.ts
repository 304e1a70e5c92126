import type { ChatContext, NotificationBody } from './notification.ts';
import { effectivePreferences, type Preferences } from './preferences.ts';
import { type Settings, weekdays } from './settings.ts';
import { wallClock } from './timezone.ts';
import type { Tree } from './tree.ts';

/** Why somebody is not notified, in the words of the platform's log. */
export type SkipReason =
  | 'MUTE_PREFERENCE'
  | 'DND_PREFERENCE'
  | 'SCHEDULE_PREFERENCE'
  | 'MESSAGES_PREFERENCE'
  | 'REPLIES_PREFERENCE'
  | 'MENTIONS_PREFERENCE';

export interface Reader {
  uid: string;
  /** JSON, or null when the user said nothing. */
  preferences: string | null;
  timezone: string;
}

/** Decides for the users of one notification at one moment. Pure, and cheap for those who said nothing. */
export class SkipRules {
  private readonly settings: Settings;
  private readonly body: NotificationBody;
  private readonly mutedBy: ReadonlySet<string>;
  private readonly now: number;
  private readonly standard: Preferences;
  private readonly asksForPreferences: boolean;
  private readonly clocks = new Map<string, { day: string; hhmm: number }>();

  /** `mutedBy` are the users who muted the conversation. */
  constructor(settings: Settings, body: NotificationBody, mutedBy: ReadonlySet<string>, now: number) {
    this.settings = settings;
    this.body = body;
    this.mutedBy = mutedBy;
    this.now = now;
    this.standard = effectivePreferences(settings, undefined);
    // What nobody sees or hears disturbs nobody; a call that rings is judged by the phone itself.
    this.asksForPreferences = !body.ignorePreferences && body.pushType === 'alert';
  }

  wantsPrivacy(reader: Reader): boolean {
    return this.body.privateContent !== undefined && this.preferencesOf(reader).usePrivacyTemplate;
  }

  whySkip(reader: Reader): SkipReason | undefined {
    if (!this.asksForPreferences) return undefined;
    const { chat } = this.body;
    const isMentioned = chat?.mentioned.includes(reader.uid) ?? false;
    if (isMentioned && this.settings.preferences.bypassPreferencesForMentions) return undefined;
    if (this.mutedBy.has(reader.uid)) return 'MUTE_PREFERENCE';
    const preferences = this.preferencesOf(reader);
    const byEvent = chat && this.whyEvent(chat, preferences, isMentioned);
    if (byEvent !== undefined) return byEvent;
    if (preferences.mutePreferences.dnd === 2) return 'DND_PREFERENCE';
    return this.isOutsideSchedule(preferences, reader.timezone) ? 'SCHEDULE_PREFERENCE' : undefined;
  }

  private preferencesOf({ preferences }: Reader): Preferences {
    if (preferences === null || preferences === '{}') return this.standard;
    return effectivePreferences(this.settings, JSON.parse(preferences) as Tree);
  }

  private whyEvent(chat: ChatContext, preferences: Preferences, isMentioned: boolean): SkipReason | undefined {
    const isGroup = chat.receiverType === 'group';
    const side = isGroup ? preferences.groupPreferences : preferences.oneOnOnePreferences;
    const event = chat.event === 'replies' ? 'Replies' : 'Messages';
    const wish = side[`${isGroup ? 'group' : 'oneOnOne'}${event}`];
    if (wish === 1) return event === 'Replies' ? 'REPLIES_PREFERENCE' : 'MESSAGES_PREFERENCE';
    return wish === 3 && !isMentioned ? 'MENTIONS_PREFERENCE' : undefined;
  }

  /** `from` and `to` say when notifications are welcome. Where `to` lies before `from` that is over midnight. */
  private isOutsideSchedule({ mutePreferences }: Preferences, timezone: string): boolean {
    const { day, hhmm } = this.clockIn(timezone);
    const today = mutePreferences.schedule[day];
    if (today === undefined) return false;
    if (today.dnd) return true;
    if (today.from === 0 && today.to === 2359) return false;
    return today.from <= today.to ? hhmm < today.from || hhmm > today.to : hhmm < today.from && hhmm > today.to;
  }

  private clockIn(timezone: string): { day: string; hhmm: number } {
    let clock = this.clocks.get(timezone);
    if (clock === undefined) {
      const { weekday, minute } = wallClock(timezone, this.now);
      clock = { day: weekdays[weekday] ?? 'sunday', hhmm: Math.floor(minute / 60) * 100 + (minute % 60) };
      this.clocks.set(timezone, clock);
    }
    return clock;
  }
}
