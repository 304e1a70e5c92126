/** Everything the outside can be told of, with what `data` holds. `docs/guide/webhooks.md` says the same. */
export const triggers = {
  moderation_engine_approved: 'A message was judged and let through. data: {message}.',
  moderation_engine_blocked: 'A message was blocked or dropped. data: {message, verdict, rule, actions}.',
  moderation_engine_failed: 'Something a rule asks for could not be had. data: {message, failures, onError}.',
  moderation_manual_approved: 'A moderator approved a blocked message. data: {message, by}.',
  message_flagged: 'A rule or a user put a message into the flagged queue. data: {message, reason?, by?}.',
  rule_changed: 'A rule was made, replaced, rolled back or deleted. data: {change, rule, by}.',
  list_changed: 'A keyword list was made, changed or deleted. data: {change, list, by}; never its terms.',
  rule_put_in_shadow: 'A rule caught far more than it used to and no longer acts. data: {rule, caught, usual}.',
  provider_paused: 'A push provider refuses what we send and was stopped. data: {kind, providerId, reason}.',
  token_removed: 'A dead device token was removed. data: {uid, platform, providerId, reason}.',
  notification_finished: 'Every push of a notification has its outcome. data: {notificationId, counts}.',
  webhook_test: 'Somebody asked for a test of the endpoint. data: {message}.',
} as const satisfies Record<string, string>;

export type Trigger = keyof typeof triggers;

/** What an endpoint may choose from: a test reaches the endpoint that is tested, whatever it chose. */
export const chosenTriggers = Object.keys(triggers).filter((name) => name !== 'webhook_test');
