import type { Match, Verdict, VerdictAction } from '@gatehouse/judge';
import { Type } from '#typebox';
import type { EvidenceFailure } from './evidence.ts';
import type { Snapshot } from './judges.ts';
import type { Condition, Rule } from './rule.ts';

/** What judging a message came to, as it is answered and stored. */
const matchAnswer = Type.Object({
  ruleId: Type.String(),
  revisionId: Type.String(),
  conditionId: Type.Integer(),
  start: Type.Integer(),
  end: Type.Integer(),
  text: Type.String(),
  normalised: Type.String(),
  field: Type.String(),
  listId: Type.Optional(Type.String()),
  entry: Type.Optional(Type.String()),
  severity: Type.Optional(Type.Integer()),
  reason: Type.Optional(Type.String()),
});

export const failureAnswer = Type.Object({
  what: Type.String(),
  reason: Type.String(),
  ruleId: Type.Optional(Type.String()),
  conditionId: Type.Optional(Type.Integer()),
  url: Type.Optional(Type.String()),
  onError: Type.String(),
});

export const verdictFields = {
  verdict: Type.Enum(['allow', 'flag', 'block', 'drop']),
  actions: Type.Array(Type.String()),
  matches: Type.Array(matchAnswer),
  shadow: Type.Array(matchAnswer),
  failures: Type.Optional(Type.Array(failureAnswer)),
};

export type FoundMatch = Pick<
  Match,
  'ruleId' | 'conditionId' | 'listId' | 'entry' | 'severity' | 'field' | 'start' | 'end' | 'text' | 'normalised'
> & { revisionId: string; reason?: string };

export interface Judged {
  verdict: VerdictAction;
  actions: readonly string[];
  matches: readonly FoundMatch[];
  shadow: readonly FoundMatch[];
  failures?: readonly EvidenceFailure[];
}

const nothing: Judged = { verdict: 'allow', actions: [], matches: [], shadow: [] };
const nothingAsJson = JSON.stringify(nothing);

/** Nearly every message is fine, and what is said of it is always the same. */
export function judgedAsJson(judged: Judged): string {
  return isNothing(judged) ? nothingAsJson : JSON.stringify(judged);
}

export function isNothing(judged: Judged): boolean {
  return judged === nothing;
}

const noReasons: ReadonlyMap<string, string> = new Map();

export function toJudgedAnswer(
  verdict: Verdict,
  snapshot: Snapshot,
  failures: readonly EvidenceFailure[] = [],
  reasons: ReadonlyMap<string, string> = noReasons,
): Judged {
  const { action, actions, matches, shadow } = verdict;
  if (action === 'allow' && shadow.length === 0 && matches.length === 0 && failures.length === 0) return nothing;
  const explain = (match: Match): FoundMatch => toMatch(match, snapshot, reasons);
  const mustDrop = action !== 'block' && failures.some((failure) => dropsFor(failure, snapshot));
  return {
    verdict: mustDrop ? 'drop' : action,
    actions: mustDrop && action !== 'drop' ? [...actions, 'dropMessage'] : actions,
    matches: matches.map(explain),
    shadow: shadow.map(explain),
    ...(failures.length > 0 && { failures }),
  };
}

/** A rule that only looks on does not act by failing either. */
function dropsFor({ onError, ruleId, what }: EvidenceFailure, { rules }: Snapshot): boolean {
  if (onError !== 'drop-message') return false;
  const asking =
    ruleId === undefined
      ? [...rules.values()].filter(({ conditions }) => conditions.some(({ operand }) => operand === what))
      : [rules.get(ruleId)];
  return asking.some((rule) => rule?.enabled === true && rule.shadow !== true);
}

function toMatch(match: Match, snapshot: Snapshot, reasons: ReadonlyMap<string, string>): FoundMatch {
  const { ruleId, conditionId, listId, entry, severity, field, start, end, text, normalised } = match;
  const rule = snapshot.rules.get(ruleId);
  const reason =
    reasons.get(`${ruleId} ${conditionId}`) ?? rule?.conditions.find(({ id }) => id === conditionId)?.message?.[0];
  return {
    ruleId,
    revisionId: rule?.revisionId ?? '',
    conditionId,
    ...(listId !== undefined && { listId }),
    ...(entry !== undefined && { entry }),
    start,
    end,
    text,
    normalised,
    field,
    ...(severity !== undefined && { severity }),
    ...(reason !== undefined && { reason }),
  };
}

export interface Cause {
  rule: Rule;
  condition: Condition | undefined;
  match: FoundMatch;
}

/** The first match of a rule that has the strongest of the actions taken: what a moderator is told was the reason. */
export function causeOf({ verdict, matches }: Judged, snapshot: Snapshot): Cause | undefined {
  const wanted = { allow: '', flag: 'flagMessage', block: 'blockMessage', drop: 'dropMessage' }[verdict];
  return findCause(matches, snapshot, ({ action }) => action.includes(wanted));
}

/** Of a message let through: the first rule that asks the chat server to do something about its sender. */
export function askerOf({ verdict, actions, matches }: Judged, snapshot: Snapshot): Cause | undefined {
  if (verdict !== 'allow') return undefined;
  return findCause(matches, snapshot, ({ action }) => action.some((asked) => actions.includes(asked)));
}

function findCause(
  matches: readonly FoundMatch[],
  snapshot: Snapshot,
  isWanted: (rule: Rule) => boolean,
): Cause | undefined {
  for (const match of matches) {
    const rule = snapshot.rules.get(match.ruleId);
    if (rule !== undefined && isWanted(rule))
      return { rule, condition: rule.conditions.find(({ id }) => id === match.conditionId), match };
  }
  return undefined;
}
