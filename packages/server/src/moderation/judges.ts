import type { Judge } from '@gatehouse/judge';
import type { Events } from '../events.ts';
import type { Store } from '../store/store.ts';
import type { Compiler } from './compiler.ts';
import type { MediaKind } from './evidence.ts';
import type { ActsAtOnce } from './lists.ts';
import type { Condition, Rule } from './rule.ts';
import { type AppRuleset, readRuleset, sizeOf } from './ruleset.ts';

/** What an app's messages are judged by: never changed, only swapped for another. */
export interface Snapshot {
  fingerprint: string;
  judge: Judge;
  rules: ReadonlyMap<string, Rule>;
  /** The kinds of media that some rule has thresholds for. */
  media: readonly MediaKind[];
  termsCount: number;
}

interface Held {
  snapshot: Snapshot | undefined;
  usedAt: number;
  /** Counts the changes heard of; a set read after the n-th one settles it. */
  wanted: number;
  settled: number;
  working: Promise<void> | undefined;
}

/** Across all apps of the process; the least recently used go first. */
const termsHeldMax = 20_000_000;
const appsHeldMax = 2000;

/**
 * The compiled judge of each app. A change marks the app's set as stale; a new one is compiled beside it and swapped in
 * whole, and the old one judges until then. Apps that changed nothing share one judge.
 */
export class Judges implements ActsAtOnce {
  private readonly store: Store;
  private readonly compiler: Compiler;
  private readonly events: Events;
  private readonly held = new Map<string, Held>();
  private common: Promise<Judge> | undefined;

  constructor(store: Store, compiler: Compiler, events: Events) {
    this.store = store;
    this.compiler = compiler;
    this.events = events;
    store.onTouch((topic) => this.hear(topic));
  }

  /** Without a promise when it is there: every message goes through here. */
  current(appId: string): Snapshot | Promise<Snapshot> {
    const held = this.held.get(appId);
    if (held?.snapshot === undefined) return this.first(appId);
    held.usedAt = Date.now();
    return held.snapshot;
  }

  /** Settles when a set that knows every change made before this call judges, or could not be compiled. */
  async refresh(appId: string): Promise<void> {
    const held = this.held.get(appId);
    if (held === undefined) return;
    const { wanted } = held;
    while (held.settled < wanted) await this.work(appId, held);
  }

  private async first(appId: string): Promise<Snapshot> {
    let held = this.held.get(appId);
    if (held === undefined) {
      held = { snapshot: undefined, usedAt: Date.now(), wanted: 1, settled: 0, working: undefined };
      this.held.set(appId, held);
    }
    while (held.snapshot === undefined) {
      await this.work(appId, held);
      if (held.snapshot === undefined && held.settled >= held.wanted) {
        this.held.delete(appId);
        throw new Error(`The rules of app ${appId} cannot be compiled.`);
      }
    }
    this.forgetOldest();
    return held.snapshot;
  }

  private hear(topic: string | undefined): void {
    if (topic === undefined) {
      for (const [appId, held] of this.held) this.outdate(appId, held);
      return;
    }
    if (!topic.startsWith('rules:')) return;
    const appId = topic.slice('rules:'.length);
    const held = this.held.get(appId);
    if (held !== undefined) this.outdate(appId, held);
  }

  private outdate(appId: string, held: Held): void {
    held.wanted++;
    void this.work(appId, held);
  }

  /** One set at a time an app; changes that come meanwhile are met by the next one, however many they are. */
  private work(appId: string, held: Held): Promise<void> {
    held.working ??= this.renew(appId, held).finally(() => {
      held.working = undefined;
      if (held.settled < held.wanted) void this.work(appId, held);
    });
    return held.working;
  }

  private async renew(appId: string, held: Held): Promise<void> {
    const { wanted } = held;
    try {
      const ruleset = await readRuleset(this.store, appId);
      if (ruleset === undefined) this.held.delete(appId);
      else if (ruleset.fingerprint !== held.snapshot?.fingerprint) {
        const snapshot = await this.compile(ruleset);
        // A list that was replaced while its terms were read: half of it must not judge.
        const again = await readRuleset(this.store, appId);
        if (again !== undefined && again.fingerprint !== ruleset.fingerprint) return;
        held.snapshot = snapshot;
      }
    } catch (error) {
      this.events.broken('rules not compiled', error, { appId });
    }
    held.settled = Math.max(held.settled, wanted);
  }

  /** Also for rules that are only tried. */
  async compile(ruleset: AppRuleset): Promise<Snapshot> {
    const judge = await (ruleset.asItComes ? this.commonJudge(ruleset) : this.compiler.compile(ruleset));
    return {
      fingerprint: ruleset.fingerprint,
      judge,
      rules: new Map(ruleset.rules.map((rule) => [rule.id, rule])),
      media: mediaKinds(ruleset.rules),
      termsCount: sizeOf(ruleset),
    };
  }

  private commonJudge(ruleset: AppRuleset): Promise<Judge> {
    this.common ??= this.compiler.compile(ruleset).catch((error) => {
      this.common = undefined;
      throw error;
    });
    return this.common;
  }

  private forgetOldest(): void {
    let terms = 0;
    for (const { snapshot } of this.held.values()) terms += snapshot?.termsCount ?? 0;
    if (terms <= termsHeldMax && this.held.size <= appsHeldMax) return;
    const oldest = [...this.held].filter(([, held]) => held.working === undefined);
    oldest.sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [appId, { snapshot }] of oldest.slice(0, -1)) {
      if (terms <= termsHeldMax && this.held.size <= appsHeldMax) return;
      terms -= snapshot?.termsCount ?? 0;
      this.held.delete(appId);
    }
  }
}

function mediaKinds(rules: readonly Rule[]): MediaKind[] {
  const isOn =
    (kind: MediaKind) =>
    ({ operand, isMediaPresent }: Condition) =>
      isMediaPresent && operand === kind;
  return (['image', 'video'] as const).filter((kind) => rules.some(({ conditions }) => conditions.some(isOn(kind))));
}
