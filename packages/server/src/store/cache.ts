import type { Soon } from '../soon.ts';
import type { Store } from './store.ts';

/**
 * Remembers what was read until a change touches it, in this process or another. The topic of an entry is `<name>:<key>`;
 * the change that makes it stale calls `tx.touch` with the same topic. What is remembered of an app goes with the app.
 */
export class Cache<V> {
  private readonly entries = new Map<string, V>();
  /** Counts what was forgotten, so that a read that began before a change does not bring the old value back. */
  private generation = 0;
  private readonly entriesMax: number;
  private readonly load: (key: string) => Promise<V | undefined>;

  constructor(store: Store, name: string, load: (key: string) => Promise<V | undefined>, entriesMax = 10_000) {
    this.load = load;
    this.entriesMax = entriesMax;
    const prefix = `${name}:`;
    store.onTouch((topic) => {
      const key = [prefix, 'app:'].find((known) => topic?.startsWith(known));
      if (topic !== undefined && key === undefined) return;
      this.generation++;
      if (topic === undefined || key === undefined) this.entries.clear();
      else this.entries.delete(topic.slice(key.length));
    });
  }

  /** Without a promise when it is remembered: the hot path of every request goes through here. */
  get(key: string): Soon<V | undefined> {
    return this.entries.get(key) ?? this.read(key);
  }

  private async read(key: string): Promise<V | undefined> {
    const { generation } = this;
    const value = await this.load(key);
    if (value !== undefined && generation === this.generation) {
      if (this.entries.size >= this.entriesMax) this.forgetOldest();
      this.entries.set(key, value);
    }
    return value;
  }

  private forgetOldest(): void {
    for (const key of this.entries.keys()) {
      this.entries.delete(key);
      return;
    }
  }
}
