import type { Events } from '../events.ts';
import type { HourlyCounts } from '../store/hourly-counts.ts';
import type { Store } from '../store/store.ts';
import { Backtest } from './backtest.ts';
import { Compiler } from './compiler.ts';
import { Conversations } from './conversations.ts';
import type { Evidence } from './evidence.ts';
import { Flags } from './flags.ts';
import { Guard, type GuardOptions } from './guard.ts';
import { Judges } from './judges.ts';
import { Judging } from './judging.ts';
import { Kept } from './kept.ts';
import { Lists } from './lists.ts';
import { LongMessages } from './long-messages.ts';
import { type HasListener, Messages } from './messages.ts';
import { Reasons } from './reasons.ts';
import { Retention, type RetentionOptions } from './retention.ts';
import { Review } from './review.ts';
import { Rules } from './rules.ts';
import { Trials } from './trial.ts';
import { Turns } from './turns.ts';

export interface ModerationOptions extends GuardOptions, RetentionOptions {
  ownRulesMax: number;
  ownListsMax: number;
  ownReasonsMax: number;
}

/** What the room needs of the others. */
export interface Neighbours {
  events: Events;
  counts: HourlyCounts;
  evidence?: Evidence;
  hasListener?: HasListener;
}

/** The room as the wiring and the routes see it. */
export interface Moderation {
  store: Store;
  rules: Rules;
  lists: Lists;
  judging: Judging;
  trials: Trials;
  messages: Messages;
  kept: Kept;
  review: Review;
  flags: Flags;
  reasons: Reasons;
  backtest: Backtest;
  retention: Retention;
  /** Writes what is still to be written and stops what runs in the background. */
  close(): Promise<void>;
}

export function openModeration(store: Store, options: ModerationOptions, neighbours: Neighbours): Moderation {
  const { events, counts, evidence, hasListener = () => false } = neighbours;
  const compiler = new Compiler(store);
  const judges = new Judges(store, compiler, events);
  const longMessages = new LongMessages();
  const conversations = new Conversations();
  const judging = new Judging(judges, {
    turns: new Turns(),
    longMessages,
    conversations,
    ...(evidence && { evidence }),
  });
  const trials = new Trials(store, judges);
  const rules = new Rules(store, judges, options);
  const kept = new Kept(store, events);
  const guard = new Guard(store, events, options);
  const retention = new Retention(store, events, options);
  const keepsApproved = options.approvedHours > 0 || options.backtestDays > 0;
  return {
    store,
    rules,
    lists: new Lists(store, judges, options),
    judging,
    trials,
    messages: new Messages(store, judging, { kept, guard, counts, hasListener, keepsApproved }),
    kept,
    review: new Review(store, kept, options),
    flags: new Flags(store, kept),
    reasons: new Reasons(store, options),
    backtest: new Backtest(store, { rules, trials, judging, kept }, options),
    retention,
    close: async () => {
      await retention.stop();
      await guard.close();
      await kept.flush();
      await Promise.all([compiler.close(), longMessages.close()]);
    },
  };
}
