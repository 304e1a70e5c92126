/** Lines to PostgreSQL that go silent, as after a failover or behind a network that forgets them: nobody is told, and all must go on. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/store/postgres.ts';
import type { Store } from '../../src/store/store.ts';
import { makePlace, type Place, until } from './place.ts';
import { probeTouch } from './probe-changes.mjs';
import { type Door, makeDoor } from './proxy.ts';

/** Long enough for a busy machine, short enough for a test. */
const soon = { poolSize: 4, beatMs: 300 };

describe('a line to PostgreSQL that goes silent', () => {
  let place: Place;
  let door: Door;
  let store: Store;
  let other: Store;
  beforeEach(async () => {
    place = await makePlace('postgres');
    const url = place.environment.DATABASE_URL ?? '';
    door = await makeDoor(url);
    store = await openPostgres({ ...soon, url: door.url });
    other = await openPostgres({ ...soon, url });
  });
  afterEach(async () => {
    await store.close();
    await other.close();
    await place.remove();
  });

  it('is noticed by whoever listens on it: all that was remembered is forgotten, and others are heard again', async () => {
    const heard: (string | undefined)[] = [];
    store.onTouch((topic) => heard.push(topic));
    door.freeze('gatehouse listener');
    await other.change(probeTouch, ['apiKey:revoked']);
    await until(() => heard.includes(undefined), 10_000);
    await until(async () => {
      await other.change(probeTouch, ['apiKey:another']);
      return heard.includes('apiKey:another');
    }, 10_000);
    expect(heard).not.toContain('apiKey:revoked');
  });
});
