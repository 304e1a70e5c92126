import { PROFANITY } from './profanity.ts';
import type { Condition, List, Rule, RuleAction } from './types.ts';

/**
 * An address inside a sentence. The sentence's own full stop behind it is left out: the last label is letters.
 */
const EMAIL_PATTERN =
  '(?i)(?P<hit>[\\p{L}\\p{N}][\\p{L}\\p{N}._%+\\-]*@(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}\\-]*[\\p{L}\\p{N}])?\\.)+(?:\\p{L}{2,24}|xn--[a-z0-9]{2,24}))';

/**
 * A number to call, inside a sentence: international with + or 00 and at least eight digits; North American 3-3-4;
 * national with a leading 0 and nine to eleven digits in groups. Years, prices, order numbers, versions and IP
 * addresses have none of these shapes. What stands before must not be a digit or what joins digits.
 */
const GAP = '[ .\\-\\x{2010}-\\x{2015}\\x{a0}]';
const PHONE_PATTERN =
  '(?:^|[^\\p{L}\\p{N}+.,/#$\\x{20ac}\\x{a3}_\\-])(?P<hit>' +
  [
    `(?:\\+|00${GAP}?)[1-9]\\d{0,2}${GAP}?(?:\\(0?\\d{1,4}\\)${GAP}?)?\\d{1,4}(?:${GAP}?\\d{2,4}){2,4}`,
    `(?:1${GAP})?\\(\\d{3}\\)${GAP}?\\d{3}${GAP}?\\d{4}`,
    `(?:1[ \\-])?[2-9]\\d{2}([ \\-])[2-9]\\d{2}[ \\-]\\d{4}`,
    `[2-9]\\d{2}\\.[2-9]\\d{2}\\.\\d{4}`,
    `\\(?0[1-9]\\d{1,4}\\)?(?:[ \\-/]\\d{2,8}){1,4}`,
    `0[1-9]\\d{8,9}`,
  ].join('|') +
  ')(?:$|[^\\p{L}\\p{N}]|[.,;:!?]$)';

function textAndCustom(category: 'pattern', value: string): Condition[] {
  return (['text', 'custom'] as const).map((operand, index) => ({
    id: index + 1,
    isKeywordsReferencePresent: false,
    entity: 'message',
    operand,
    category,
    operator: 'contains',
    value: [value],
  }));
}

function rule(id: string, name: string, enabled: boolean, action: RuleAction, conditions: Condition[]): Rule {
  return { id, name, enabled, action: [action], filters: [], conditions, default: true };
}

function media(operand: 'image' | 'video'): Condition[] {
  const value = ['AnyOf_greaterThan_30'];
  return [
    { id: 1, isMediaPresent: true, entity: 'message', operand, category: 'pattern', operator: 'contains', value },
  ];
}

const WORDS = { entity: 'message', category: 'word', operator: 'contains', value: [PROFANITY.id] } as const;

const RULES: readonly Rule[] = [
  rule('profanity-filter', 'Profanity Filter', true, 'blockMessage', [
    { id: 1, isKeywordsReferencePresent: true, operand: 'text', ...WORDS },
  ]),
  rule('custom-profanity-filter', 'Custom Profanity Filter', false, 'dropMessage', [
    { id: 1, isListReferencePresent: true, operand: 'custom', ...WORDS },
  ]),
  rule(
    'contact_details_filter',
    'Contact Details Filter',
    false,
    'blockMessage',
    textAndCustom('pattern', PHONE_PATTERN),
  ),
  rule('email_filter', 'Email Filter', false, 'blockMessage', textAndCustom('pattern', EMAIL_PATTERN)),
  rule('image-moderation', 'Image Moderation', false, 'blockMessage', media('image')),
  rule('video-moderation', 'Video Moderation', false, 'dropMessage', media('video')),
];

/** What every app begins with. */
export const builtins: {
  readonly profanity: List;
  readonly phonePattern: string;
  readonly emailPattern: string;
  readonly rules: readonly Rule[];
} = { profanity: PROFANITY, phonePattern: PHONE_PATTERN, emailPattern: EMAIL_PATTERN, rules: RULES };
