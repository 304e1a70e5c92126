import { createApiKey, revokeApiKey } from './apps/api-keys.ts';
import { createAccount, createApp, deleteApp } from './apps/apps.ts';
import { createAuthToken, revokeAuthToken } from './apps/auth-tokens.ts';
import { createKeyPair, revokeKeyPair } from './apps/key-pairs.ts';
import { seedDemo } from './demo.ts';
import { createKeywordList, deleteKeywordList, replaceKeywordList } from './moderation/lists.ts';
import { createRule, deleteRule, replaceRule } from './moderation/rules.ts';
import { claimJobs, enqueue, releaseJobs, renewLeases } from './outbox/jobs.ts';
import { pauseLane, resumeLane } from './outbox/lanes.ts';
import { bury, cancelGroup, complete, pruneDead, redriveLane, retry } from './outbox/settle.ts';
import { addProvider, deleteProvider, replaceProvider, resealProviders, setDefaultProvider } from './push/providers.ts';
import { deletePushTokens, registerPushToken } from './push/tokens.ts';
import type { AnyChange } from './store/store.ts';

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
  createRule,
  replaceRule,
  deleteRule,
  createKeywordList,
  replaceKeywordList,
  deleteKeywordList,
  addProvider,
  replaceProvider,
  deleteProvider,
  setDefaultProvider,
  resealProviders,
  registerPushToken,
  deletePushTokens,
  enqueue,
  claimJobs,
  renewLeases,
  releaseJobs,
  complete,
  retry,
  bury,
  cancelGroup,
  redriveLane,
  pruneDead,
  pauseLane,
  resumeLane,
  seedDemo,
];
