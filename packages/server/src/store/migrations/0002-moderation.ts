import type { Migration } from '../migrate.ts';

export const moderation: Migration = {
  version: 2,
  name: 'moderation',
  statements: [
    // A thousand terms a row, one a line: a list of a million is read and written in a thousand rows. Rows are grouped by
    // the upload they came with, so that a large list is laid down in steps and taken up at once.
    'DROP TABLE keyword_terms',
    `CREATE TABLE keyword_chunks (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, list_id TEXT NOT NULL, upload TEXT NOT NULL, position BIGINT NOT NULL,
      terms TEXT NOT NULL, created_at BIGINT NOT NULL, PRIMARY KEY (app_id, list_id, upload, position))`,
    'CREATE INDEX keyword_chunks_age ON keyword_chunks (created_at)',
    "ALTER TABLE keyword_lists ADD COLUMN upload TEXT NOT NULL DEFAULT ''",
    'ALTER TABLE keyword_lists ADD COLUMN terms_count BIGINT NOT NULL DEFAULT 0',
    "ALTER TABLE keyword_lists ADD COLUMN options TEXT NOT NULL DEFAULT '{}'",

    // Messages as they stand, by the id the chat server knows them by. What was let through is kept for a while only.
    `CREATE TABLE messages (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, sender TEXT NOT NULL, receiver TEXT NOT NULL,
      receiver_type TEXT NOT NULL, category TEXT NOT NULL, type TEXT NOT NULL, status TEXT NOT NULL, body TEXT NOT NULL, moderation TEXT NOT NULL,
      sent_at BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, id))`,
    'CREATE INDEX messages_sent ON messages (app_id, sent_at, id)',
    'CREATE INDEX messages_age ON messages (status, created_at)',

    // What moderators look at. kind: blocked, dropped (only the fact: no content), flagged (its id is the message's: one entry a message).
    `CREATE TABLE review_entries (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, kind TEXT NOT NULL, id TEXT NOT NULL, message_id TEXT NOT NULL,
      rule_id TEXT NOT NULL, rule_name TEXT NOT NULL, revision_id TEXT NOT NULL, condition TEXT NOT NULL, actions TEXT NOT NULL,
      sender TEXT NOT NULL, receiver TEXT NOT NULL, receiver_type TEXT NOT NULL, content TEXT, hash TEXT NOT NULL, matches TEXT NOT NULL,
      status TEXT NOT NULL, reviewed BIGINT NOT NULL, reviewed_by TEXT, flags_count BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, kind, id))`,
    'CREATE INDEX review_entries_newest ON review_entries (app_id, kind, created_at, id)',
    'CREATE INDEX review_entries_rule ON review_entries (app_id, rule_id, created_at, id)',
    'CREATE INDEX review_entries_sender ON review_entries (app_id, sender, created_at, id)',
    'CREATE INDEX review_entries_message ON review_entries (app_id, message_id)',
    'CREATE INDEX review_entries_reviewed ON review_entries (app_id, reviewed, updated_at, id)',
    'CREATE INDEX review_entries_age ON review_entries (created_at)',
    `CREATE TABLE message_flags (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, message_id TEXT NOT NULL, uid TEXT NOT NULL, name TEXT NOT NULL,
      reason_id TEXT NOT NULL, reason_name TEXT NOT NULL, description TEXT NOT NULL,
      remark TEXT NOT NULL, flagged_at BIGINT NOT NULL, PRIMARY KEY (app_id, message_id, uid)) WITHOUT ROWID`,
    `CREATE TABLE reasons (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, built_in BIGINT NOT NULL, name TEXT NOT NULL,
      description TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, id)) WITHOUT ROWID`,

    // How much each rule catches, hour by hour: its own past, by which a rule gone wild is known.
    `CREATE TABLE rule_hits (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, rule_id TEXT NOT NULL, hour BIGINT NOT NULL, judged BIGINT NOT NULL,
      hits BIGINT NOT NULL, PRIMARY KEY (app_id, rule_id, hour)) WITHOUT ROWID`,
  ],
};
