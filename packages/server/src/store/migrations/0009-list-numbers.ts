import type { Migration } from '../migrate.ts';

export const listNumbers: Migration = {
  version: 9,
  name: 'list numbers',
  statements: [
    // The last revision of each list that was deleted: a number is never used twice, so that If-Match means one content.
    `CREATE TABLE keyword_list_numbers (
      app_id TEXT NOT NULL REFERENCES apps (id) ON DELETE CASCADE, list_id TEXT NOT NULL, revision BIGINT NOT NULL,
      PRIMARY KEY (app_id, list_id)) WITHOUT ROWID`,
  ],
};
