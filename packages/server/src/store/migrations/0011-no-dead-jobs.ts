import type { Migration } from '../migrate.ts';

export const noDeadJobs: Migration = {
  version: 11,
  name: 'no dead jobs',
  // Nothing was ever given up into it: a push expires into the log, a delivery ends as failed and can be sent again.
  statements: ['DROP TABLE outbox_dead'],
};
