import type { Migration } from '../migrate.ts';

export const webhooks: Migration = {
  version: 5,
  name: 'webhooks',
  statements: [
    // triggers is a JSON array, or null for every trigger. previous_* is the secret before the last rotation, signed with until it ends.
    `CREATE TABLE webhook_endpoints (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, url TEXT NOT NULL, description TEXT NOT NULL,
      triggers TEXT, sealed TEXT NOT NULL, previous_sealed TEXT, previous_until BIGINT,
      status TEXT NOT NULL, paused_reason TEXT, failing_since BIGINT, failures BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, id)) WITHOUT ROWID`,

    // What happened, once, whoever listens; what is owed to each endpoint refers to it.
    `CREATE TABLE webhook_events (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, name TEXT NOT NULL, data TEXT NOT NULL,
      created_at BIGINT NOT NULL, PRIMARY KEY (app_id, id)) WITHOUT ROWID`,
    'CREATE INDEX webhook_events_age ON webhook_events (created_at)',

    // answers is a JSON array of the tries: bounded in number and in size.
    `CREATE TABLE webhook_deliveries (
      app_id TEXT NOT NULL, endpoint_id TEXT NOT NULL, event_id TEXT NOT NULL, name TEXT NOT NULL,
      status TEXT NOT NULL, tries BIGINT NOT NULL, next_at BIGINT, answers TEXT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, endpoint_id, event_id),
      FOREIGN KEY (app_id, endpoint_id) REFERENCES webhook_endpoints (app_id, id) ON DELETE CASCADE,
      FOREIGN KEY (app_id, event_id) REFERENCES webhook_events (app_id, id) ON DELETE CASCADE) WITHOUT ROWID`,
    'CREATE INDEX webhook_deliveries_event ON webhook_deliveries (app_id, event_id)',
    'CREATE INDEX webhook_deliveries_status ON webhook_deliveries (app_id, endpoint_id, status, event_id)',
  ],
};
