import type { Migration } from '../migrate.ts';

export const media: Migration = {
  version: 6,
  name: 'media',
  statements: [
    // An app without a row has the settings as they come. The secret of the custom API is sealed.
    `CREATE TABLE moderation_settings (
      app_id TEXT PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE, on_error TEXT NOT NULL, custom_api_url TEXT, custom_api_sealed TEXT,
      custom_api_context BIGINT NOT NULL, updated_at BIGINT NOT NULL)`,

    // What a classifier said of some bytes. The same picture is sent many times, by many people, in many apps.
    `CREATE TABLE media_scores (
      content_hash TEXT NOT NULL, classifier TEXT NOT NULL, scores TEXT NOT NULL, created_at BIGINT NOT NULL,
      PRIMARY KEY (content_hash, classifier)) WITHOUT ROWID`,
    'CREATE INDEX media_scores_age ON media_scores (created_at)',
  ],
};
