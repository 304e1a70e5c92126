/** The rule model of the service, as a caller stores it and as JSON carries it. */

export type RuleAction = 'flagMessage' | 'blockMessage' | 'dropMessage' | 'block' | 'kick' | 'ban' | 'deactivate';

export type FilterOperator =
  | 'equals'
  | 'notEquals'
  | 'in'
  | 'notIn'
  | 'startsWith'
  | 'endsWith'
  | 'lessThan'
  | 'greaterThan';

export type Scalar = string | number | boolean;

/** Who a rule is about. All filters of a rule must hold. */
export interface Filter {
  type: 'sender' | 'receiver';
  entity: 'user' | 'group';
  operand: 'uid' | 'guid' | 'name' | 'role' | 'type' | 'tags' | 'createdAt';
  operator: FilterOperator;
  value: Scalar | readonly Scalar[];
}

export type Operand = 'text' | 'custom' | 'image' | 'video';

/** `toxicity`, `sentence-similarity` and `custom-api` are decided outside and handed in by `Message.outside`. */
export type Category = 'word' | 'pattern' | 'toxicity' | 'sentence-similarity' | 'custom-api';

export interface Condition {
  id: number;
  /** True when `value` names lists; otherwise `value` holds the words or patterns themselves. */
  isKeywordsReferencePresent?: boolean;
  /** The singular spelling that some clients send. */
  isKeywordReferencePresent?: boolean;
  isListReferencePresent?: boolean;
  isMediaPresent?: boolean;
  entity: string;
  operand: Operand;
  category: Category;
  operator: 'contains' | 'equals';
  value: readonly string[] | string;
  message?: readonly string[];
}

export interface Rule {
  id: string;
  revisionId?: string;
  name: string;
  description?: string;
  enabled: boolean;
  /** A shadow rule reports what it would have done and does not act. */
  shadow?: boolean;
  action: readonly RuleAction[];
  /** All must hold. */
  filters?: readonly Filter[];
  /** Any may match. */
  conditions: readonly Condition[];
  default?: boolean;
}

/** The ways in which a text may differ from an entry and still be it. All but `mask` are on unless a list says no. */
export interface FoldOptions {
  /** Upper and lower case, ß and ss, dotted and dotless i. */
  case: boolean;
  /** Full width, ligatures, circled and mathematical letters: Unicode's compatibility forms. */
  nfkc: boolean;
  /** Accents, points, vowel signs that readers leave out, tatweel, forms of alef. */
  marks: boolean;
  /** Zero-width characters, soft hyphens, bidi controls, variation selectors. */
  zeroWidth: boolean;
  /** Letters of other alphabets that look the same. */
  confusables: boolean;
  /** Digits and signs that stand for letters: `sh1t`, `a$$`. */
  leet: boolean;
  /** `fuuuck`. */
  repeats: boolean;
  /** `f u c k`, `f.u.c.k`, `fu-ck`. */
  separators: boolean;
  /** Regional indicators, boxed letters and pictures of letters. */
  emoji: boolean;
  /** `f*ck`: a sign that hides a letter. Off unless a list says yes. */
  mask: boolean;
}

export type FoldKind = keyof FoldOptions;

/** How bad an entry is: 1 mild, 2 strong, 3 severe. */
export type Severity = 1 | 2 | 3;

export interface List {
  id: string;
  name?: string;
  revisionId?: string;
  category: 'word' | 'pattern' | 'sentence-similarity';
  /** Words, phrases and wildcards (`word`, `two words`, `pre*`, `*suf`, `*sub*`), or regular expressions. */
  terms: readonly string[];
  /** Words and phrases that win over a match which they cover. Wildcards work here too. */
  allow?: readonly string[];
  /** Severity of single terms; what is not named has `defaultSeverity`. */
  severity?: Readonly<Record<string, Severity>>;
  fold?: Partial<FoldOptions>;
}

export interface Ruleset {
  rules: readonly Rule[];
  lists: readonly List[];
}

/** What filters look at. */
export interface Party {
  uid?: string;
  guid?: string;
  name?: string;
  role?: string;
  type?: string;
  tags?: readonly string[];
  createdAt?: number;
}

export interface Attachment {
  url?: string;
  name?: string;
  mimeType?: string;
  extension?: string;
  size?: number;
  caption?: string;
}

/** What a classifier said of one image or video: confidence 0 to 100 a label. */
export interface MediaScore {
  url?: string;
  /** Which of the message's attachments it is of, for the match; its place among the scores where not given. */
  index?: number;
  scores: Readonly<Record<string, number>>;
}

export interface Message {
  text?: string;
  caption?: string;
  customData?: unknown;
  attachments?: readonly Attachment[];
  sender?: Party;
  receiverUser?: Party;
  receiverGroup?: Party;
  mediaScores?: { image?: readonly MediaScore[]; video?: readonly MediaScore[] };
  /** Conditions that something outside decided and found matching (see `Judge.outside`). */
  outside?: readonly OutsideHit[];
}

export interface OutsideHit {
  ruleId: string;
  conditionId: number;
  reason?: string;
}

/** A condition this engine does not decide itself. */
export interface OutsideCondition {
  ruleId: string;
  conditionId: number;
  operand: Operand;
  category: Category;
  value: readonly string[];
}

export type VerdictAction = 'allow' | 'flag' | 'block' | 'drop';

export interface Match {
  ruleId: string;
  revisionId?: string;
  conditionId: number;
  listId?: string;
  /** The term as the list has it, the pattern, or the threshold. */
  entry?: string;
  severity?: Severity;
  operand: Operand;
  /** Where it was found: `text`, `caption`, `attachments.0.caption`, `customData.a.b`, `image.0`, `outside`. */
  field: string;
  /** UTF-16 offsets into the field as it was sent; both 0 for media and outside conditions. */
  start: number;
  end: number;
  /** The original text between `start` and `end`. */
  text: string;
  /** What that text was read as. */
  normalised: string;
}

export interface Verdict {
  /** The strongest action of the rules that act: drop, then block, then flag. */
  action: VerdictAction;
  /** Every action of the rules that act, once each, in the order of the rules. */
  actions: RuleAction[];
  matches: Match[];
  /** What shadow rules matched. */
  shadow: Match[];
}

/** One thing wrong with a ruleset, in words for the person who wrote it. */
export interface Problem {
  ruleId?: string;
  listId?: string;
  conditionId?: number;
  /** The place of the wrong value: a term's index in its list, a character's offset in a pattern or threshold. */
  position?: number;
  reason: string;
}

export class CompileError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    super(problems.map(describe).join('\n'));
    this.name = 'CompileError';
    this.problems = problems;
  }
}

function describe(problem: Problem): string {
  const where: string[] = [];
  if (problem.ruleId !== undefined) where.push(`rule "${problem.ruleId}"`);
  if (problem.listId !== undefined) where.push(`list "${problem.listId}"`);
  if (problem.conditionId !== undefined) where.push(`condition ${problem.conditionId}`);
  if (problem.position !== undefined) where.push(`position ${problem.position}`);
  return where.length === 0 ? problem.reason : `${where.join(', ')}: ${problem.reason}`;
}
