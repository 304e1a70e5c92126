import type { Migration } from '../migrate.ts';

export const tokenStatistics: Migration = {
  version: 8,
  name: 'token statistics',
  statements: [],
  // Without figures SQLite takes an app for ten tokens, and a revoked auth token (whose push tokens go by their foreign key, a
  // statement we cannot word) for a reason to walk the whole app. These figures say how the keys are, at any size.
  sqliteOnly: [
    'ANALYZE migrations',
    "DELETE FROM sqlite_stat1 WHERE tbl IN ('migrations', 'push_tokens')",
    `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('push_tokens', 'push_tokens', '1000000 100000 1'),
      ('push_tokens', 'push_tokens_auth', '1000000 100000 2 1')`,
    'ANALYZE sqlite_schema',
  ],
};
