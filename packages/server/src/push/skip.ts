import { type ChatEventName, capital } from './chat-event.ts';
import type { ChatContext, NotificationBody } from './notification.ts';
import { effectivePreferences, type Preferences } from './preferences.ts';
import { type Settings, weekdays } from './settings.ts';
import { wallClock } from './timezone.ts';
import type { Tree } from './tree.ts';

/**
 * Why somebody does not want it, in the words of the platform's log: MUTE_PREFERENCE, DND_PREFERENCE, SCHEDULE_PREFERENCE,
 * MENTIONS_PREFERENCE, and one for each event, such as MEMBER_LEFT_PREFERENCE.
 */
type PreferenceReason = `${string}_PREFERENCE`;

/**
 * Why somebody is not notified. TOKEN_GONE: the device token was deleted, or its device has another one, since the push was
 * planned. TOKEN_MOVED: it is another user's, or of another kind. PROVIDER_DISABLED: the custom provider was switched off.
 */
export type SkipReason = PreferenceReason | 'TOKEN_GONE' | 'TOKEN_MOVED' | 'PROVIDER_DISABLED';

function reasonOf(event: ChatEventName): PreferenceReason {
  return `${event.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}_PREFERENCE`;
}

export interface Reader {
  uid: string;
  /** JSON, or null when the user said nothing. */
  preferences: string | null;
  timezone: string;
}

interface Clock {
  day: string;
  dayBefore: string;
  hhmm: number;
}

/** Decides for the users of one notification at one moment. Pure, and cheap for those who said nothing. */
export class SkipRules {
  private readonly settings: Settings;
  private readonly body: NotificationBody;
  private readonly mutedBy: ReadonlySet<string>;
  private readonly now: number;
  private readonly standard: Preferences;
  private readonly asksForPreferences: boolean;
  private readonly clocks = new Map<string, Clock>();

  /** `mutedBy` are the users who muted the conversation. */
  constructor(settings: Settings, body: NotificationBody, mutedBy: ReadonlySet<string>, now: number) {
    this.settings = settings;
    this.body = body;
    this.mutedBy = mutedBy;
    this.now = now;
    this.standard = effectivePreferences(settings, undefined);
    // What nobody sees or hears disturbs nobody; a VoIP push that was asked for as such is judged by the phone itself.
    this.asksForPreferences = !body.ignorePreferences && (body.pushType === 'alert' || body.pushType === 'call');
  }

  wantsPrivacy(reader: Reader): boolean {
    return this.body.privateContent !== undefined && this.preferencesOf(reader).usePrivacyTemplate;
  }

  whySkip(reader: Reader): PreferenceReason | undefined {
    if (!this.asksForPreferences) return undefined;
    const { chat } = this.body;
    const isMentioned = chat?.mentioned.includes(reader.uid) ?? false;
    if (isMentioned && this.settings.preferences.bypassPreferencesForMentions) return undefined;
    if (this.mutedBy.has(reader.uid)) return 'MUTE_PREFERENCE';
    const preferences = this.preferencesOf(reader);
    const byEvent = chat && this.whyEvent(chat, preferences, reader.uid);
    if (byEvent !== undefined) return byEvent;
    if (preferences.mutePreferences.dnd === 2) return 'DND_PREFERENCE';
    return this.isOutsideSchedule(preferences, reader.timezone) ? 'SCHEDULE_PREFERENCE' : undefined;
  }

  private preferencesOf({ preferences }: Reader): Preferences {
    if (preferences === null || preferences === '{}') return this.standard;
    return effectivePreferences(this.settings, JSON.parse(preferences) as Tree);
  }

  private whyEvent(chat: ChatContext, preferences: Preferences, uid: string): PreferenceReason | undefined {
    const { event } = chat;
    const wish = this.wishFor(chat, preferences);
    if (wish === 1) return reasonOf(event);
    if (event === 'reactions') return wish === 2 && chat.author !== uid ? reasonOf(event) : undefined;
    const wantsMentionsOnly = wish === 3 && (event === 'messages' || event === 'replies');
    return wantsMentionsOnly && !chat.mentioned.includes(uid) ? 'MENTIONS_PREFERENCE' : undefined;
  }

  private wishFor({ event, receiverType }: ChatContext, preferences: Preferences): number | undefined {
    if (event.startsWith('call')) return preferences.callPreferences[event];
    const isGroup = receiverType === 'group';
    // Of these the app decides for all its users.
    if (event === 'messageEdited' || event === 'messageDeleted')
      return Number(this.settings.preferences[isGroup ? 'group' : 'oneOnOne'][`${event}Setting`]);
    return isGroup
      ? preferences.groupPreferences[`group${capital(event)}`]
      : preferences.oneOnOnePreferences[`oneOnOne${capital(event)}`];
  }

  /**
   * `from` and `to` say when notifications are welcome. Where `to` lies before `from` that is until `to` of the next day,
   * whatever that day says.
   */
  private isOutsideSchedule({ mutePreferences: { schedule } }: Preferences, timezone: string): boolean {
    const { day, dayBefore, hhmm } = this.clockIn(timezone);
    const night = schedule[dayBefore];
    if (night !== undefined && !night.dnd && night.to < night.from && hhmm <= night.to) return false;
    const today = schedule[day];
    if (today === undefined) return false;
    if (today.dnd || hhmm < today.from) return true;
    return today.from <= today.to && hhmm > today.to;
  }

  private clockIn(timezone: string): Clock {
    let clock = this.clocks.get(timezone);
    if (clock === undefined) {
      const { weekday, minute } = wallClock(timezone, this.now);
      const [day = 'sunday', dayBefore = 'saturday'] = [weekdays[weekday], weekdays[(weekday + 6) % 7]];
      clock = { day, dayBefore, hhmm: Math.floor(minute / 60) * 100 + (minute % 60) };
      this.clocks.set(timezone, clock);
    }
    return clock;
  }
}
