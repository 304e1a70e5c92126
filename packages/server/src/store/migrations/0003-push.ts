import type { Migration } from '../migrate.ts';

export const push: Migration = {
  version: 3,
  name: 'push',
  statements: [
    // The tokens of a provider, which a broadcast walks in steps of a segment, and those of a user. One expression instead of
    // several columns: SQLite, which knows nothing of how many rows an app has, would walk the app's whole key instead.
    `CREATE INDEX push_tokens_lane ON push_tokens ((app_id || ':' || kind || ':' || provider_id), token_hash)`,
    `CREATE INDEX push_tokens_user ON push_tokens ((app_id || ':' || uid), token_hash)`,
    'DROP INDEX push_tokens_uid',

    // What the last pushes through a provider came to. Why it is paused stands in outbox_pauses.
    `CREATE TABLE provider_health (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, kind TEXT NOT NULL, provider_id TEXT NOT NULL,
      last_success_at BIGINT NOT NULL, last_error_at BIGINT NOT NULL, last_error TEXT NOT NULL, last_status BIGINT NOT NULL,
      PRIMARY KEY (app_id, kind, provider_id)) WITHOUT ROWID`,

    // queued and the counts after it are pushes; open_jobs is how many jobs of the outbox still belong to it.
    `CREATE TABLE notifications (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, state TEXT NOT NULL, body TEXT NOT NULL,
      created_at BIGINT NOT NULL, send_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, finished_at BIGINT NOT NULL,
      open_jobs BIGINT NOT NULL, queued BIGINT NOT NULL, sent BIGINT NOT NULL, failed BIGINT NOT NULL, dropped BIGINT NOT NULL,
      skipped BIGINT NOT NULL, cancelled BIGINT NOT NULL, acknowledged BIGINT NOT NULL, PRIMARY KEY (app_id, id))`,
    'CREATE INDEX notifications_age ON notifications (created_at)',
    `CREATE TABLE notification_reasons (
      app_id TEXT NOT NULL, notification_id TEXT NOT NULL, outcome TEXT NOT NULL, reason TEXT NOT NULL, n BIGINT NOT NULL,
      PRIMARY KEY (app_id, notification_id, outcome, reason),
      FOREIGN KEY (app_id, notification_id) REFERENCES notifications (app_id, id) ON DELETE CASCADE) WITHOUT ROWID`,
    `CREATE TABLE notification_acks (
      app_id TEXT NOT NULL, notification_id TEXT NOT NULL, auth_token TEXT NOT NULL, acked_at BIGINT NOT NULL,
      PRIMARY KEY (app_id, notification_id, auth_token),
      FOREIGN KEY (app_id, notification_id) REFERENCES notifications (app_id, id) ON DELETE CASCADE) WITHOUT ROWID`,

    // One row holds what came of up to a thousand pushes (entries): a row a push would cost more than the push.
    // receiver_uid is '' where they went to several users.
    `CREATE TABLE push_logs (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, started_at BIGINT NOT NULL, ended_at BIGINT NOT NULL,
      notification_id TEXT NOT NULL, message_id TEXT NOT NULL, sender TEXT NOT NULL, receiver TEXT NOT NULL, receiver_type TEXT NOT NULL,
      receiver_uid TEXT NOT NULL, trigger_name TEXT NOT NULL, provider TEXT NOT NULL, provider_id TEXT NOT NULL, entries TEXT NOT NULL,
      PRIMARY KEY (app_id, id))`,
    "CREATE INDEX push_logs_message ON push_logs (app_id, message_id, id) WHERE message_id <> ''",
    'CREATE INDEX push_logs_age ON push_logs (ended_at)',

    'CREATE TABLE push_settings (app_id TEXT PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE, body TEXT NOT NULL, updated_at BIGINT NOT NULL)',
    `CREATE TABLE push_preferences (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, uid TEXT NOT NULL, body TEXT NOT NULL, timezone TEXT NOT NULL,
      updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, uid)) WITHOUT ROWID`,
    `CREATE TABLE push_mutes (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, conversation_type TEXT NOT NULL, conversation_id TEXT NOT NULL, uid TEXT NOT NULL,
      until BIGINT NOT NULL, PRIMARY KEY (app_id, conversation_type, conversation_id, uid)) WITHOUT ROWID`,
    `CREATE INDEX push_mutes_user ON push_mutes ((app_id || ':' || uid))`,

    // A request that is sent again with the same key gets the answer of the first.
    `CREATE TABLE idempotency_keys (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, key_hash TEXT NOT NULL, body_hash TEXT NOT NULL, answer TEXT NOT NULL,
      created_at BIGINT NOT NULL, PRIMARY KEY (app_id, key_hash)) WITHOUT ROWID`,
    'CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at)',
  ],
};
