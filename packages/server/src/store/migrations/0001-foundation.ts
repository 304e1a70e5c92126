import type { Migration } from '../migrate.ts';

export const foundation: Migration = {
  version: 1,
  name: 'foundation',
  statements: [
    // What other processes must forget: the newest number of each topic (see Tx.touch).
    'CREATE TABLE touched (topic TEXT PRIMARY KEY, seq BIGINT NOT NULL)',
    'CREATE INDEX touched_seq ON touched (seq)',

    'CREATE TABLE accounts (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at BIGINT NOT NULL)',
    `CREATE TABLE apps (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    `CREATE TABLE api_keys (
      id TEXT PRIMARY KEY, app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, name TEXT NOT NULL, scope TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE, hint TEXT NOT NULL, created_at BIGINT NOT NULL)`,
    'CREATE INDEX api_keys_app ON api_keys (app_id, created_at)',
    `CREATE TABLE key_pairs (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id), name TEXT NOT NULL,
      key_hash TEXT NOT NULL UNIQUE, secret_hash TEXT NOT NULL, hint TEXT NOT NULL, apps TEXT, created_at BIGINT NOT NULL)`,
    `CREATE TABLE auth_tokens (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, auth_token TEXT NOT NULL, uid TEXT NOT NULL, created_at BIGINT NOT NULL,
      PRIMARY KEY (app_id, auth_token)) WITHOUT ROWID`,
    'CREATE INDEX auth_tokens_token ON auth_tokens (auth_token)',
    'CREATE INDEX auth_tokens_uid ON auth_tokens (app_id, uid, created_at)',

    // Who did what. No foreign keys: the record outlives what it speaks of.
    `CREATE TABLE audit (
      id TEXT PRIMARY KEY, at BIGINT NOT NULL, account_id TEXT, app_id TEXT, actor TEXT NOT NULL, action TEXT NOT NULL,
      target TEXT NOT NULL, before TEXT, after TEXT)`,
    'CREATE INDEX audit_app ON audit (app_id, at, id)',

    // The current revision of each rule, and every revision it ever had (kept after a delete, so that a number is never used twice).
    `CREATE TABLE rules (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, revision BIGINT NOT NULL, built_in BIGINT NOT NULL,
      body TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, id)) WITHOUT ROWID`,
    'CREATE INDEX rules_newest ON rules (app_id, created_at DESC, id)',
    `CREATE TABLE rule_revisions (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, rule_id TEXT NOT NULL, revision BIGINT NOT NULL, built_in BIGINT NOT NULL,
      body TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, rule_id, revision)) WITHOUT ROWID`,

    `CREATE TABLE keyword_lists (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, id TEXT NOT NULL, revision BIGINT NOT NULL, built_in BIGINT NOT NULL,
      name TEXT NOT NULL, description TEXT NOT NULL, category TEXT NOT NULL, is_csv BIGINT NOT NULL,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, PRIMARY KEY (app_id, id)) WITHOUT ROWID`,
    'CREATE INDEX keyword_lists_newest ON keyword_lists (app_id, created_at DESC, id)',
    `CREATE TABLE keyword_terms (
      app_id TEXT NOT NULL, list_id TEXT NOT NULL, position BIGINT NOT NULL, term TEXT NOT NULL,
      PRIMARY KEY (app_id, list_id, position),
      FOREIGN KEY (app_id, list_id) REFERENCES keyword_lists (app_id, id) ON DELETE CASCADE) WITHOUT ROWID`,

    // settings is what may be shown; sealed is not readable without the master key.
    `CREATE TABLE providers (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, kind TEXT NOT NULL, provider_id TEXT NOT NULL, is_default BIGINT NOT NULL,
      settings TEXT NOT NULL, sealed TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
      PRIMARY KEY (app_id, kind, provider_id)) WITHOUT ROWID`,

    // Goes with the auth token it was registered under: a signed-out device falls silent.
    // A device token may have 4,096 characters, more than an index entry of PostgreSQL holds: its hash is the key.
    `CREATE TABLE push_tokens (
      app_id TEXT NOT NULL, token_hash TEXT NOT NULL, push_token TEXT NOT NULL, auth_token TEXT NOT NULL,
      uid TEXT NOT NULL, kind TEXT NOT NULL, platform TEXT NOT NULL, provider_id TEXT NOT NULL, timezone TEXT,
      created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, last_seen_at BIGINT NOT NULL, PRIMARY KEY (app_id, token_hash),
      FOREIGN KEY (app_id, auth_token) REFERENCES auth_tokens (app_id, auth_token) ON DELETE CASCADE) WITHOUT ROWID`,
    'CREATE UNIQUE INDEX push_tokens_auth ON push_tokens (app_id, auth_token, kind)',
    'CREATE INDEX push_tokens_uid ON push_tokens (app_id, uid, token_hash)',
  ],
};
