import type { RuleBody } from './rule.ts';

/** What every app has from the start. An app's own version of a built-in rule is stored; one it never changed is not. */
const emailPattern = '(?i)\\b[a-z0-9][a-z0-9._%+-]{0,63}@(?:[a-z0-9-]{1,63}\\.){1,8}[a-z]{2,24}\\b';
const phonePattern =
  '(?:\\+|\\b00)[1-9]\\d{0,2}(?:[ .()/-]{0,3}\\d){7,12}\\b|\\(\\d{2,5}\\)[ -]?\\d{3,4}[ -]?\\d{3,5}\\b|\\b\\d{3}[ .-]\\d{3}[ .-]\\d{4}\\b';

const text = {
  isKeywordsReferencePresent: false,
  isMediaPresent: false,
  entity: 'message',
  operand: 'text',
  operator: 'contains',
};
const custom = { ...text, operand: 'custom' };

function media(operand: 'image' | 'video') {
  return {
    id: 1,
    isKeywordsReferencePresent: false,
    isMediaPresent: true,
    entity: 'message',
    operand,
    category: 'word',
    operator: 'contains',
    value: ['AnyOf_greaterThan_30'],
  };
}

export const builtInRules: ReadonlyMap<string, RuleBody> = new Map([
  [
    'profanity-filter',
    {
      name: 'Profanity filter',
      description: 'Blocks text messages that hold a word of the profanity list.',
      enabled: true,
      conditions: [
        {
          id: 1,
          ...text,
          isKeywordsReferencePresent: true,
          category: 'word',
          value: ['profanity-list'],
          message: ['The text holds a profane word.'],
        },
      ],
      action: ['blockMessage'],
    },
  ],
  [
    'custom-profanity-filter',
    {
      name: 'Custom profanity filter',
      description: 'Drops custom messages that hold a word of the profanity list.',
      enabled: false,
      conditions: [
        {
          id: 1,
          isListReferencePresent: true,
          isMediaPresent: false,
          entity: 'message',
          operand: 'custom',
          category: 'word',
          operator: 'contains',
          value: ['profanity-list'],
        },
      ],
      action: ['dropMessage'],
    },
  ],
  [
    'contact_details_filter',
    {
      name: 'Contact details filter',
      description: 'Blocks messages that hold a phone number.',
      enabled: false,
      conditions: [
        { id: 1, ...text, category: 'pattern', value: [phonePattern], message: ['The text holds a phone number.'] },
        { id: 2, ...custom, category: 'pattern', value: [phonePattern] },
      ],
      action: ['blockMessage'],
    },
  ],
  [
    'email_filter',
    {
      name: 'E-mail filter',
      description: 'Blocks messages that hold an e-mail address.',
      enabled: false,
      conditions: [
        { id: 1, ...text, category: 'pattern', value: [emailPattern], message: ['The text holds an e-mail address.'] },
        { id: 2, ...custom, category: 'pattern', value: [emailPattern] },
      ],
      action: ['blockMessage'],
    },
  ],
  [
    'image-moderation',
    {
      name: 'Image moderation',
      description: 'Blocks images that look unsafe.',
      enabled: false,
      conditions: [media('image')],
      action: ['blockMessage'],
    },
  ],
  [
    'video-moderation',
    {
      name: 'Video moderation',
      description: 'Drops videos that look unsafe.',
      enabled: false,
      conditions: [media('video')],
      action: ['dropMessage'],
    },
  ],
]);

export interface BuiltInList {
  name: string;
  description: string;
  category: 'word';
  terms: readonly string[];
}

export const builtInLists: ReadonlyMap<string, BuiltInList> = new Map([
  ['profanity-list', { name: 'Profanity list', description: 'English profanity.', category: 'word', terms: [] }],
]);
