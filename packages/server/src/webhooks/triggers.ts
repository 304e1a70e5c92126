/** Everything the outside can be told of, with what `data` holds. `docs/guide/webhooks.md` says the same. */
export const triggers = {
  moderation_engine_approved: 'A message was judged and let through.',
  moderation_engine_blocked: 'A message was blocked or dropped.',
  moderation_engine_failed: 'Something a rule asks for, such as the custom API or a classifier, did not answer.',
  moderation_manual_approved: 'A moderator approved a message that was blocked or flagged.',
  message_rejected: 'A moderator rejected a message, or took an approval back.',
  message_flagged: 'A rule or a user put a message into the flagged queue.',
  rule_changed: 'A rule was made, replaced, rolled back or deleted.',
  list_changed: 'A keyword list was made, changed or deleted.',
  rule_put_in_shadow: 'A rule caught far more than it used to, and no longer acts.',
  provider_paused: 'A push provider refuses what we send, and was stopped.',
  token_removed: 'A dead device token was removed.',
  notification_finished: 'Every push of a notification has its outcome.',
} as const satisfies Record<string, string>;

export type Trigger = keyof typeof triggers;

export const triggerNames = Object.keys(triggers) as Trigger[];

/** Sent when somebody tests an endpoint, whatever it chose to hear of. */
export const testTrigger = 'webhook_test';
