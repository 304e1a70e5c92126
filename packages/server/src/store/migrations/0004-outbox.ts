import type { Migration } from '../migrate.ts';

export const outbox: Migration = {
  version: 4,
  name: 'outbox',
  statements: [
    // ready_at is when a job may be claimed: its time to run, or the end of the lease of the worker that has it.
    // leased_by is '' while nobody has it; expires_at is 0 for a job that never does.
    `CREATE TABLE outbox (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL, lane TEXT NOT NULL, app_id TEXT NOT NULL, group_key TEXT NOT NULL, priority BIGINT NOT NULL,
      ready_at BIGINT NOT NULL, leased_by TEXT NOT NULL, attempts BIGINT NOT NULL, expires_at BIGINT NOT NULL, size BIGINT NOT NULL,
      payload TEXT NOT NULL, error TEXT NOT NULL, created_at BIGINT NOT NULL)`,
    'CREATE INDEX outbox_next ON outbox (kind, lane, priority, ready_at, id)',
    'CREATE INDEX outbox_group ON outbox (group_key)',

    // What was given up, kept so that an operator can look at it and send it after all.
    `CREATE TABLE outbox_dead (
      id TEXT PRIMARY KEY, kind TEXT NOT NULL, lane TEXT NOT NULL, app_id TEXT NOT NULL, group_key TEXT NOT NULL, priority BIGINT NOT NULL,
      attempts BIGINT NOT NULL, expires_at BIGINT NOT NULL, size BIGINT NOT NULL, payload TEXT NOT NULL, error TEXT NOT NULL,
      created_at BIGINT NOT NULL, died_at BIGINT NOT NULL)`,
    'CREATE INDEX outbox_dead_lane ON outbox_dead (kind, lane, died_at)',
    'CREATE INDEX outbox_dead_at ON outbox_dead (died_at)',

    // Only lanes that are paused have a row.
    `CREATE TABLE outbox_pauses (
      kind TEXT NOT NULL, lane TEXT NOT NULL, app_id TEXT NOT NULL, reason TEXT NOT NULL, paused_at BIGINT NOT NULL, until BIGINT NOT NULL,
      PRIMARY KEY (kind, lane)) WITHOUT ROWID`,
  ],
};
