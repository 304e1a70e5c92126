import { createApiKey, revokeApiKey } from './apps/api-keys.ts';
import { createAccount, createApp, deleteApp } from './apps/apps.ts';
import { createAuthToken, revokeAuthToken } from './apps/auth-tokens.ts';
import { createKeyPair, revokeKeyPair } from './apps/key-pairs.ts';
import { changePerson, createSignInLink, invitePerson, removePerson } from './apps/people.ts';
import { endSession, markSessionSeen, signOutEverywhere } from './apps/sessions.ts';
import { countAttempt, redeemSignInLink, setPassword, startSession } from './apps/sign-in.ts';
import { createOwnerLink } from './apps/sign-in-links.ts';
import { seedAccount, seedDemo } from './demo.ts';
import { flagMessage } from './moderation/flags.ts';
import { addRuleHits } from './moderation/guard.ts';
import {
  addKeywordTerms,
  createKeywordList,
  deleteKeywordList,
  removeKeywordTerms,
  replaceKeywordList,
} from './moderation/list-changes.ts';
import { forgetMediaScores, saveMediaScores } from './moderation/media-scores.ts';
import { deleteMessage } from './moderation/messages.ts';
import { keepApproved, recordOutcome } from './moderation/outcomes.ts';
import { createReason, deleteReason, replaceReason } from './moderation/reasons.ts';
import { removeOld, removeSurplus } from './moderation/retention.ts';
import { reviewBlocked, reviewFlagged } from './moderation/review-changes.ts';
import { createRule, deleteRule, putInShadow, replaceRule, restoreRule } from './moderation/rule-changes.ts';
import { changeModerationSettings } from './moderation/settings.ts';
import { discardTerms, stageTerms } from './moderation/terms.ts';
import { mendClock } from './outbox/clock-watch.ts';
import { claimJobs, enqueue, releaseJobs, renewLeases } from './outbox/jobs.ts';
import { pauseLane, resumeLane } from './outbox/lanes.ts';
import { cancelGroup, complete, retry } from './outbox/settle.ts';
import { importTokens } from './push/import.ts';
import { sendNotifications } from './push/intake.ts';
import { acknowledgeNotification, cancelNotification } from './push/notifications.ts';
import { planNotification } from './push/plan.ts';
import {
  muteConversations,
  patchPreferences,
  resetPreferences,
  setTimezone,
  unmuteConversations,
} from './push/preferences.ts';
import { addProvider, deleteProvider, replaceProvider, resumeProvider, setDefaultProvider } from './push/providers.ts';
import { pruneMutes, prunePush } from './push/retention.ts';
import { patchSettings, resetSettings } from './push/settings.ts';
import { settleSegments } from './push/settle.ts';
import { deletePushTokens, registerPushToken } from './push/tokens.ts';
import { resealSecrets } from './rotate-master-key.ts';
import { addHourlyCounts } from './store/hourly-counts.ts';
import { keepAnswer, pruneIdempotencyKeys, reserveAnswer } from './store/idempotency.ts';
import type { AnyChange } from './store/store.ts';
import { announce } from './webhooks/announce.ts';
import { settleDelivery } from './webhooks/deliver.ts';
import { forgetOldEvents, redeliverWebhook } from './webhooks/delivery.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  pauseWebhook,
  resumeWebhook,
  rotateWebhookSecret,
} from './webhooks/endpoints.ts';

/** Every change there is. The writer thread finds them here by their names. */
export const changes: readonly AnyChange[] = [
  createAccount,
  createApp,
  deleteApp,
  createApiKey,
  revokeApiKey,
  createKeyPair,
  revokeKeyPair,
  createAuthToken,
  revokeAuthToken,
  invitePerson,
  changePerson,
  removePerson,
  createSignInLink,
  createOwnerLink,
  redeemSignInLink,
  countAttempt,
  startSession,
  setPassword,
  markSessionSeen,
  endSession,
  signOutEverywhere,
  addHourlyCounts,
  createRule,
  replaceRule,
  restoreRule,
  deleteRule,
  putInShadow,
  createKeywordList,
  replaceKeywordList,
  deleteKeywordList,
  addKeywordTerms,
  removeKeywordTerms,
  stageTerms,
  discardTerms,
  recordOutcome,
  keepApproved,
  deleteMessage,
  reviewBlocked,
  reviewFlagged,
  flagMessage,
  createReason,
  replaceReason,
  deleteReason,
  addRuleHits,
  removeOld,
  removeSurplus,
  addProvider,
  replaceProvider,
  deleteProvider,
  setDefaultProvider,
  resealSecrets,
  resumeProvider,
  pruneIdempotencyKeys,
  reserveAnswer,
  keepAnswer,
  sendNotifications,
  planNotification,
  settleSegments,
  pruneMutes,
  prunePush,
  cancelNotification,
  acknowledgeNotification,
  patchSettings,
  resetSettings,
  patchPreferences,
  resetPreferences,
  setTimezone,
  muteConversations,
  unmuteConversations,
  registerPushToken,
  importTokens,
  deletePushTokens,
  enqueue,
  claimJobs,
  renewLeases,
  releaseJobs,
  mendClock,
  complete,
  retry,
  cancelGroup,
  pauseLane,
  resumeLane,
  changeModerationSettings,
  saveMediaScores,
  forgetMediaScores,
  createWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  pauseWebhook,
  resumeWebhook,
  redeliverWebhook,
  forgetOldEvents,
  settleDelivery,
  announce,
  seedDemo,
  seedAccount,
];
