/** Every name of the interface in words that a moderator understands. */
export const roleWords = {
  owner: { name: 'Owner', about: 'Everything, people and keys included.' },
  moderator: { name: 'Moderator', about: 'Sees everything, decides in Review.' },
  viewer: { name: 'Viewer', about: 'Sees everything, changes nothing.' },
} as const;

export const actionWords = {
  blockMessage: {
    name: 'Block',
    done: 'Blocked',
    about: 'Not delivered. The sender is told, and you can look at it in Review.',
  },
  dropMessage: {
    name: 'Drop',
    done: 'Dropped',
    about: 'Not delivered, and the sender is not told. Only the fact is kept.',
  },
  flagMessage: { name: 'Flag', done: 'Flagged', about: 'Delivered, and put into Review for you to decide.' },
  block: {
    name: 'Block the sender',
    done: 'Sender blocked',
    about: 'Asks your chat server to block the sender for the receiver.',
  },
  kick: {
    name: 'Kick the sender',
    done: 'Sender kicked',
    about: 'Asks your chat server to remove the sender from the group.',
  },
  ban: {
    name: 'Ban the sender',
    done: 'Sender banned',
    about: 'Asks your chat server to keep the sender out of the group.',
  },
  deactivate: {
    name: 'Deactivate the sender',
    done: 'Sender deactivated',
    about: "Asks your chat server to close the sender's account.",
  },
} as const;

export type ActionName = keyof typeof actionWords;
export const actionNames = Object.keys(actionWords) as ActionName[];

/** What the service names may be newer than this page: then its own name is shown. */
function wordsOf(action: string): { name: string; done: string } {
  const known = actionNames.find((name) => name === action);
  return known === undefined ? { name: action, done: action } : actionWords[known];
}

export function actionWord(action: string): string {
  return wordsOf(action).name;
}

export function doneWord(action: string): string {
  return wordsOf(action).done;
}

export const verdictWords = {
  allow: { name: 'Delivered', color: 'teal.9' },
  flag: { name: 'Delivered and flagged', color: 'yellow' },
  block: { name: 'Blocked', color: 'red.9' },
  drop: { name: 'Dropped', color: 'grape.9' },
} as const;

export const kindWords: Readonly<Record<string, string>> = {
  apns: 'Apple (APNS)',
  fcm: 'Google (FCM)',
  webpush: 'Browsers (Web Push)',
  custom: 'Your own server',
};

export const stateWords: Readonly<Record<string, { name: string; color: string }>> = {
  scheduled: { name: 'Scheduled', color: 'blue' },
  sending: { name: 'Sending', color: 'yellow' },
  finished: { name: 'Finished', color: 'green' },
  cancelled: { name: 'Cancelled', color: 'gray' },
};

const actorWords: Readonly<Record<string, string>> = {
  apiKey: 'API key',
  keyPair: 'Pair',
  person: 'Person',
  user: 'User',
  cli: 'Command line',
  'first-start': 'First start',
};

/** Who did something: by name where it is known, else what they are and how their id begins. */
export function actorWord(actor: string, name: string | undefined): string {
  const [kind = '', ...id] = actor.split(':');
  const words = actorWords[kind] ?? kind;
  return name ?? (id.length === 0 ? words : `${words} ${id.join(':').slice(0, 8)}`);
}

/** createApiKey -> "Create api key": operations are named in words already. */
export function operationWords(id: string): string {
  const words = id
    .replace(/OfApp$/, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\b(api|apns|fcm)\b/g, (name) => name.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}
