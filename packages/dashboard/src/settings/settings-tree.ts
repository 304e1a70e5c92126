/** The settings are a tree whose shape the service owns; the form shows its leaves, whatever they are. */
export interface Leaf {
  /** Such as templates.group.title, as errors name it too. */
  path: string;
  value: string | number | boolean;
}

export function leavesOf(tree: object, at = ''): Leaf[] {
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) => {
    const path = at === '' ? name : `${at}.${name}`;
    if (typeof value === 'object' && value !== null) return leavesOf(value, path);
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [{ path, value }]
      : [];
  });
}

type Tree = { [name: string]: Tree | Leaf['value'] };

export function treeOf(leaves: readonly Leaf[]): Tree {
  const root: Tree = {};
  for (const { path, value } of leaves) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = root;
    for (const name of names) {
      const next = at[name];
      const below: Tree = typeof next === 'object' ? next : {};
      at[name] = below;
      at = below;
    }
    at[last] = value;
  }
  return root;
}

const placeWords: Readonly<Record<string, string>> = {
  oneOnOne: 'One on one',
  group: 'Groups',
  call: 'Calls',
  mute: 'Do not disturb',
  push: 'In the payload',
  edited: 'Edited message',
  deleted: 'Deleted message',
  reaction: 'Reaction',
  member: 'Members',
  image: 'Picture',
  video: 'Video',
  audio: 'Sound',
  file: 'File',
  custom: 'Custom message',
  privacy: 'Without content',
};

const whatWords: Readonly<Record<string, string>> = {
  initiated: 'somebody calls',
  ongoing: 'the call begins',
  unanswered: 'missed',
  rejected: 'declined',
};

export interface LeafWords {
  label: string;
  choices?: { value: string; label: string }[];
  /** An hour of the day, which the service writes as the number HHMM. */
  isHour?: boolean;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const whole: Readonly<Record<string, LeafWords>> = {
  'preferences.mute.dndPreferenceSetting': {
    label: 'Do not disturb',
    choices: [
      { value: '1', label: 'Off' },
      { value: '2', label: 'On' },
    ],
  },
  'preferences.mute.dndPreferenceOverride': { label: 'Users may choose: do not disturb' },
  'preferences.mute.schedulePreferenceOverride': { label: 'Users may choose: their own hours' },
  'preferences.push.includeMessageObjectSetting': { label: 'A push carries the whole message' },
  'preferences.push.includeSenderMetadataSetting': { label: 'A push carries more about the sender' },
  'preferences.push.includeReceiverMetadataSetting': { label: 'A push carries more about the receiver' },
  'preferences.push.includeMessageMetadataSetting': { label: 'A push carries more about the message' },
  'preferences.push.trimTextFieldSetting': { label: 'Long texts are cut so that they fit into a push' },
  'templates.member.scopeChanged': { label: 'Members, role changed' },
  'preferences.group.memberScopeChangedSetting': {
    label: 'Groups, member got another role',
    choices: [
      { value: '1', label: 'None' },
      { value: '2', label: 'All' },
    ],
  },
  'preferences.group.memberScopeChangedOverride': { label: 'Groups, users may choose: member got another role' },
  'preferences.bypassPreferencesForMentions': { label: 'A mention always rings' },
  'preferences.privacySetting': {
    label: 'What a lock screen shows',
    choices: [
      { value: '1', label: 'The message' },
      { value: '2', label: 'Never the message' },
      { value: '3', label: 'As each user wants' },
    ],
  },
  'sounds.chat': { label: 'Of messages' },
  'sounds.call': { label: 'Of calls' },
};

/** The hours of a day at which pushes are wanted. */
function hourWords(path: string): LeafWords | undefined {
  const [, day, part] = /^preferences\.mute\.schedulePreferenceSetting\.(\w+)\.(from|to|dnd)$/.exec(path) ?? [];
  if (day === undefined) return undefined;
  if (part === 'dnd') return { label: `${capital(day)}, no pushes at all` };
  return { label: `${capital(day)}, pushes ${part === 'from' ? 'from' : 'until'}`, isHour: true };
}

export function leafWords({ path, value }: Leaf): LeafWords {
  const known = whole[path] ?? hourWords(path);
  if (known !== undefined) return known;
  const [, ...rest] = path.split('.');
  const last = rest.at(-1) ?? path;
  const isOverride = last.endsWith('Override');
  const name = last.replace(/(Setting|Override)$/, '');
  const what = whatWords[name] ?? name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const where = rest.slice(0, -1).map((name) => placeWords[name] ?? name);
  const label = [...where, isOverride ? `users may choose: ${what}` : what].join(', ');
  if (typeof value !== 'number' || !last.endsWith('Setting') || value > 3) return { label };
  const isReaction = last.startsWith('reactions');
  return {
    label,
    choices: [
      { value: '1', label: 'None' },
      { value: '2', label: isReaction ? 'To their own messages' : 'All' },
      ...(/messages|replies|reactions/.test(last)
        ? [{ value: '3', label: isReaction ? 'To all messages' : 'Mentions only' }]
        : []),
    ],
  };
}
