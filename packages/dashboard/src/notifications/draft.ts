import type { SendNotificationInput } from '@gatehouse/client';

type Body = NonNullable<SendNotificationInput['body']>;

export interface Draft {
  to: 'uids' | 'all';
  uids: string;
  title: string;
  subtitle: string;
  body: string;
  badge: number | '';
  sound: boolean;
  when: 'now' | 'later' | 'local';
  /** As the browser's field writes it, in the browser's own time zone; empty until day and hour are complete. */
  at: string;
  localTime: string;
  ignorePreferences: boolean;
}

export const emptyDraft: Draft = {
  to: 'uids',
  uids: '',
  title: '',
  subtitle: '',
  body: '',
  badge: '',
  sound: true,
  when: 'now',
  at: '',
  localTime: '09:00',
  ignorePreferences: false,
};

export function bodyOf(draft: Draft): Body {
  const uids = draft.uids.split(/[\s,]+/).filter((uid) => uid !== '');
  return {
    to: draft.to === 'all' ? { all: true } : { uids },
    ...(draft.title !== '' && { title: draft.title }),
    ...(draft.subtitle !== '' && { subtitle: draft.subtitle }),
    ...(draft.body !== '' && { body: draft.body }),
    ...(draft.badge !== '' && { badge: draft.badge }),
    ...(draft.sound && { sound: 'default' }),
    ...(draft.when !== 'now' && draft.at !== '' && { sendAt: new Date(draft.at).toISOString() }),
    ...(draft.when === 'local' && { localTime: draft.localTime }),
    ...(draft.ignorePreferences && { ignorePreferences: true }),
  };
}

/**
 * What would go out otherwise than it was meant, by the names of the fields. A time that is missing is left out of the
 * request, and what has no time is sent at once, which cannot be taken back.
 */
export function mistakesOf(draft: Draft, now = Date.now()): Readonly<Record<string, string>> {
  const mistakes: Record<string, string> = {};
  if (draft.when === 'later' && draft.at === '') mistakes.sendAt = 'Choose the day and the hour.';
  else if (draft.when === 'later' && Date.parse(draft.at) <= now)
    mistakes.sendAt = 'This time has passed. Choose a later one, or “Now” above.';
  if (draft.when === 'local' && draft.localTime === '') mistakes.localTime = 'Choose the hour.';
  return mistakes;
}
