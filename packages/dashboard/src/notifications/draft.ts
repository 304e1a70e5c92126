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

function uidsOf(draft: Draft): string[] {
  return draft.uids.split(/[\s,]+/).filter((uid) => uid !== '');
}

export function bodyOf(draft: Draft): Body {
  return {
    to: draft.to === 'all' ? { all: true } : { uids: uidsOf(draft) },
    ...(draft.title !== '' && { title: draft.title }),
    ...(draft.subtitle !== '' && { subtitle: draft.subtitle }),
    ...(draft.body !== '' && { body: draft.body }),
    ...(draft.badge !== '' && { badge: draft.badge }),
    ...(draft.sound && { sound: 'default' }),
    ...(draft.when === 'later' && draft.at !== '' && { sendAt: new Date(draft.at).toISOString() }),
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
  if (draft.to === 'uids' && uidsOf(draft).length === 0) mistakes.to = 'Name at least one user.';
  if (draft.title.trim() === '' && draft.body.trim() === '') mistakes.body = 'Write a title or a text.';
  if (draft.when === 'later' && draft.at === '') mistakes.sendAt = 'Choose the day and the hour.';
  else if (draft.when === 'later' && Date.parse(draft.at) <= now)
    mistakes.sendAt = 'This time has passed. Choose a later one, or “Now” above.';
  if (draft.when === 'local' && draft.localTime === '') mistakes.localTime = 'Choose the hour.';
  return mistakes;
}

/** What the service says of the receivers, with the ids it speaks of: it knows them by their number only. */
export function receiverErrors(errors: Readonly<Record<string, string>>, draft: Draft): string | undefined {
  const uids = uidsOf(draft);
  const sentences = Object.entries(errors)
    .filter(([field]) => isOfReceivers(field))
    .map(([field, sentence]) => {
      const uid = uids[Number(/^to\.uids\.(\d+)$/.exec(field)?.[1] ?? Number.NaN)];
      return uid === undefined ? sentence : `“${uid}”: ${sentence}`;
    });
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

export function isOfReceivers(field: string): boolean {
  return field === 'to' || field.startsWith('to.');
}
