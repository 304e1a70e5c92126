import { isDense, isWord, readCells } from './cells.ts';
import { plan, type SerialisedJudge, type Use } from './compile.ts';
import { customFields, textFields } from './fields.ts';
import { filterHolds } from './filters.ts';
import { Finder, type Hit } from './finder.ts';
import { Keywords } from './keywords.ts';
import { LiteralFilter } from './literal-filter.ts';
import { overThreshold } from './media.ts';
import { findPattern, makePattern, type Pattern } from './patterns.ts';
import { rehearse } from './rehearsal.ts';
import { Scan } from './scan.ts';
import { Spans } from './spans.ts';
import type { Match, Message, OutsideCondition, RuleAction, Ruleset, Verdict, VerdictAction } from './types.ts';

/** A match before its rule has been asked. */
interface Found {
  rule: number;
  match: Match;
}

const STRENGTH: Readonly<Partial<Record<RuleAction, VerdictAction>>> = {
  flagMessage: 'flag',
  blockMessage: 'block',
  dropMessage: 'drop',
};
const ORDER: readonly VerdictAction[] = ['allow', 'flag', 'block', 'drop'];

/** An immutable, compiled ruleset. */
export class Judge {
  /** Conditions that the caller decides and hands back in `Message.outside`. */
  readonly outside: readonly OutsideCondition[];
  readonly #data: SerialisedJudge;
  readonly #keywords: Keywords;
  readonly #finder: Finder;
  readonly #scan: Scan;
  readonly #literals: LiteralFilter;
  readonly #patterns: (Pattern | undefined)[];
  readonly #hasWords: boolean;
  /** Empty between messages; kept so that a message without a match makes nothing but its verdict. */
  #found: Found[] = [];

  private constructor(data: SerialisedJudge) {
    rehearse();
    this.#data = data;
    this.outside = data.outside;
    this.#keywords = new Keywords(data.keywords);
    this.#finder = new Finder(this.#keywords);
    this.#scan = new Scan(data.keywords, this.#finder);
    this.#literals = new LiteralFilter(data.patterns.map((pattern) => pattern.requirement));
    this.#patterns = data.patterns.map(() => undefined);
    this.#hasWords = data.wordUses.length > 0;
  }

  /** Revives what `serialise` gave, also in another thread: no table is built again. */
  static from(serialised: SerialisedJudge): Judge {
    return new Judge(serialised);
  }

  serialise(): SerialisedJudge {
    return this.#data;
  }

  judge(message: Message): Verdict {
    const found = this.#found;
    if (this.#data.readsText) {
      if (message.caption === undefined && message.attachments === undefined) {
        if (typeof message.text === 'string') this.#field('text', message.text, 'text', found);
      } else for (const field of textFields(message)) this.#field(field.path, field.text, 'text', found);
    }
    if (this.#data.readsCustom && message.customData !== undefined) {
      for (const field of customFields(message.customData)) this.#field(field.path, field.text, 'custom', found);
    }
    if (message.mediaScores !== undefined) this.#media(message, found);
    if (message.outside !== undefined) this.#decidedOutside(message, found);
    if (found.length === 0) return { action: 'allow', actions: [], matches: [], shadow: [] };
    this.#found = [];
    return this.#verdict(message, found);
  }

  #field(path: string, text: string, operand: 'text' | 'custom', found: Found[]): void {
    if (this.#hasWords) {
      this.#scan.run(text);
      if (this.#finder.hits.length > 0) this.#words(path, text, operand, this.#finder.hits, found);
    }
    if (this.#patterns.length === 0) return;
    for (const index of this.#literals.candidates(text)) this.#pattern(index, path, text, operand, found);
  }

  #words(path: string, text: string, operand: 'text' | 'custom', hits: readonly Hit[], found: Found[]): void {
    const { profiles } = this.#keywords.tables;
    const allowed = this.#allowed(hits);
    for (const hit of hits.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
      const index = this.#keywords.profileIndex(hit.entry);
      const profile = profiles[index];
      if (profile === undefined || profile.allowFor >= 0) continue;
      if (allowed.get(index)?.covers(hit.start, hit.end) === true) continue;
      const entry = this.#keywords.decode(hit.entry).term;
      const severity = profile.severity[entry];
      for (const use of this.#data.wordUses[index / 2] ?? []) {
        if (use.operand !== operand || (use.equals && !coversAll(text, hit.start, hit.end))) continue;
        const match = this.#match(use, path, text, hit.start, hit.end, entry, hit.normalised);
        if (severity !== undefined) match.severity = severity;
        found.push({ rule: use.rule, match });
      }
    }
  }

  /** The spans of allowed terms, by the list that they guard. */
  #allowed(hits: readonly Hit[]): Map<number, Spans> {
    const byList = new Map<number, Spans>();
    for (const hit of hits) {
      const guarded = this.#keywords.tables.profiles[this.#keywords.profileIndex(hit.entry)]?.allowFor ?? -1;
      if (guarded < 0) continue;
      const spans = byList.get(guarded) ?? new Spans();
      spans.add(hit.start, hit.end);
      byList.set(guarded, spans);
    }
    return byList;
  }

