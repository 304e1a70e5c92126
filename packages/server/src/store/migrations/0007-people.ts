import type { Migration } from '../migrate.ts';

export const people: Migration = {
  version: 7,
  name: 'people',
  statements: [
    // password is '' until the person has used the link they were given; email is in lower case.
    `CREATE TABLE people (
      id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id), email TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL,
      password TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,
    'CREATE INDEX people_account ON people (account_id, created_at, id)',

    // The cookie holds the token; here is its hash only.
    `CREATE TABLE sessions (
      token_hash TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE, person_id TEXT NOT NULL REFERENCES people (id) ON DELETE CASCADE,
      browser TEXT NOT NULL, address TEXT NOT NULL, created_at BIGINT NOT NULL, seen_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    'CREATE INDEX sessions_person ON sessions (person_id, created_at)',
    'CREATE INDEX sessions_age ON sessions (expires_at)',

    // A link works once. Without a person it makes the first owner of the account.
    `CREATE TABLE sign_in_links (
      token_hash TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES accounts (id), person_id TEXT REFERENCES people (id) ON DELETE CASCADE,
      created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL)`,
    'CREATE INDEX sign_in_links_person ON sign_in_links (person_id)',

    // Attempts to sign in since a moment, by a hash of who is tried from where.
    'CREATE TABLE sign_in_attempts (key_hash TEXT PRIMARY KEY, n BIGINT NOT NULL, since BIGINT NOT NULL)',

    // What happens all the time, by the hour.
    `CREATE TABLE hourly_counts (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, hour BIGINT NOT NULL, name TEXT NOT NULL, n BIGINT NOT NULL,
      PRIMARY KEY (app_id, hour, name)) WITHOUT ROWID`,

    'CREATE INDEX notifications_newest ON notifications (app_id, created_at, id)',
    'CREATE INDEX audit_account ON audit (account_id, at, id)',
  ],
};
