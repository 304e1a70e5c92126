import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import { Compiler } from './compiler.ts';
import { Conversations } from './conversations.ts';
import { type Evidence, noEvidence } from './evidence.ts';
import { Judges } from './judges.ts';
import { Judging } from './judging.ts';
import { Lists } from './lists.ts';
import { Rules } from './rules.ts';
import { Turns } from './turns.ts';

export interface ModerationSettings {
  ownRulesMax: number;
  ownListsMax: number;
}

/** The room as the wiring sees it. */
export interface Moderation {
  rules: Rules;
  lists: Lists;
  judging: Judging;
  close(): Promise<void>;
}

export function openModeration(
  store: Store,
  events: Events,
  settings: ModerationSettings,
  evidence: Evidence = noEvidence,
): Moderation {
  const compiler = new Compiler(store);
  const judges = new Judges(store, compiler, events);
  const turns = new Turns();
  const judging = new Judging(judges, turns, new Conversations(), evidence);
  return {
    rules: new Rules(store, judges, settings),
    lists: new Lists(store, judges, settings),
    judging,
    close: () => compiler.close(),
  };
}
