import { type ComponentType, lazy } from 'react';

/** Each screen is loaded when somebody first goes there. */
function later<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return lazy(async () => ({ default: (await load())[name] }));
}

export const screens = [
  { path: '/overview', Screen: later(() => import('./overview/overview.tsx'), 'Overview') },
  { path: '/rules', Screen: later(() => import('./rules/rules.tsx'), 'Rules') },
  { path: '/rules/:ruleId', Screen: later(() => import('./rules/rule-page.tsx'), 'RulePage') },
  { path: '/lists', Screen: later(() => import('./lists/lists.tsx'), 'Lists') },
  { path: '/lists/:listId', Screen: later(() => import('./lists/list-page.tsx'), 'ListPage') },
  { path: '/review', Screen: later(() => import('./review/review.tsx'), 'Review') },
  { path: '/review/:queue', Screen: later(() => import('./review/review.tsx'), 'Review') },
  { path: '/providers', Screen: later(() => import('./providers/providers.tsx'), 'Providers') },
  { path: '/tokens', Screen: later(() => import('./tokens/tokens.tsx'), 'Tokens') },
  { path: '/notifications', Screen: later(() => import('./notifications/notifications.tsx'), 'Notifications') },
  { path: '/notifications/:tab', Screen: later(() => import('./notifications/notifications.tsx'), 'Notifications') },
  { path: '/keys', Screen: later(() => import('./keys/keys-and-people.tsx'), 'KeysAndPeople') },
  { path: '/keys/:tab', Screen: later(() => import('./keys/keys-and-people.tsx'), 'KeysAndPeople') },
  { path: '/audit', Screen: later(() => import('./audit/audit.tsx'), 'Audit') },
  { path: '/settings', Screen: later(() => import('./settings/settings.tsx'), 'Settings') },
  { path: '/settings/:tab', Screen: later(() => import('./settings/settings.tsx'), 'Settings') },
] as const;
