import type { Migration } from '../migrate.ts';

export const logOfNotification: Migration = {
  version: 10,
  name: 'log of notification',
  statements: [
    // The attempts of one notification, newest first. Its ids begin with the time, so that new rows come at the end of it.
    'CREATE INDEX push_logs_notification ON push_logs (app_id, notification_id, id)',
  ],
};
