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
  image: 'Picture',
  video: 'Video',
  audio: 'Sound',
  file: 'File',
  custom: 'Custom message',
  privacy: 'Without content',
};

const whole: Readonly<Record<string, { label: string; choices?: { value: string; label: string }[] }>> = {
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

export function leafWords({ path, value }: Leaf): { label: string; choices?: { value: string; label: string }[] } {
  const known = whole[path];
  if (known !== undefined) return known;
  const [, ...rest] = path.split('.');
  const last = rest.at(-1) ?? path;
  const isOverride = last.endsWith('Override');
  const what = last
    .replace(/(Setting|Override)$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const where = rest.slice(0, -1).map((name) => placeWords[name] ?? name);
  const label = [...where, isOverride ? `users may choose: ${what}` : what].join(', ');
  if (typeof value !== 'number' || !last.endsWith('Setting') || value > 3) return { label };
  const isReaction = last.startsWith('reactions');
  return {
    label,
    choices: [
      { value: '1', label: last.startsWith('dnd') ? 'Off' : 'None' },
      { value: '2', label: isReaction ? 'To their own messages' : last.startsWith('dnd') ? 'On' : 'All' },
      ...(/messages|replies|reactions/.test(last)
        ? [{ value: '3', label: isReaction ? 'To all messages' : 'Mentions only' }]
        : []),
    ],
  };
}