  #pattern(index: number, path: string, text: string, operand: 'text' | 'custom', found: Found[]): void {
    const plan = this.#data.patterns[index];
    if (plan === undefined) return;
    const uses = plan.uses.filter((use) => use.operand === operand);
    if (uses.length === 0) return;
    // Compiled when first needed, so that reviving a judge with many patterns stays a matter of milliseconds.
    const pattern = this.#patterns[index] ?? makePattern(plan.source);
    this.#patterns[index] = pattern;
    for (const use of uses) {
      for (const { start, end } of findPattern(pattern, text, use.equals)) {
        const match = this.#match(use, path, text, start, end, plan.source, text.slice(start, end));
        found.push({ rule: use.rule, match });
      }
    }
  }

  #match(use: Use, field: string, text: string, start: number, end: number, entry: string, normalised: string): Match {
    const rule = this.#data.rules[use.rule];
    const match: Match = {
      ruleId: rule?.id ?? '',
      conditionId: use.conditionId,
      entry,
      operand: use.operand,
      field,
      start,
      end,
      text: text.slice(start, end),
      normalised,
    };
    if (rule?.revisionId !== undefined) match.revisionId = rule.revisionId;
    if (use.listId !== undefined) match.listId = use.listId;
    return match;
  }

  #media(message: Message, found: Found[]): void {
    for (const { threshold, entry, use } of this.#data.media) {
      const scores = use.operand === 'image' ? message.mediaScores?.image : message.mediaScores?.video;
      if (!Array.isArray(scores)) continue;
      scores.forEach((media, index) => {
        const over = typeof media === 'object' && media !== null ? overThreshold(threshold, media) : undefined;
        if (over === undefined) return;
        const normalised = `${over.label} ${over.score}`;
        const match = this.#match(use, `${use.operand}.${media.index ?? index}`, '', 0, 0, entry, normalised);
        found.push({ rule: use.rule, match });
      });
    }
  }

  #decidedOutside(message: Message, found: Found[]): void {
    for (const hit of message.outside ?? []) {
      const condition = this.outside.find((one) => one.ruleId === hit.ruleId && one.conditionId === hit.conditionId);
      if (condition === undefined) continue;
      const rule = this.#data.rules.findIndex((one) => one.id === hit.ruleId);
      const use: Use = {
        rule,
        conditionId: hit.conditionId,
        operand: condition.operand,
        equals: false,
        listId: undefined,
      };
      const match = this.#match(use, 'outside', '', 0, 0, condition.category, hit.reason ?? '');
      found.push({ rule, match });
    }
  }

  /** Asks the filters of the rules that matched, and puts the verdict together. */
  #verdict(message: Message, found: readonly Found[]): Verdict {
    const verdict: Verdict = { action: 'allow', actions: [], matches: [], shadow: [] };
    const holds = new Map<number, boolean>();
    for (const { rule: index, match } of [...found].sort((a, b) => a.rule - b.rule)) {
      const rule = this.#data.rules[index];
      if (rule === undefined) continue;
      const held = holds.get(index) ?? rule.filters.every((filter) => filterHolds(filter, message));
      holds.set(index, held);
      if (!held) continue;
      if (rule.shadow) {
        verdict.shadow.push(match);
        continue;
      }
      verdict.matches.push(match);
      for (const action of rule.actions) if (!verdict.actions.includes(action)) verdict.actions.push(action);
    }
    for (const action of verdict.actions) {
      const strength = STRENGTH[action];
      if (strength !== undefined && ORDER.indexOf(strength) > ORDER.indexOf(verdict.action)) verdict.action = strength;
    }
    return verdict;
  }
}

/** Whether nothing but spaces and signs stands around a span. */
function coversAll(text: string, start: number, end: number): boolean {
  const around = [...readCells(text, 0, start, false), ...readCells(text, end, text.length, false)];
  return !around.some((cell) => isWord(cell) || isDense(cell));
}

export function compile(ruleset: Ruleset): Judge {
  return Judge.from(plan(ruleset));
}
