import type { Events } from '../events.ts';
import type { Store, Tx } from '../store/store.ts';
import type { Snapshot } from './judges.ts';
import { putInShadow } from './rule-changes.ts';
import type { Judged } from './verdict.ts';

/** What is looked at: the last few minutes against the last week. */
const windowMs = 5 * 60_000;
const pastMs = 7 * 24 * 3_600_000;
const hourMs = 3_600_000;
const lookMs = 10_000;
/** A rule without a past is taken to catch one message in a hundred, until a thousand say otherwise. */
const presumed = { judged: 1000, hits: 10 };

interface Counted {
  judged: number;
  hits: Map<string, number>;
}

interface Past {
  judged: number;
  hits: number;
}

interface Watched {
  windowFrom: number;
  window: Counted;
  past: Map<string, Past> | undefined;
  shadowing: Set<string>;
}

export interface GuardOptions {
  /** How many times its usual share a rule must catch to be put into shadow. 0 switches the guard off. */
  runawayFactor: number;
  /** Below this many in the window nothing is done. */
  runawayHitsMin: number;
}

/**
 * Watches how much each rule catches. One that suddenly catches far more than its own past is put into shadow, with an
 * alarm: a mistake in a rule must not silence a community.
 */
export class Guard {
  private readonly store: Store;
  private readonly events: Events;
  private readonly options: GuardOptions;
  private readonly apps = new Map<string, Watched>();
  private readonly timer: NodeJS.Timeout;

  constructor(store: Store, events: Events, options: GuardOptions) {
    this.store = store;
    this.events = events;
    this.options = options;
    this.timer = setInterval(() => void this.save(), lookMs);
    this.timer.unref();
  }

  /** Counts one message. Cheap: it runs for every one. */
  count(appId: string, snapshot: Snapshot, judged: Judged): void {
    if (this.options.runawayFactor === 0) return;
    const watched = this.apps.get(appId) ?? this.watch(appId);
    watched.window.judged++;
    if (judged.verdict !== 'block' && judged.verdict !== 'drop') return;
    const ruleIds = new Set(judged.matches.map(({ ruleId }) => ruleId));
    for (const ruleId of ruleIds) {
      if (add(watched.window.hits, ruleId) >= this.options.runawayHitsMin) this.weigh(appId, watched, ruleId, snapshot);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.timer);
    await this.save(0);
  }

  private watch(appId: string): Watched {
    const watched: Watched = {
      windowFrom: Date.now(),
      window: { judged: 0, hits: new Map() },
      past: undefined,
      shadowing: new Set(),
    };
    this.apps.set(appId, watched);
    return watched;
  }

  private weigh(appId: string, watched: Watched, ruleId: string, snapshot: Snapshot): void {
    const { window } = watched;
    const caught = window.hits.get(ruleId) ?? 0;
    // Often enough to be quick, seldom enough to cost nothing.
    if (caught % 10 !== 0 || watched.shadowing.has(ruleId)) return;
    const rule = snapshot.rules.get(ruleId);
    if (rule === undefined || rule.shadow === true) return;
    watched.shadowing.add(ruleId);
    void this.compare(appId, watched, ruleId, rule.revisionId).finally(() => watched.shadowing.delete(ruleId));
  }

  private async compare(appId: string, watched: Watched, ruleId: string, revisionId: string): Promise<void> {
    try {
      watched.past ??= await readPast(this.store, appId);
      const past = watched.past.get(ruleId) ?? { judged: 0, hits: 0 };
      const usualShare = (past.hits + presumed.hits) / (past.judged + presumed.judged);
      const caught = watched.window.hits.get(ruleId) ?? 0;
      const { judged } = watched.window;
      if (caught / judged <= usualShare * this.options.runawayFactor) return;
      const seen = { appId, ruleId, revisionId, caught, judged, usualShare };
      if (!(await this.store.change(putInShadow, seen))) return;
      watched.window.hits.delete(ruleId);
      this.events.alarm('rule put in shadow', { appId, ruleId, caught, judged });
    } catch (error) {
      this.events.broken('runaway rule not stopped', error, { appId, ruleId });
    }
  }

  /** A window that is over joins the past, and the next one begins. */
  private async save(windowsOverMs = windowMs): Promise<void> {
    const now = Date.now();
    for (const [appId, watched] of this.apps) {
      if (now - watched.windowFrom < windowsOverMs) continue;
      const { judged, hits } = watched.window;
      if (judged === 0) this.apps.delete(appId);
      watched.window = { judged: 0, hits: new Map() };
      watched.windowFrom = now;
      watched.past = undefined;
      if (judged === 0) continue;
      try {
        await this.store.change(addRuleHits, { appId, judged, hits: [...hits] });
      } catch (error) {
        this.events.broken('counts of rules not saved', error, { appId });
      }
    }
  }
}

function add(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1;
  counts.set(key, count);
  return count;
}

/** The row without a rule counts what was judged; every rule's share is of that. */
const everything = '';

export async function addRuleHits(
  tx: Tx,
  { appId, judged, hits }: { appId: string; judged: number; hits: readonly (readonly [string, number])[] },
): Promise<void> {
  if ((await tx.get('SELECT id FROM apps WHERE id = $1', [appId])) === undefined) return;
  const hour = Math.floor(tx.now / hourMs);
  const rows = [[appId, everything, hour, judged, 0], ...hits.map(([ruleId, n]) => [appId, ruleId, hour, 0, n])];
  await tx.insertMany(
    'rule_hits',
    ['app_id', 'rule_id', 'hour', 'judged', 'hits'],
    rows,
    'ON CONFLICT (app_id, rule_id, hour) DO UPDATE SET judged = rule_hits.judged + excluded.judged, hits = rule_hits.hits + excluded.hits',
  );
  await tx.run('DELETE FROM rule_hits WHERE app_id = $1 AND hour < $2', [appId, hour - Math.floor(pastMs / hourMs)]);
}

/** Every rule's past, without the window that is compared with it. */
async function readPast(store: Store, appId: string): Promise<Map<string, Past>> {
  const rows = await store.all<{ rule_id: string; judged: number; hits: number }>(
    'SELECT rule_id, SUM(judged) AS judged, SUM(hits) AS hits FROM rule_hits WHERE app_id = $1 GROUP BY rule_id',
    [appId],
  );
  const judged = Number(rows.find(({ rule_id }) => rule_id === everything)?.judged ?? 0);
  return new Map(rows.map(({ rule_id, hits }) => [rule_id, { judged, hits: Number(hits) }]));
}
