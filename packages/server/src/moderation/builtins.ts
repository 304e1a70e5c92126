import { builtins, type List } from '@gatehouse/judge';
import type { RuleBody } from './rule.ts';

/** What every app has from the start. An app's own version of a built-in rule is stored; one it never changed is not. */
const { emailPattern, phonePattern, profanity } = builtins;

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

export interface BuiltInList extends Pick<List, 'category' | 'terms' | 'allow' | 'severity'> {
  name: string;
  description: string;
}

export const builtInLists: ReadonlyMap<string, BuiltInList> = new Map([
  ['profanity-list', { ...profanity, name: 'Profanity list', description: 'English profanity.' }],
]);
