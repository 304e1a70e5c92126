// Written by npm run client from openapi.json. Do not edit.
import { type RequestOptions, Transport } from '../transport.ts';
import { operations } from './operations.ts';
import type {
  AcknowledgeNotificationAnswer,
  AcknowledgeNotificationInput,
  AddApnsProviderAnswer,
  AddApnsProviderInput,
  AddCustomProviderAnswer,
  AddCustomProviderInput,
  AddFcmProviderAnswer,
  AddFcmProviderInput,
  AddKeywordTermsAnswer,
  AddKeywordTermsInput,
  AddKeywordTermsOfAppAnswer,
  AddKeywordTermsOfAppInput,
  AddWebPushProviderAnswer,
  AddWebPushProviderInput,
  BacktestRuleAnswer,
  BacktestRuleInput,
  BacktestRuleOfAppAnswer,
  BacktestRuleOfAppInput,
  CancelNotificationAnswer,
  CancelNotificationInput,
  ChangeModerationSettingsAnswer,
  ChangeModerationSettingsInput,
  ChangeModerationSettingsOfAppAnswer,
  ChangeModerationSettingsOfAppInput,
  ChangePasswordAnswer,
  ChangePasswordInput,
  ChangePersonAnswer,
  ChangePersonInput,
  ChangeWebhookAnswer,
  ChangeWebhookInput,
  ChangeWebhookOfAppAnswer,
  ChangeWebhookOfAppInput,
  CheckMessagesAnswer,
  CheckMessagesInput,
  CheckMessagesOfAppAnswer,
  CheckMessagesOfAppInput,
  CreateApiKeyAnswer,
  CreateApiKeyInput,
  CreateAppAnswer,
  CreateAppInput,
  CreateAuthTokenAnswer,
  CreateAuthTokenInput,
  CreateAuthTokenOfAppAnswer,
  CreateAuthTokenOfAppInput,
  CreateKeyPairAnswer,
  CreateKeyPairInput,
  CreateKeywordListAnswer,
  CreateKeywordListInput,
  CreateKeywordListOfAppAnswer,
  CreateKeywordListOfAppInput,
  CreateReasonAnswer,
  CreateReasonInput,
  CreateReasonOfAppAnswer,
  CreateReasonOfAppInput,
  CreateRuleAnswer,
  CreateRuleInput,
  CreateRuleOfAppAnswer,
  CreateRuleOfAppInput,
  CreateSignInLinkAnswer,
  CreateSignInLinkInput,
  CreateWebhookAnswer,
  CreateWebhookInput,
  CreateWebhookOfAppAnswer,
  CreateWebhookOfAppInput,
  DeleteApnsProviderAnswer,
  DeleteApnsProviderInput,
  DeleteAppAnswer,
  DeleteAppInput,
  DeleteCustomProviderAnswer,
  DeleteFcmProviderAnswer,
  DeleteFcmProviderInput,
  DeleteKeywordListAnswer,
  DeleteKeywordListInput,
  DeleteKeywordListOfAppAnswer,
  DeleteKeywordListOfAppInput,
  DeleteMessageAnswer,
  DeleteMessageInput,
  DeleteMessageOfAppAnswer,
  DeleteMessageOfAppInput,
  DeletePushTokenAnswer,
  DeletePushTokenInput,
  DeletePushTokensAnswer,
  DeletePushTokensInput,
  DeleteReasonAnswer,
  DeleteReasonInput,
  DeleteReasonOfAppAnswer,
  DeleteReasonOfAppInput,
  DeleteRuleAnswer,
  DeleteRuleInput,
  DeleteRuleOfAppAnswer,
  DeleteRuleOfAppInput,
  DeleteWebPushProviderAnswer,
  DeleteWebPushProviderInput,
  DeleteWebhookAnswer,
  DeleteWebhookInput,
  DeleteWebhookOfAppAnswer,
  DeleteWebhookOfAppInput,
  EditMessageAnswer,
  EditMessageInput,
  EditMessageOfAppAnswer,
  EditMessageOfAppInput,
  EndSessionAnswer,
  EndSessionInput,
  ExportBlockedMessagesInput,
  ExportBlockedMessagesOfAppInput,
  ExportFlaggedMessagesInput,
  ExportFlaggedMessagesOfAppInput,
  ExportKeywordListInput,
  ExportKeywordListOfAppInput,
  ExportReviewedMessagesInput,
  ExportReviewedMessagesOfAppInput,
  FlagMessageAnswer,
  FlagMessageInput,
  GetAppAnswer,
  GetAppInput,
  GetClientSettingsAnswer,
  GetKeywordListAnswer,
  GetKeywordListInput,
  GetKeywordListOfAppAnswer,
  GetKeywordListOfAppInput,
  GetMessageAnswer,
  GetMessageInput,
  GetMessageOfAppAnswer,
  GetMessageOfAppInput,
  GetModerationSettingsAnswer,
  GetModerationSettingsOfAppAnswer,
  GetModerationSettingsOfAppInput,
  GetNotificationAnswer,
  GetNotificationInput,
  GetNotificationSettingsAnswer,
  GetOverviewAnswer,
  GetOverviewInput,
  GetPreferencesAnswer,
  GetPreferencesInput,
  GetPushPreferencesAnswer,
  GetPushPreferencesInput,
  GetPushTimezoneAnswer,
  GetPushTimezoneInput,
  GetReasonAnswer,
  GetReasonInput,
  GetReasonOfAppAnswer,
  GetReasonOfAppInput,
  GetReviewAttachmentInput,
  GetRuleAnswer,
  GetRuleInput,
  GetRuleOfAppAnswer,
  GetRuleOfAppInput,
  GetServiceAnswer,
  GetSessionAnswer,
  GetTimezoneAnswer,
  GetTimezoneInput,
  GetWebhookAnswer,
  GetWebhookInput,
  GetWebhookOfAppAnswer,
  GetWebhookOfAppInput,
  IdentifyDeviceAnswer,
  IdentifyDeviceInput,
  InvitePersonAnswer,
  InvitePersonInput,
  JudgeMessageAnswer,
  JudgeMessageInput,
  JudgeMessageOfAppAnswer,
  JudgeMessageOfAppInput,
  ListAccountAuditAnswer,
  ListAccountAuditInput,
  ListAccountAuditItem,
  ListApiKeysAnswer,
  ListApiKeysInput,
  ListApnsProvidersAnswer,
  ListAppsAnswer,
  ListAuditAnswer,
  ListAuditInput,
  ListAuditItem,
  ListAuthTokensAnswer,
  ListAuthTokensInput,
  ListAuthTokensOfAppAnswer,
  ListAuthTokensOfAppInput,
  ListBlockedMessagesAnswer,
  ListBlockedMessagesInput,
  ListBlockedMessagesItem,
  ListBlockedMessagesOfAppAnswer,
  ListBlockedMessagesOfAppInput,
  ListBlockedMessagesOfAppItem,
  ListCustomProvidersAnswer,
  ListFcmProvidersAnswer,
  ListFlaggedMessagesAnswer,
  ListFlaggedMessagesInput,
  ListFlaggedMessagesItem,
  ListFlaggedMessagesOfAppAnswer,
  ListFlaggedMessagesOfAppInput,
  ListFlaggedMessagesOfAppItem,
  ListKeyPairsAnswer,
  ListKeywordListsAnswer,
  ListKeywordListsInput,
  ListKeywordListsItem,
  ListKeywordListsOfAppAnswer,
  ListKeywordListsOfAppInput,
  ListKeywordListsOfAppItem,
  ListMessagesAnswer,
  ListMessagesAroundAnswer,
  ListMessagesAroundInput,
  ListMessagesAroundOfAppAnswer,
  ListMessagesAroundOfAppInput,
  ListMessagesInput,
  ListMessagesOfAppAnswer,
  ListMessagesOfAppInput,
  ListMutedConversationsAnswer,
  ListMutedConversationsInput,
  ListNotificationLogsAnswer,
  ListNotificationLogsInput,
  ListNotificationsAnswer,
  ListNotificationsInput,
  ListNotificationsItem,
  ListPeopleAnswer,
  ListProviderHealthAnswer,
  ListPushMutedConversationsAnswer,
  ListPushMutedConversationsInput,
  ListPushTokensAnswer,
  ListPushTokensInput,
  ListPushTokensItem,
  ListReasonsAnswer,
  ListReasonsOfAppAnswer,
  ListReasonsOfAppInput,
  ListReviewedMessagesAnswer,
  ListReviewedMessagesInput,
  ListReviewedMessagesItem,
  ListReviewedMessagesOfAppAnswer,
  ListReviewedMessagesOfAppInput,
  ListReviewedMessagesOfAppItem,
  ListRuleRevisionsAnswer,
  ListRuleRevisionsInput,
  ListRuleRevisionsItem,
  ListRuleRevisionsOfAppAnswer,
  ListRuleRevisionsOfAppInput,
  ListRuleRevisionsOfAppItem,
  ListRulesAnswer,
  ListRulesInput,
  ListRulesItem,
  ListRulesOfAppAnswer,
  ListRulesOfAppInput,
  ListRulesOfAppItem,
  ListSessionsAnswer,
  ListWebPushProvidersAnswer,
  ListWebhookDeliveriesAnswer,
  ListWebhookDeliveriesInput,
  ListWebhookDeliveriesItem,
  ListWebhookDeliveriesOfAppAnswer,
  ListWebhookDeliveriesOfAppInput,
  ListWebhookDeliveriesOfAppItem,
  ListWebhooksAnswer,
  ListWebhooksOfAppAnswer,
  ListWebhooksOfAppInput,
  MuteConversationsAnswer,
  MuteConversationsInput,
  MutePushConversationsAnswer,
  MutePushConversationsInput,
  PauseWebhookAnswer,
  PauseWebhookInput,
  PauseWebhookOfAppAnswer,
  PauseWebhookOfAppInput,
  ReadSignInLinkAnswer,
  ReadSignInLinkInput,
  RedeemSignInLinkAnswer,
  RedeemSignInLinkInput,
  RedeliverWebhookAnswer,
  RedeliverWebhookInput,
  RedeliverWebhookOfAppAnswer,
  RedeliverWebhookOfAppInput,
  RegisterPushTokenAnswer,
  RegisterPushTokenInput,
  RemoveKeywordTermsAnswer,
  RemoveKeywordTermsInput,
  RemoveKeywordTermsOfAppAnswer,
  RemoveKeywordTermsOfAppInput,
  RemovePersonAnswer,
  RemovePersonInput,
  ReplaceApnsProviderAnswer,
  ReplaceApnsProviderInput,
  ReplaceCustomProviderAnswer,
  ReplaceCustomProviderInput,
  ReplaceFcmProviderAnswer,
  ReplaceFcmProviderInput,
  ReplaceKeywordListAnswer,
  ReplaceKeywordListInput,
  ReplaceKeywordListOfAppAnswer,
  ReplaceKeywordListOfAppInput,
  ReplaceReasonAnswer,
  ReplaceReasonInput,
  ReplaceReasonOfAppAnswer,
  ReplaceReasonOfAppInput,
  ReplaceRuleAnswer,
  ReplaceRuleInput,
  ReplaceRuleOfAppAnswer,
  ReplaceRuleOfAppInput,
  ReplaceWebPushProviderAnswer,
  ReplaceWebPushProviderInput,
  ResetNotificationSettingsAnswer,
  ResetPreferencesAnswer,
  ResetPreferencesInput,
  ResetPushPreferencesAnswer,
  ResetPushPreferencesInput,
  RestoreRuleAnswer,
  RestoreRuleInput,
  RestoreRuleOfAppAnswer,
  RestoreRuleOfAppInput,
  ResumeProviderAnswer,
  ResumeProviderInput,
  ResumeWebhookAnswer,
  ResumeWebhookInput,
  ResumeWebhookOfAppAnswer,
  ResumeWebhookOfAppInput,
  ReviewBlockedMessageAnswer,
  ReviewBlockedMessageInput,
  ReviewBlockedMessageOfAppAnswer,
  ReviewBlockedMessageOfAppInput,
  ReviewFlaggedMessageAnswer,
  ReviewFlaggedMessageInput,
  ReviewFlaggedMessageOfAppAnswer,
  ReviewFlaggedMessageOfAppInput,
  RevokeApiKeyAnswer,
  RevokeApiKeyInput,
  RevokeAuthTokenAnswer,
  RevokeAuthTokenInput,
  RevokeAuthTokenOfAppAnswer,
  RevokeAuthTokenOfAppInput,
  RevokeKeyPairAnswer,
  RevokeKeyPairInput,
  RotateWebhookSecretAnswer,
  RotateWebhookSecretInput,
  RotateWebhookSecretOfAppAnswer,
  RotateWebhookSecretOfAppInput,
  SendMessageAnswer,
  SendMessageInput,
  SendNotificationAnswer,
  SendNotificationInput,
  SetDefaultApnsProviderAnswer,
  SetDefaultApnsProviderInput,
  SetDefaultFcmProviderAnswer,
  SetDefaultFcmProviderInput,
  SetDefaultWebPushProviderAnswer,
  SetDefaultWebPushProviderInput,
  SignInAnswer,
  SignInInput,
  SignOutAnswer,
  SignOutDeviceAnswer,
  SignOutInput,
  TestProviderAnswer,
  TestProviderInput,
  TestWebhookAnswer,
  TestWebhookInput,
  TestWebhookOfAppAnswer,
  TestWebhookOfAppInput,
  UnmuteConversationsAnswer,
  UnmuteConversationsInput,
  UnmutePushConversationsAnswer,
  UnmutePushConversationsInput,
  UpdateNotificationSettingsAnswer,
  UpdateNotificationSettingsInput,
  UpdatePreferencesAnswer,
  UpdatePreferencesInput,
  UpdatePushPreferencesAnswer,
  UpdatePushPreferencesInput,
  UpdatePushTimezoneAnswer,
  UpdatePushTimezoneInput,
  UpdateTimezoneAnswer,
  UpdateTimezoneInput,
} from './types.ts';

/** The listings that come in pages, for `all`. */
export interface Paged {
  listAccountAudit: { input: ListAccountAuditInput; item: ListAccountAuditItem };
  listAudit: { input: ListAuditInput; item: ListAuditItem };
  listBlockedMessages: { input: ListBlockedMessagesInput; item: ListBlockedMessagesItem };
  listBlockedMessagesOfApp: { input: ListBlockedMessagesOfAppInput; item: ListBlockedMessagesOfAppItem };
  listFlaggedMessages: { input: ListFlaggedMessagesInput; item: ListFlaggedMessagesItem };
  listFlaggedMessagesOfApp: { input: ListFlaggedMessagesOfAppInput; item: ListFlaggedMessagesOfAppItem };
  listKeywordLists: { input: ListKeywordListsInput; item: ListKeywordListsItem };
  listKeywordListsOfApp: { input: ListKeywordListsOfAppInput; item: ListKeywordListsOfAppItem };
  listNotifications: { input: ListNotificationsInput; item: ListNotificationsItem };
  listPushTokens: { input: ListPushTokensInput; item: ListPushTokensItem };
  listReviewedMessages: { input: ListReviewedMessagesInput; item: ListReviewedMessagesItem };
  listReviewedMessagesOfApp: { input: ListReviewedMessagesOfAppInput; item: ListReviewedMessagesOfAppItem };
  listRuleRevisions: { input: ListRuleRevisionsInput; item: ListRuleRevisionsItem };
  listRuleRevisionsOfApp: { input: ListRuleRevisionsOfAppInput; item: ListRuleRevisionsOfAppItem };
  listRules: { input: ListRulesInput; item: ListRulesItem };
  listRulesOfApp: { input: ListRulesOfAppInput; item: ListRulesOfAppItem };
  listWebhookDeliveries: { input: ListWebhookDeliveriesInput; item: ListWebhookDeliveriesItem };
  listWebhookDeliveriesOfApp: { input: ListWebhookDeliveriesOfAppInput; item: ListWebhookDeliveriesOfAppItem };
}

/** Every operation of the service, by its name in the reference. */
export class Methods extends Transport {
  /** A device says that it got the notification. Counted once a device. (`POST /v3/notifications/push/v1/notifications/{notificationId}/ack`) */
  acknowledgeNotification(input: AcknowledgeNotificationInput, options: RequestOptions = {}): Promise<AcknowledgeNotificationAnswer> {
    return this.send(operations.acknowledgeNotification, input, options);
  }

  /** Add an APNS provider. Its secret is sealed and never shown again. (`POST /v3/notifications/push/v1/providers/apns`) */
  addApnsProvider(input: AddApnsProviderInput, options: RequestOptions = {}): Promise<AddApnsProviderAnswer> {
    return this.send(operations.addApnsProvider, input, options);
  }

  /** Add a custom provider. Its secret is sealed and never shown again. (`POST /v3/notifications/push/v1/providers/custom`) */
  addCustomProvider(input: AddCustomProviderInput, options: RequestOptions = {}): Promise<AddCustomProviderAnswer> {
    return this.send(operations.addCustomProvider, input, options);
  }

  /** Add an FCM provider. Its secret is sealed and never shown again. (`POST /v3/notifications/push/v1/providers/fcm`) */
  addFcmProvider(input: AddFcmProviderInput, options: RequestOptions = {}): Promise<AddFcmProviderAnswer> {
    return this.send(operations.addFcmProvider, input, options);
  }

  /** Add up to 10000 entries to a keyword list without sending the whole list. With If-Match only if that revision is still the current one. (`POST /v3/moderation/keywords/{id}/terms`) */
  addKeywordTerms(input: AddKeywordTermsInput, options: RequestOptions = {}): Promise<AddKeywordTermsAnswer> {
    return this.send(operations.addKeywordTerms, input, options);
  }

  /** Add up to 10000 entries to a keyword list without sending the whole list. With If-Match only if that revision is still the current one. (`POST /apps/{appId}/moderation/keywords/{id}/terms`) */
  addKeywordTermsOfApp(input: AddKeywordTermsOfAppInput, options: RequestOptions = {}): Promise<AddKeywordTermsOfAppAnswer> {
    return this.send(operations.addKeywordTermsOfApp, input, options);
  }

  /** Add a Web Push provider. Its secret is sealed and never shown again. (`POST /v3/notifications/push/v1/providers/webpush`) */
  addWebPushProvider(input: AddWebPushProviderInput, options: RequestOptions = {}): Promise<AddWebPushProviderAnswer> {
    return this.send(operations.addWebPushProvider, input, options);
  }

  /** Try a rule, stored or sent along, on the messages of the last days. It does not act. (`POST /v3/moderation/rules/{ruleId}/backtest`) */
  backtestRule(input: BacktestRuleInput, options: RequestOptions = {}): Promise<BacktestRuleAnswer> {
    return this.send(operations.backtestRule, input, options);
  }

  /** Try a rule, stored or sent along, on the messages of the last days. It does not act. (`POST /apps/{appId}/moderation/rules/{ruleId}/backtest`) */
  backtestRuleOfApp(input: BacktestRuleOfAppInput, options: RequestOptions = {}): Promise<BacktestRuleOfAppAnswer> {
    return this.send(operations.backtestRuleOfApp, input, options);
  }

  /** Call back what has not left yet. (`DELETE /v3/notifications/push/v1/notifications/{notificationId}`) */
  cancelNotification(input: CancelNotificationInput, options: RequestOptions = {}): Promise<CancelNotificationAnswer> {
    return this.send(operations.cancelNotification, input, options);
  }

  /** Change what to do on failure, or the custom API. Its secret goes in and does not come out. (`PATCH /v3/moderation/settings`) */
  changeModerationSettings(input: ChangeModerationSettingsInput = {}, options: RequestOptions = {}): Promise<ChangeModerationSettingsAnswer> {
    return this.send(operations.changeModerationSettings, input, options);
  }

  /** Change what to do on failure, or the custom API. Its secret goes in and does not come out. (`PATCH /apps/{appId}/moderation/settings`) */
  changeModerationSettingsOfApp(input: ChangeModerationSettingsOfAppInput = {}, options: RequestOptions = {}): Promise<ChangeModerationSettingsOfAppAnswer> {
    return this.send(operations.changeModerationSettingsOfApp, input, options);
  }

  /** Change your own password. Every other session of yours ends. (`PUT /session/password`) */
  changePassword(input: ChangePasswordInput, options: RequestOptions = {}): Promise<ChangePasswordAnswer> {
    return this.send(operations.changePassword, input, options);
  }

  /** Change the name or the role of a person. It acts on their next request. (`PATCH /people/{personId}`) */
  changePerson(input: ChangePersonInput, options: RequestOptions = {}): Promise<ChangePersonAnswer> {
    return this.send(operations.changePerson, input, options);
  }

  /** Change the address, the description or the choice of events of an endpoint. (`PATCH /v3/webhooks/{webhookId}`) */
  changeWebhook(input: ChangeWebhookInput, options: RequestOptions = {}): Promise<ChangeWebhookAnswer> {
    return this.send(operations.changeWebhook, input, options);
  }

  /** Change the address, the description or the choice of events of an endpoint. (`PATCH /apps/{appId}/webhooks/{webhookId}`) */
  changeWebhookOfApp(input: ChangeWebhookOfAppInput, options: RequestOptions = {}): Promise<ChangeWebhookOfAppAnswer> {
    return this.send(operations.changeWebhookOfApp, input, options);
  }

  /** Judge a message, or up to 1000 in "messages", and store nothing. (`POST /v3/moderation/check`) */
  checkMessages(input: CheckMessagesInput = {}, options: RequestOptions = {}): Promise<CheckMessagesAnswer> {
    return this.send(operations.checkMessages, input, options);
  }

  /** Judge a message, or up to 1000 in "messages", and store nothing. (`POST /apps/{appId}/moderation/check`) */
  checkMessagesOfApp(input: CheckMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<CheckMessagesOfAppAnswer> {
    return this.send(operations.checkMessagesOfApp, input, options);
  }

  /** Make an API key. This answer is the only one that shows it. (`POST /apps/{appId}/apikeys`) */
  createApiKey(input: CreateApiKeyInput, options: RequestOptions = {}): Promise<CreateApiKeyAnswer> {
    return this.send(operations.createApiKey, input, options);
  }

  /** Make an app, with the built-in rules. (`POST /apps`) */
  createApp(input: CreateAppInput, options: RequestOptions = {}): Promise<CreateAppAnswer> {
    return this.send(operations.createApp, input, options);
  }

  /** Make an auth token for a user's device. (`POST /v3/users/{uid}/auth_tokens`) */
  createAuthToken(input: CreateAuthTokenInput, options: RequestOptions = {}): Promise<CreateAuthTokenAnswer> {
    return this.send(operations.createAuthToken, input, options);
  }

  /** Make an auth token for a user's device. (`POST /apps/{appId}/users/{uid}/auth_tokens`) */
  createAuthTokenOfApp(input: CreateAuthTokenOfAppInput, options: RequestOptions = {}): Promise<CreateAuthTokenOfAppAnswer> {
    return this.send(operations.createAuthTokenOfApp, input, options);
  }

  /** Make a pair of key and secret, for all apps or for some. Shown once. (`POST /keypairs`) */
  createKeyPair(input: CreateKeyPairInput, options: RequestOptions = {}): Promise<CreateKeyPairAnswer> {
    return this.send(operations.createKeyPair, input, options);
  }

  /** Make a keyword list from JSON, form fields or a CSV file. (`POST /v3/moderation/keywords`) */
  createKeywordList(input: CreateKeywordListInput = {}, options: RequestOptions = {}): Promise<CreateKeywordListAnswer> {
    return this.send(operations.createKeywordList, input, options);
  }

  /** Make a keyword list from JSON, form fields or a CSV file. (`POST /apps/{appId}/moderation/keywords`) */
  createKeywordListOfApp(input: CreateKeywordListOfAppInput = {}, options: RequestOptions = {}): Promise<CreateKeywordListOfAppAnswer> {
    return this.send(operations.createKeywordListOfApp, input, options);
  }

  /** Make a reason. (`POST /v3/moderation/reasons`) */
  createReason(input: CreateReasonInput, options: RequestOptions = {}): Promise<CreateReasonAnswer> {
    return this.send(operations.createReason, input, options);
  }

  /** Make a reason. (`POST /apps/{appId}/moderation/reasons`) */
  createReasonOfApp(input: CreateReasonOfAppInput, options: RequestOptions = {}): Promise<CreateReasonOfAppAnswer> {
    return this.send(operations.createReasonOfApp, input, options);
  }

  /** Make a rule. (`POST /v3/moderation/rules`) */
  createRule(input: CreateRuleInput, options: RequestOptions = {}): Promise<CreateRuleAnswer> {
    return this.send(operations.createRule, input, options);
  }

  /** Make a rule. (`POST /apps/{appId}/moderation/rules`) */
  createRuleOfApp(input: CreateRuleOfAppInput, options: RequestOptions = {}): Promise<CreateRuleOfAppAnswer> {
    return this.send(operations.createRuleOfApp, input, options);
  }

  /** Make a link with which a person chooses a new password. It works once, for a day. (`POST /people/{personId}/links`) */
  createSignInLink(input: CreateSignInLinkInput, options: RequestOptions = {}): Promise<CreateSignInLinkAnswer> {
    return this.send(operations.createSignInLink, input, options);
  }

  /** Add an endpoint. The answer holds its secret, this once. (`POST /v3/webhooks`) */
  createWebhook(input: CreateWebhookInput, options: RequestOptions = {}): Promise<CreateWebhookAnswer> {
    return this.send(operations.createWebhook, input, options);
  }

  /** Add an endpoint. The answer holds its secret, this once. (`POST /apps/{appId}/webhooks`) */
  createWebhookOfApp(input: CreateWebhookOfAppInput, options: RequestOptions = {}): Promise<CreateWebhookOfAppAnswer> {
    return this.send(operations.createWebhookOfApp, input, options);
  }

  /** Delete a provider. Pushes that wait for it fail. (`DELETE /v3/notifications/push/v1/providers/apns/{providerId}`) */
  deleteApnsProvider(input: DeleteApnsProviderInput, options: RequestOptions = {}): Promise<DeleteApnsProviderAnswer> {
    return this.send(operations.deleteApnsProvider, input, options);
  }

  /** Delete an app with everything in it. (`DELETE /apps/{appId}`) */
  deleteApp(input: DeleteAppInput, options: RequestOptions = {}): Promise<DeleteAppAnswer> {
    return this.send(operations.deleteApp, input, options);
  }

  /** Delete the custom provider. (`DELETE /v3/notifications/push/v1/providers/custom`) */
  deleteCustomProvider(options: RequestOptions = {}): Promise<DeleteCustomProviderAnswer> {
    return this.send(operations.deleteCustomProvider, {}, options);
  }

  /** Delete a provider. Pushes that wait for it fail. (`DELETE /v3/notifications/push/v1/providers/fcm/{providerId}`) */
  deleteFcmProvider(input: DeleteFcmProviderInput, options: RequestOptions = {}): Promise<DeleteFcmProviderAnswer> {
    return this.send(operations.deleteFcmProvider, input, options);
  }

  /** Delete a keyword list that no rule uses. With If-Match only if that revision is still the current one. (`DELETE /v3/moderation/keywords/{id}`) */
  deleteKeywordList(input: DeleteKeywordListInput, options: RequestOptions = {}): Promise<DeleteKeywordListAnswer> {
    return this.send(operations.deleteKeywordList, input, options);
  }

  /** Delete a keyword list that no rule uses. With If-Match only if that revision is still the current one. (`DELETE /apps/{appId}/moderation/keywords/{id}`) */
  deleteKeywordListOfApp(input: DeleteKeywordListOfAppInput, options: RequestOptions = {}): Promise<DeleteKeywordListOfAppAnswer> {
    return this.send(operations.deleteKeywordListOfApp, input, options);
  }

  /** Delete a message as it stands. What moderators were shown of it stays in their queues until it is old. (`DELETE /v3/moderation/messages/{id}`) */
  deleteMessage(input: DeleteMessageInput, options: RequestOptions = {}): Promise<DeleteMessageAnswer> {
    return this.send(operations.deleteMessage, input, options);
  }

  /** Delete a message as it stands. What moderators were shown of it stays in their queues until it is old. (`DELETE /apps/{appId}/moderation/messages/{id}`) */
  deleteMessageOfApp(input: DeleteMessageOfAppInput, options: RequestOptions = {}): Promise<DeleteMessageOfAppAnswer> {
    return this.send(operations.deleteMessageOfApp, input, options);
  }

  /** Delete one push token. (`DELETE /v3/notifications/push/v1/tokens/{pushToken}`) */
  deletePushToken(input: DeletePushTokenInput, options: RequestOptions = {}): Promise<DeletePushTokenAnswer> {
    return this.send(operations.deletePushToken, input, options);
  }

  /** Delete the push tokens of an auth token, or with all=true of its user. (`DELETE /v3/notifications/push/v1/tokens`) */
  deletePushTokens(input: DeletePushTokensInput = {}, options: RequestOptions = {}): Promise<DeletePushTokensAnswer> {
    return this.send(operations.deletePushTokens, input, options);
  }

  /** Delete a reason; a built-in one returns to how it came. (`DELETE /v3/moderation/reasons/{id}`) */
  deleteReason(input: DeleteReasonInput, options: RequestOptions = {}): Promise<DeleteReasonAnswer> {
    return this.send(operations.deleteReason, input, options);
  }

  /** Delete a reason; a built-in one returns to how it came. (`DELETE /apps/{appId}/moderation/reasons/{id}`) */
  deleteReasonOfApp(input: DeleteReasonOfAppInput, options: RequestOptions = {}): Promise<DeleteReasonOfAppAnswer> {
    return this.send(operations.deleteReasonOfApp, input, options);
  }

  /** Delete a rule; a built-in rule returns to how it came. With If-Match only if that revision is still the current one. (`DELETE /v3/moderation/rules/{ruleId}`) */
  deleteRule(input: DeleteRuleInput, options: RequestOptions = {}): Promise<DeleteRuleAnswer> {
    return this.send(operations.deleteRule, input, options);
  }

  /** Delete a rule; a built-in rule returns to how it came. With If-Match only if that revision is still the current one. (`DELETE /apps/{appId}/moderation/rules/{ruleId}`) */
  deleteRuleOfApp(input: DeleteRuleOfAppInput, options: RequestOptions = {}): Promise<DeleteRuleOfAppAnswer> {
    return this.send(operations.deleteRuleOfApp, input, options);
  }

  /** Delete a provider. Pushes that wait for it fail. (`DELETE /v3/notifications/push/v1/providers/webpush/{providerId}`) */
  deleteWebPushProvider(input: DeleteWebPushProviderInput, options: RequestOptions = {}): Promise<DeleteWebPushProviderAnswer> {
    return this.send(operations.deleteWebPushProvider, input, options);
  }

  /** Delete an endpoint, with what it has not been told yet. (`DELETE /v3/webhooks/{webhookId}`) */
  deleteWebhook(input: DeleteWebhookInput, options: RequestOptions = {}): Promise<DeleteWebhookAnswer> {
    return this.send(operations.deleteWebhook, input, options);
  }

  /** Delete an endpoint, with what it has not been told yet. (`DELETE /apps/{appId}/webhooks/{webhookId}`) */
  deleteWebhookOfApp(input: DeleteWebhookOfAppInput, options: RequestOptions = {}): Promise<DeleteWebhookOfAppAnswer> {
    return this.send(operations.deleteWebhookOfApp, input, options);
  }

  /** Judge an edit. A blocked edit leaves the clean version standing. (`PUT /v3/moderation/messages/{id}`) */
  editMessage(input: EditMessageInput, options: RequestOptions = {}): Promise<EditMessageAnswer> {
    return this.send(operations.editMessage, input, options);
  }

  /** Judge an edit. A blocked edit leaves the clean version standing. (`PUT /apps/{appId}/moderation/messages/{id}`) */
  editMessageOfApp(input: EditMessageOfAppInput, options: RequestOptions = {}): Promise<EditMessageOfAppAnswer> {
    return this.send(operations.editMessageOfApp, input, options);
  }

  /** End a session: one of your own, for an owner anybody’s. (`DELETE /sessions/{sessionId}`) */
  endSession(input: EndSessionInput, options: RequestOptions = {}): Promise<EndSessionAnswer> {
    return this.send(operations.endSession, input, options);
  }

  /** Export the blocked messages: text/csv, or one JSON object a line (application/x-ndjson). (`GET /v3/moderation/blocked-messages/export`) */
  exportBlockedMessages(input: ExportBlockedMessagesInput = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportBlockedMessages, input, options);
  }

  /** Export the blocked messages: text/csv, or one JSON object a line (application/x-ndjson). (`GET /apps/{appId}/moderation/blocked-messages/export`) */
  exportBlockedMessagesOfApp(input: ExportBlockedMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportBlockedMessagesOfApp, input, options);
  }

  /** Export the flagged messages: text/csv, or one JSON object a line (application/x-ndjson). (`GET /v3/moderation/flagged-messages/export`) */
  exportFlaggedMessages(input: ExportFlaggedMessagesInput = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportFlaggedMessages, input, options);
  }

  /** Export the flagged messages: text/csv, or one JSON object a line (application/x-ndjson). (`GET /apps/{appId}/moderation/flagged-messages/export`) */
  exportFlaggedMessagesOfApp(input: ExportFlaggedMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportFlaggedMessagesOfApp, input, options);
  }

  /** Export the terms of a list: text/csv, or one JSON string a line (application/x-ndjson). (`GET /v3/moderation/keywords/{id}/export`) */
  exportKeywordList(input: ExportKeywordListInput, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportKeywordList, input, options);
  }

  /** Export the terms of a list: text/csv, or one JSON string a line (application/x-ndjson). (`GET /apps/{appId}/moderation/keywords/{id}/export`) */
  exportKeywordListOfApp(input: ExportKeywordListOfAppInput, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportKeywordListOfApp, input, options);
  }

  /** Export the reviewed messages: text/csv, or one JSON object a line (application/x-ndjson). (`GET /v3/moderation/reviewed-messages/export`) */
  exportReviewedMessages(input: ExportReviewedMessagesInput = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportReviewedMessages, input, options);
  }

  /** Export the reviewed messages: text/csv, or one JSON object a line (application/x-ndjson). (`GET /apps/{appId}/moderation/reviewed-messages/export`) */
  exportReviewedMessagesOfApp(input: ExportReviewedMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.exportReviewedMessagesOfApp, input, options);
  }

  /** Tell the moderators of a message, as the user of the auth token or on behalf of one (header onBehalfOf). (`POST /v3/messages/{messageId}/flagged`) */
  flagMessage(input: FlagMessageInput, options: RequestOptions = {}): Promise<FlagMessageAnswer> {
    return this.send(operations.flagMessage, input, options);
  }

  /** Get an app. (`GET /apps/{appId}`) */
  getApp(input: GetAppInput, options: RequestOptions = {}): Promise<GetAppAnswer> {
    return this.send(operations.getApp, input, options);
  }

  /** Where an SDK finds the API: at the host that it asked. (`GET /v3/settings`) */
  getClientSettings(options: RequestOptions = {}): Promise<GetClientSettingsAnswer> {
    return this.send(operations.getClientSettings, {}, options);
  }

  /** Get a keyword list with its terms. (`GET /v3/moderation/keywords/{id}`) */
  getKeywordList(input: GetKeywordListInput, options: RequestOptions = {}): Promise<GetKeywordListAnswer> {
    return this.send(operations.getKeywordList, input, options);
  }

  /** Get a keyword list with its terms. (`GET /apps/{appId}/moderation/keywords/{id}`) */
  getKeywordListOfApp(input: GetKeywordListOfAppInput, options: RequestOptions = {}): Promise<GetKeywordListOfAppAnswer> {
    return this.send(operations.getKeywordListOfApp, input, options);
  }

  /** Get a message as it stands. (`GET /v3/moderation/messages/{id}`) */
  getMessage(input: GetMessageInput, options: RequestOptions = {}): Promise<GetMessageAnswer> {
    return this.send(operations.getMessage, input, options);
  }

  /** Get a message as it stands. (`GET /apps/{appId}/moderation/messages/{id}`) */
  getMessageOfApp(input: GetMessageOfAppInput, options: RequestOptions = {}): Promise<GetMessageOfAppAnswer> {
    return this.send(operations.getMessageOfApp, input, options);
  }

  /** Get how the app is moderated beside its rules: what to do on failure, the custom API, the media set-up. (`GET /v3/moderation/settings`) */
  getModerationSettings(options: RequestOptions = {}): Promise<GetModerationSettingsAnswer> {
    return this.send(operations.getModerationSettings, {}, options);
  }

  /** Get how the app is moderated beside its rules: what to do on failure, the custom API, the media set-up. (`GET /apps/{appId}/moderation/settings`) */
  getModerationSettingsOfApp(input: GetModerationSettingsOfAppInput = {}, options: RequestOptions = {}): Promise<GetModerationSettingsOfAppAnswer> {
    return this.send(operations.getModerationSettingsOfApp, input, options);
  }

  /** How far a notification has come, with counts. (`GET /v3/notifications/push/v1/notifications/{notificationId}`) */
  getNotification(input: GetNotificationInput, options: RequestOptions = {}): Promise<GetNotificationAnswer> {
    return this.send(operations.getNotification, input, options);
  }

  /** The preferences, sounds and templates of the app. (`GET /v3/notifications/v1/settings`) */
  getNotificationSettings(options: RequestOptions = {}): Promise<GetNotificationSettingsAnswer> {
    return this.send(operations.getNotificationSettings, {}, options);
  }

  /** What happened in an app over the last hours, how it is now, and what needs somebody. (`GET /apps/{appId}/overview`) */
  getOverview(input: GetOverviewInput = {}, options: RequestOptions = {}): Promise<GetOverviewAnswer> {
    return this.send(operations.getOverview, input, options);
  }

  /** What a user wants of notifications. (`GET /v3/notifications/v1/preferences`) */
  getPreferences(input: GetPreferencesInput = {}, options: RequestOptions = {}): Promise<GetPreferencesAnswer> {
    return this.send(operations.getPreferences, input, options);
  }

  /** What a user wants of notifications. (`GET /v3/notifications/push/v1/preferences`) */
  getPushPreferences(input: GetPushPreferencesInput = {}, options: RequestOptions = {}): Promise<GetPushPreferencesAnswer> {
    return this.send(operations.getPushPreferences, input, options);
  }

  /** The time zone of a user. (`GET /v3/notifications/push/v1/preferences/timezone`) */
  getPushTimezone(input: GetPushTimezoneInput = {}, options: RequestOptions = {}): Promise<GetPushTimezoneAnswer> {
    return this.send(operations.getPushTimezone, input, options);
  }

  /** Get a reason. (`GET /v3/moderation/reasons/{id}`) */
  getReason(input: GetReasonInput, options: RequestOptions = {}): Promise<GetReasonAnswer> {
    return this.send(operations.getReason, input, options);
  }

  /** Get a reason. (`GET /apps/{appId}/moderation/reasons/{id}`) */
  getReasonOfApp(input: GetReasonOfAppInput, options: RequestOptions = {}): Promise<GetReasonOfAppAnswer> {
    return this.send(operations.getReasonOfApp, input, options);
  }

  /** A picture or film of a message in the review queues, fetched by the service: image/* or video/*. (`GET /apps/{appId}/moderation/review-attachments/{messageId}`) */
  getReviewAttachment(input: GetReviewAttachmentInput, options: RequestOptions = {}): Promise<Response> {
    return this.sendRaw(operations.getReviewAttachment, input, options);
  }

  /** Get a rule. (`GET /v3/moderation/rules/{ruleId}`) */
  getRule(input: GetRuleInput, options: RequestOptions = {}): Promise<GetRuleAnswer> {
    return this.send(operations.getRule, input, options);
  }

  /** Get a rule. (`GET /apps/{appId}/moderation/rules/{ruleId}`) */
  getRuleOfApp(input: GetRuleOfAppInput, options: RequestOptions = {}): Promise<GetRuleOfAppAnswer> {
    return this.send(operations.getRuleOfApp, input, options);
  }

  /** Which version runs, on which store, with which limits, and how long it keeps what. (`GET /service`) */
  getService(options: RequestOptions = {}): Promise<GetServiceAnswer> {
    return this.send(operations.getService, {}, options);
  }

  /** Say who is signed in. (`GET /session`) */
  getSession(options: RequestOptions = {}): Promise<GetSessionAnswer> {
    return this.send(operations.getSession, {}, options);
  }

  /** The time zone of a user. (`GET /v3/notifications/v1/preferences/timezone`) */
  getTimezone(input: GetTimezoneInput = {}, options: RequestOptions = {}): Promise<GetTimezoneAnswer> {
    return this.send(operations.getTimezone, input, options);
  }

  /** Get an endpoint. (`GET /v3/webhooks/{webhookId}`) */
  getWebhook(input: GetWebhookInput, options: RequestOptions = {}): Promise<GetWebhookAnswer> {
    return this.send(operations.getWebhook, input, options);
  }

  /** Get an endpoint. (`GET /apps/{appId}/webhooks/{webhookId}`) */
  getWebhookOfApp(input: GetWebhookOfAppInput, options: RequestOptions = {}): Promise<GetWebhookOfAppAnswer> {
    return this.send(operations.getWebhookOfApp, input, options);
  }

  /** Who is this auth token? The first call of an SDK that signs in with one. (`PUT /v3/me`) */
  identifyDevice(input: IdentifyDeviceInput = {}, options: RequestOptions = {}): Promise<IdentifyDeviceAnswer> {
    return this.send(operations.identifyDevice, input, options);
  }

  /** Invite somebody. The answer holds, once, the link with which they choose their password. (`POST /people`) */
  invitePerson(input: InvitePersonInput, options: RequestOptions = {}): Promise<InvitePersonAnswer> {
    return this.send(operations.invitePerson, input, options);
  }

  /** Judge a message and store the outcome. A blocked message is a 200 with a verdict. (`POST /v3/moderation/messages`) */
  judgeMessage(input: JudgeMessageInput, options: RequestOptions = {}): Promise<JudgeMessageAnswer> {
    return this.send(operations.judgeMessage, input, options);
  }

  /** Judge a message and store the outcome. A blocked message is a 200 with a verdict. (`POST /apps/{appId}/moderation/messages`) */
  judgeMessageOfApp(input: JudgeMessageOfAppInput, options: RequestOptions = {}): Promise<JudgeMessageOfAppAnswer> {
    return this.send(operations.judgeMessageOfApp, input, options);
  }

  /** List who changed what in the account (people, sessions, pairs of keys, apps), newest first. (`GET /audit`) */
  listAccountAudit(input: ListAccountAuditInput = {}, options: RequestOptions = {}): Promise<ListAccountAuditAnswer> {
    return this.send(operations.listAccountAudit, input, options);
  }

  /** List the API keys of an app. The keys themselves are not shown again. (`GET /apps/{appId}/apikeys`) */
  listApiKeys(input: ListApiKeysInput = {}, options: RequestOptions = {}): Promise<ListApiKeysAnswer> {
    return this.send(operations.listApiKeys, input, options);
  }

  /** List the APNS providers of the app, without their secrets. (`GET /v3/notifications/push/v1/providers/apns`) */
  listApnsProviders(options: RequestOptions = {}): Promise<ListApnsProvidersAnswer> {
    return this.send(operations.listApnsProviders, {}, options);
  }

  /** List the apps of the account. (`GET /apps`) */
  listApps(options: RequestOptions = {}): Promise<ListAppsAnswer> {
    return this.send(operations.listApps, {}, options);
  }

  /** List who changed what in an app, newest first. (`GET /apps/{appId}/audit`) */
  listAudit(input: ListAuditInput = {}, options: RequestOptions = {}): Promise<ListAuditAnswer> {
    return this.send(operations.listAudit, input, options);
  }

  /** List the auth tokens of a user. (`GET /v3/users/{uid}/auth_tokens`) */
  listAuthTokens(input: ListAuthTokensInput, options: RequestOptions = {}): Promise<ListAuthTokensAnswer> {
    return this.send(operations.listAuthTokens, input, options);
  }

  /** List the auth tokens of a user. (`GET /apps/{appId}/users/{uid}/auth_tokens`) */
  listAuthTokensOfApp(input: ListAuthTokensOfAppInput, options: RequestOptions = {}): Promise<ListAuthTokensOfAppAnswer> {
    return this.send(operations.listAuthTokensOfApp, input, options);
  }

  /** List the blocked messages, newest first. (`GET /v3/moderation/blocked-messages`) */
  listBlockedMessages(input: ListBlockedMessagesInput = {}, options: RequestOptions = {}): Promise<ListBlockedMessagesAnswer> {
    return this.send(operations.listBlockedMessages, input, options);
  }

  /** List the blocked messages, newest first. (`GET /apps/{appId}/moderation/blocked-messages`) */
  listBlockedMessagesOfApp(input: ListBlockedMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<ListBlockedMessagesOfAppAnswer> {
    return this.send(operations.listBlockedMessagesOfApp, input, options);
  }

  /** List the custom providers of the app, without their secrets. (`GET /v3/notifications/push/v1/providers/custom`) */
  listCustomProviders(options: RequestOptions = {}): Promise<ListCustomProvidersAnswer> {
    return this.send(operations.listCustomProviders, {}, options);
  }

  /** List the FCM providers of the app, without their secrets. (`GET /v3/notifications/push/v1/providers/fcm`) */
  listFcmProviders(options: RequestOptions = {}): Promise<ListFcmProvidersAnswer> {
    return this.send(operations.listFcmProviders, {}, options);
  }

  /** List the flagged messages, newest first. (`GET /v3/moderation/flagged-messages`) */
  listFlaggedMessages(input: ListFlaggedMessagesInput = {}, options: RequestOptions = {}): Promise<ListFlaggedMessagesAnswer> {
    return this.send(operations.listFlaggedMessages, input, options);
  }

  /** List the flagged messages, newest first. (`GET /apps/{appId}/moderation/flagged-messages`) */
  listFlaggedMessagesOfApp(input: ListFlaggedMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<ListFlaggedMessagesOfAppAnswer> {
    return this.send(operations.listFlaggedMessagesOfApp, input, options);
  }

  /** List the pairs of key and secret of the account. (`GET /keypairs`) */
  listKeyPairs(options: RequestOptions = {}): Promise<ListKeyPairsAnswer> {
    return this.send(operations.listKeyPairs, {}, options);
  }

  /** List the keyword lists of an app, newest first. (`GET /v3/moderation/keywords`) */
  listKeywordLists(input: ListKeywordListsInput = {}, options: RequestOptions = {}): Promise<ListKeywordListsAnswer> {
    return this.send(operations.listKeywordLists, input, options);
  }

  /** List the keyword lists of an app, newest first. (`GET /apps/{appId}/moderation/keywords`) */
  listKeywordListsOfApp(input: ListKeywordListsOfAppInput = {}, options: RequestOptions = {}): Promise<ListKeywordListsOfAppAnswer> {
    return this.send(operations.listKeywordListsOfApp, input, options);
  }

  /** List the messages that are kept, by the time they were sent. (`GET /v3/moderation/messages`) */
  listMessages(input: ListMessagesInput = {}, options: RequestOptions = {}): Promise<ListMessagesAnswer> {
    return this.send(operations.listMessages, input, options);
  }

  /** What was said before and after a message in its conversation, as far as it is kept. (`GET /v3/moderation/messages/{messageId}/around`) */
  listMessagesAround(input: ListMessagesAroundInput, options: RequestOptions = {}): Promise<ListMessagesAroundAnswer> {
    return this.send(operations.listMessagesAround, input, options);
  }

  /** What was said before and after a message in its conversation, as far as it is kept. (`GET /apps/{appId}/moderation/messages/{messageId}/around`) */
  listMessagesAroundOfApp(input: ListMessagesAroundOfAppInput, options: RequestOptions = {}): Promise<ListMessagesAroundOfAppAnswer> {
    return this.send(operations.listMessagesAroundOfApp, input, options);
  }

  /** List the messages that are kept, by the time they were sent. (`GET /apps/{appId}/moderation/messages`) */
  listMessagesOfApp(input: ListMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<ListMessagesOfAppAnswer> {
    return this.send(operations.listMessagesOfApp, input, options);
  }

  /** The conversations a user has muted. (`GET /v3/notifications/v1/preferences/mute`) */
  listMutedConversations(input: ListMutedConversationsInput = {}, options: RequestOptions = {}): Promise<ListMutedConversationsAnswer> {
    return this.send(operations.listMutedConversations, input, options);
  }

  /** What became of every push, newest first. (`GET /v3/notifications/v1/logs`) */
  listNotificationLogs(input: ListNotificationLogsInput = {}, options: RequestOptions = {}): Promise<ListNotificationLogsAnswer> {
    return this.send(operations.listNotificationLogs, input, options);
  }

  /** List the notifications that were composed, newest first. Those of chat messages are in the logs. (`GET /v3/notifications/push/v1/notifications`) */
  listNotifications(input: ListNotificationsInput = {}, options: RequestOptions = {}): Promise<ListNotificationsAnswer> {
    return this.send(operations.listNotifications, input, options);
  }

  /** List the people who may sign in to the dashboard. (`GET /people`) */
  listPeople(options: RequestOptions = {}): Promise<ListPeopleAnswer> {
    return this.send(operations.listPeople, {}, options);
  }

  /** The health of every provider: last success, last error, paused and why, how much waits. (`GET /v3/notifications/push/v1/providers/health`) */
  listProviderHealth(options: RequestOptions = {}): Promise<ListProviderHealthAnswer> {
    return this.send(operations.listProviderHealth, {}, options);
  }

  /** The conversations a user has muted. (`GET /v3/notifications/push/v1/preferences/mute`) */
  listPushMutedConversations(input: ListPushMutedConversationsInput = {}, options: RequestOptions = {}): Promise<ListPushMutedConversationsAnswer> {
    return this.send(operations.listPushMutedConversations, input, options);
  }

  /** List the push tokens of an auth token, of a user, or of the whole app. (`GET /v3/notifications/push/v1/tokens`) */
  listPushTokens(input: ListPushTokensInput = {}, options: RequestOptions = {}): Promise<ListPushTokensAnswer> {
    return this.send(operations.listPushTokens, input, options);
  }

  /** List the reasons that users can give for flagging a message. (`GET /v3/moderation/reasons`) */
  listReasons(options: RequestOptions = {}): Promise<ListReasonsAnswer> {
    return this.send(operations.listReasons, {}, options);
  }

  /** List the reasons that users can give for flagging a message. (`GET /apps/{appId}/moderation/reasons`) */
  listReasonsOfApp(input: ListReasonsOfAppInput = {}, options: RequestOptions = {}): Promise<ListReasonsOfAppAnswer> {
    return this.send(operations.listReasonsOfApp, input, options);
  }

  /** List the reviewed messages, newest first. (`GET /v3/moderation/reviewed-messages`) */
  listReviewedMessages(input: ListReviewedMessagesInput = {}, options: RequestOptions = {}): Promise<ListReviewedMessagesAnswer> {
    return this.send(operations.listReviewedMessages, input, options);
  }

  /** List the reviewed messages, newest first. (`GET /apps/{appId}/moderation/reviewed-messages`) */
  listReviewedMessagesOfApp(input: ListReviewedMessagesOfAppInput = {}, options: RequestOptions = {}): Promise<ListReviewedMessagesOfAppAnswer> {
    return this.send(operations.listReviewedMessagesOfApp, input, options);
  }

  /** List the revisions of a rule, newest first. (`GET /v3/moderation/rules/{ruleId}/revisions`) */
  listRuleRevisions(input: ListRuleRevisionsInput, options: RequestOptions = {}): Promise<ListRuleRevisionsAnswer> {
    return this.send(operations.listRuleRevisions, input, options);
  }

  /** List the revisions of a rule, newest first. (`GET /apps/{appId}/moderation/rules/{ruleId}/revisions`) */
  listRuleRevisionsOfApp(input: ListRuleRevisionsOfAppInput, options: RequestOptions = {}): Promise<ListRuleRevisionsOfAppAnswer> {
    return this.send(operations.listRuleRevisionsOfApp, input, options);
  }

  /** List the moderation rules of an app, newest first. (`GET /v3/moderation/rules`) */
  listRules(input: ListRulesInput = {}, options: RequestOptions = {}): Promise<ListRulesAnswer> {
    return this.send(operations.listRules, input, options);
  }

  /** List the moderation rules of an app, newest first. (`GET /apps/{appId}/moderation/rules`) */
  listRulesOfApp(input: ListRulesOfAppInput = {}, options: RequestOptions = {}): Promise<ListRulesOfAppAnswer> {
    return this.send(operations.listRulesOfApp, input, options);
  }

  /** List who is signed in where: your own sessions, for an owner those of everybody. (`GET /sessions`) */
  listSessions(options: RequestOptions = {}): Promise<ListSessionsAnswer> {
    return this.send(operations.listSessions, {}, options);
  }

  /** List the Web Push providers of the app, without their secrets. (`GET /v3/notifications/push/v1/providers/webpush`) */
  listWebPushProviders(options: RequestOptions = {}): Promise<ListWebPushProvidersAnswer> {
    return this.send(operations.listWebPushProviders, {}, options);
  }

  /** List what an endpoint was told, newest first, with every answer it gave. (`GET /v3/webhooks/{webhookId}/deliveries`) */
  listWebhookDeliveries(input: ListWebhookDeliveriesInput, options: RequestOptions = {}): Promise<ListWebhookDeliveriesAnswer> {
    return this.send(operations.listWebhookDeliveries, input, options);
  }

  /** List what an endpoint was told, newest first, with every answer it gave. (`GET /apps/{appId}/webhooks/{webhookId}/deliveries`) */
  listWebhookDeliveriesOfApp(input: ListWebhookDeliveriesOfAppInput, options: RequestOptions = {}): Promise<ListWebhookDeliveriesOfAppAnswer> {
    return this.send(operations.listWebhookDeliveriesOfApp, input, options);
  }

  /** List the endpoints that are told of events. (`GET /v3/webhooks`) */
  listWebhooks(options: RequestOptions = {}): Promise<ListWebhooksAnswer> {
    return this.send(operations.listWebhooks, {}, options);
  }

  /** List the endpoints that are told of events. (`GET /apps/{appId}/webhooks`) */
  listWebhooksOfApp(input: ListWebhooksOfAppInput = {}, options: RequestOptions = {}): Promise<ListWebhooksOfAppAnswer> {
    return this.send(operations.listWebhooksOfApp, input, options);
  }

  /** Mute conversations until a time. (`PUT /v3/notifications/v1/preferences/mute`) */
  muteConversations(input: MuteConversationsInput, options: RequestOptions = {}): Promise<MuteConversationsAnswer> {
    return this.send(operations.muteConversations, input, options);
  }

  /** Mute conversations until a time. (`PUT /v3/notifications/push/v1/preferences/mute`) */
  mutePushConversations(input: MutePushConversationsInput, options: RequestOptions = {}): Promise<MutePushConversationsAnswer> {
    return this.send(operations.mutePushConversations, input, options);
  }

  /** Send nothing to an endpoint until it is resumed. Events wait for it, as long as events are kept. (`POST /v3/webhooks/{webhookId}/pause`) */
  pauseWebhook(input: PauseWebhookInput, options: RequestOptions = {}): Promise<PauseWebhookAnswer> {
    return this.send(operations.pauseWebhook, input, options);
  }

  /** Send nothing to an endpoint until it is resumed. Events wait for it, as long as events are kept. (`POST /apps/{appId}/webhooks/{webhookId}/pause`) */
  pauseWebhookOfApp(input: PauseWebhookOfAppInput, options: RequestOptions = {}): Promise<PauseWebhookOfAppAnswer> {
    return this.send(operations.pauseWebhookOfApp, input, options);
  }

  /** Say whom a sign-in link is for, without using it. (`POST /sign-in-links/read`) */
  readSignInLink(input: ReadSignInLinkInput, options: RequestOptions = {}): Promise<ReadSignInLinkAnswer> {
    return this.send(operations.readSignInLink, input, options);
  }

  /** Choose a password with a link that works once, and sign in. The first link makes the first owner. (`POST /sign-in-links/redeem`) */
  redeemSignInLink(input: RedeemSignInLinkInput, options: RequestOptions = {}): Promise<RedeemSignInLinkAnswer> {
    return this.send(operations.redeemSignInLink, input, options);
  }

  /** Send an event to an endpoint once more, with the same id. (`POST /v3/webhooks/{webhookId}/deliveries/{eventId}/redeliver`) */
  redeliverWebhook(input: RedeliverWebhookInput, options: RequestOptions = {}): Promise<RedeliverWebhookAnswer> {
    return this.send(operations.redeliverWebhook, input, options);
  }

  /** Send an event to an endpoint once more, with the same id. (`POST /apps/{appId}/webhooks/{webhookId}/deliveries/{eventId}/redeliver`) */
  redeliverWebhookOfApp(input: RedeliverWebhookOfAppInput, options: RequestOptions = {}): Promise<RedeliverWebhookOfAppAnswer> {
    return this.send(operations.redeliverWebhookOfApp, input, options);
  }

  /** Register a device's push token. (`POST /v3/notifications/push/v1/tokens`) */
  registerPushToken(input: RegisterPushTokenInput, options: RequestOptions = {}): Promise<RegisterPushTokenAnswer> {
    return this.send(operations.registerPushToken, input, options);
  }

  /** Remove up to 10000 entries from a keyword list. With If-Match only if that revision is still the current one. (`DELETE /v3/moderation/keywords/{id}/terms`) */
  removeKeywordTerms(input: RemoveKeywordTermsInput, options: RequestOptions = {}): Promise<RemoveKeywordTermsAnswer> {
    return this.send(operations.removeKeywordTerms, input, options);
  }

  /** Remove up to 10000 entries from a keyword list. With If-Match only if that revision is still the current one. (`DELETE /apps/{appId}/moderation/keywords/{id}/terms`) */
  removeKeywordTermsOfApp(input: RemoveKeywordTermsOfAppInput, options: RequestOptions = {}): Promise<RemoveKeywordTermsOfAppAnswer> {
    return this.send(operations.removeKeywordTermsOfApp, input, options);
  }

  /** Remove a person. Their sessions end at once. (`DELETE /people/{personId}`) */
  removePerson(input: RemovePersonInput, options: RequestOptions = {}): Promise<RemovePersonAnswer> {
    return this.send(operations.removePerson, input, options);
  }

  /** Replace an APNS provider; what is left out stays as it is, the sealed secret too. Resumes it if it was paused. (`PUT /v3/notifications/push/v1/providers/apns`) */
  replaceApnsProvider(input: ReplaceApnsProviderInput, options: RequestOptions = {}): Promise<ReplaceApnsProviderAnswer> {
    return this.send(operations.replaceApnsProvider, input, options);
  }

  /** Replace a custom provider; what is left out stays as it is, the sealed secret too. Resumes it if it was paused. (`PUT /v3/notifications/push/v1/providers/custom`) */
  replaceCustomProvider(input: ReplaceCustomProviderInput = {}, options: RequestOptions = {}): Promise<ReplaceCustomProviderAnswer> {
    return this.send(operations.replaceCustomProvider, input, options);
  }

  /** Replace an FCM provider; what is left out stays as it is, the sealed secret too. Resumes it if it was paused. (`PUT /v3/notifications/push/v1/providers/fcm`) */
  replaceFcmProvider(input: ReplaceFcmProviderInput, options: RequestOptions = {}): Promise<ReplaceFcmProviderAnswer> {
    return this.send(operations.replaceFcmProvider, input, options);
  }

  /** Replace a keyword list. With If-Match only if that revision is still the current one. (`PUT /v3/moderation/keywords/{id}`) */
  replaceKeywordList(input: ReplaceKeywordListInput, options: RequestOptions = {}): Promise<ReplaceKeywordListAnswer> {
    return this.send(operations.replaceKeywordList, input, options);
  }

  /** Replace a keyword list. With If-Match only if that revision is still the current one. (`PUT /apps/{appId}/moderation/keywords/{id}`) */
  replaceKeywordListOfApp(input: ReplaceKeywordListOfAppInput, options: RequestOptions = {}): Promise<ReplaceKeywordListOfAppAnswer> {
    return this.send(operations.replaceKeywordListOfApp, input, options);
  }

  /** Replace a reason. (`PUT /v3/moderation/reasons/{id}`) */
  replaceReason(input: ReplaceReasonInput, options: RequestOptions = {}): Promise<ReplaceReasonAnswer> {
    return this.send(operations.replaceReason, input, options);
  }

  /** Replace a reason. (`PUT /apps/{appId}/moderation/reasons/{id}`) */
  replaceReasonOfApp(input: ReplaceReasonOfAppInput, options: RequestOptions = {}): Promise<ReplaceReasonOfAppAnswer> {
    return this.send(operations.replaceReasonOfApp, input, options);
  }

  /** Replace a rule. Makes a new revision. With If-Match only if that revision is still the current one. (`PUT /v3/moderation/rules/{ruleId}`) */
  replaceRule(input: ReplaceRuleInput, options: RequestOptions = {}): Promise<ReplaceRuleAnswer> {
    return this.send(operations.replaceRule, input, options);
  }

  /** Replace a rule. Makes a new revision. With If-Match only if that revision is still the current one. (`PUT /apps/{appId}/moderation/rules/{ruleId}`) */
  replaceRuleOfApp(input: ReplaceRuleOfAppInput, options: RequestOptions = {}): Promise<ReplaceRuleOfAppAnswer> {
    return this.send(operations.replaceRuleOfApp, input, options);
  }

  /** Replace a Web Push provider; what is left out stays as it is, the sealed secret too. Resumes it if it was paused. (`PUT /v3/notifications/push/v1/providers/webpush`) */
  replaceWebPushProvider(input: ReplaceWebPushProviderInput, options: RequestOptions = {}): Promise<ReplaceWebPushProviderAnswer> {
    return this.send(operations.replaceWebPushProvider, input, options);
  }

  /** Back to the defaults. (`DELETE /v3/notifications/v1/settings`) */
  resetNotificationSettings(options: RequestOptions = {}): Promise<ResetNotificationSettingsAnswer> {
    return this.send(operations.resetNotificationSettings, {}, options);
  }

  /** Back to the app's defaults. (`DELETE /v3/notifications/v1/preferences`) */
  resetPreferences(input: ResetPreferencesInput = {}, options: RequestOptions = {}): Promise<ResetPreferencesAnswer> {
    return this.send(operations.resetPreferences, input, options);
  }

  /** Back to the app's defaults. (`DELETE /v3/notifications/push/v1/preferences`) */
  resetPushPreferences(input: ResetPushPreferencesInput = {}, options: RequestOptions = {}): Promise<ResetPushPreferencesAnswer> {
    return this.send(operations.resetPushPreferences, input, options);
  }

  /** Roll a rule back to one of its revisions. The history only grows: it becomes a new revision. (`POST /v3/moderation/rules/{ruleId}/revisions/{revision}/restore`) */
  restoreRule(input: RestoreRuleInput, options: RequestOptions = {}): Promise<RestoreRuleAnswer> {
    return this.send(operations.restoreRule, input, options);
  }

  /** Roll a rule back to one of its revisions. The history only grows: it becomes a new revision. (`POST /apps/{appId}/moderation/rules/{ruleId}/revisions/{revision}/restore`) */
  restoreRuleOfApp(input: RestoreRuleOfAppInput, options: RequestOptions = {}): Promise<RestoreRuleOfAppAnswer> {
    return this.send(operations.restoreRuleOfApp, input, options);
  }

  /** Go on with a paused provider after its cause was mended. The custom provider is called custom. (`POST /v3/notifications/push/v1/providers/{kind}/{providerId}/resume`) */
  resumeProvider(input: ResumeProviderInput, options: RequestOptions = {}): Promise<ResumeProviderAnswer> {
    return this.send(operations.resumeProvider, input, options);
  }

  /** Send to an endpoint again, beginning with what waited. (`POST /v3/webhooks/{webhookId}/resume`) */
  resumeWebhook(input: ResumeWebhookInput, options: RequestOptions = {}): Promise<ResumeWebhookAnswer> {
    return this.send(operations.resumeWebhook, input, options);
  }

  /** Send to an endpoint again, beginning with what waited. (`POST /apps/{appId}/webhooks/{webhookId}/resume`) */
  resumeWebhookOfApp(input: ResumeWebhookOfAppInput, options: RequestOptions = {}): Promise<ResumeWebhookOfAppAnswer> {
    return this.send(operations.resumeWebhookOfApp, input, options);
  }

  /** Approve or reject a blocked message. Either can be taken back. (`PATCH /v3/moderation/blocked-messages/{messageId}`) */
  reviewBlockedMessage(input: ReviewBlockedMessageInput, options: RequestOptions = {}): Promise<ReviewBlockedMessageAnswer> {
    return this.send(operations.reviewBlockedMessage, input, options);
  }

  /** Approve or reject a blocked message. Either can be taken back. (`PATCH /apps/{appId}/moderation/blocked-messages/{messageId}`) */
  reviewBlockedMessageOfApp(input: ReviewBlockedMessageOfAppInput, options: RequestOptions = {}): Promise<ReviewBlockedMessageOfAppAnswer> {
    return this.send(operations.reviewBlockedMessageOfApp, input, options);
  }

  /** Approve or disapprove a flagged message. Either can be taken back. (`PATCH /v3/moderation/flagged-messages/{messageId}`) */
  reviewFlaggedMessage(input: ReviewFlaggedMessageInput, options: RequestOptions = {}): Promise<ReviewFlaggedMessageAnswer> {
    return this.send(operations.reviewFlaggedMessage, input, options);
  }

  /** Approve or disapprove a flagged message. Either can be taken back. (`PATCH /apps/{appId}/moderation/flagged-messages/{messageId}`) */
  reviewFlaggedMessageOfApp(input: ReviewFlaggedMessageOfAppInput, options: RequestOptions = {}): Promise<ReviewFlaggedMessageOfAppAnswer> {
    return this.send(operations.reviewFlaggedMessageOfApp, input, options);
  }

  /** Revoke an API key. It stops working at once. (`DELETE /apps/{appId}/apikeys/{keyId}`) */
  revokeApiKey(input: RevokeApiKeyInput, options: RequestOptions = {}): Promise<RevokeApiKeyAnswer> {
    return this.send(operations.revokeApiKey, input, options);
  }

  /** Revoke an auth token. The push tokens registered under it go with it. (`DELETE /v3/users/{uid}/auth_tokens/{authToken}`) */
  revokeAuthToken(input: RevokeAuthTokenInput, options: RequestOptions = {}): Promise<RevokeAuthTokenAnswer> {
    return this.send(operations.revokeAuthToken, input, options);
  }

  /** Revoke an auth token. The push tokens registered under it go with it. (`DELETE /apps/{appId}/users/{uid}/auth_tokens/{authToken}`) */
  revokeAuthTokenOfApp(input: RevokeAuthTokenOfAppInput, options: RequestOptions = {}): Promise<RevokeAuthTokenOfAppAnswer> {
    return this.send(operations.revokeAuthTokenOfApp, input, options);
  }

  /** Revoke a pair of key and secret. (`DELETE /keypairs/{keyId}`) */
  revokeKeyPair(input: RevokeKeyPairInput, options: RequestOptions = {}): Promise<RevokeKeyPairAnswer> {
    return this.send(operations.revokeKeyPair, input, options);
  }

  /** Make a new secret. For a while requests are signed with both. (`POST /v3/webhooks/{webhookId}/rotate-secret`) */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options: RequestOptions = {}): Promise<RotateWebhookSecretAnswer> {
    return this.send(operations.rotateWebhookSecret, input, options);
  }

  /** Make a new secret. For a while requests are signed with both. (`POST /apps/{appId}/webhooks/{webhookId}/rotate-secret`) */
  rotateWebhookSecretOfApp(input: RotateWebhookSecretOfAppInput, options: RequestOptions = {}): Promise<RotateWebhookSecretOfAppAnswer> {
    return this.send(operations.rotateWebhookSecretOfApp, input, options);
  }

  /** Judge a message and, if it may pass, notify its receiver or the listed receivers. A blocked or dropped message notifies nobody. Calls, edits, deletions, reactions and what befalls the members of a group ring in the same way. (`POST /v3/messages`) */
  sendMessage(input: SendMessageInput, options: RequestOptions = {}): Promise<SendMessageAnswer> {
    return this.send(operations.sendMessage, input, options);
  }

  /** Send a notification to users, devices or everybody, now, at a time or at an hour of each user. With the header Idempotency-Key a repetition within a day is not sent twice. (`POST /v3/notifications/push/v1/notifications`) */
  sendNotification(input: SendNotificationInput, options: RequestOptions = {}): Promise<SendNotificationAnswer> {
    return this.send(operations.sendNotification, input, options);
  }

  /** Make a provider the default of its kind. (`PUT /v3/notifications/push/v1/providers/apns/default/{providerId}`) */
  setDefaultApnsProvider(input: SetDefaultApnsProviderInput, options: RequestOptions = {}): Promise<SetDefaultApnsProviderAnswer> {
    return this.send(operations.setDefaultApnsProvider, input, options);
  }

  /** Make a provider the default of its kind. (`PUT /v3/notifications/push/v1/providers/fcm/default/{providerId}`) */
  setDefaultFcmProvider(input: SetDefaultFcmProviderInput, options: RequestOptions = {}): Promise<SetDefaultFcmProviderAnswer> {
    return this.send(operations.setDefaultFcmProvider, input, options);
  }

  /** Make a provider the default of its kind. (`PUT /v3/notifications/push/v1/providers/webpush/default/{providerId}`) */
  setDefaultWebPushProvider(input: SetDefaultWebPushProviderInput, options: RequestOptions = {}): Promise<SetDefaultWebPushProviderAnswer> {
    return this.send(operations.setDefaultWebPushProvider, input, options);
  }

  /** Sign in with e-mail address and password. The answer sets the session cookie. (`POST /session`) */
  signIn(input: SignInInput, options: RequestOptions = {}): Promise<SignInAnswer> {
    return this.send(operations.signIn, input, options);
  }

  /** Sign out here, or with everywhere=true in every browser. (`DELETE /session`) */
  signOut(input: SignOutInput = {}, options: RequestOptions = {}): Promise<SignOutAnswer> {
    return this.send(operations.signOut, input, options);
  }

  /** Sign a device out: its auth token and its push tokens are forgotten. (`DELETE /v3/me`) */
  signOutDevice(options: RequestOptions = {}): Promise<SignOutDeviceAnswer> {
    return this.send(operations.signOutDevice, {}, options);
  }

  /** Send one push through a provider now, and answer with the vendor's own words. (`POST /v3/notifications/push/v1/providers/{kind}/{providerId}/test`) */
  testProvider(input: TestProviderInput, options: RequestOptions = {}): Promise<TestProviderAnswer> {
    return this.send(operations.testProvider, input, options);
  }

  /** Send a test event at once and answer what came back. Works on a paused endpoint too. (`POST /v3/webhooks/{webhookId}/test`) */
  testWebhook(input: TestWebhookInput, options: RequestOptions = {}): Promise<TestWebhookAnswer> {
    return this.send(operations.testWebhook, input, options);
  }

  /** Send a test event at once and answer what came back. Works on a paused endpoint too. (`POST /apps/{appId}/webhooks/{webhookId}/test`) */
  testWebhookOfApp(input: TestWebhookOfAppInput, options: RequestOptions = {}): Promise<TestWebhookOfAppAnswer> {
    return this.send(operations.testWebhookOfApp, input, options);
  }

  /** Unmute conversations. (`DELETE /v3/notifications/v1/preferences/mute`) */
  unmuteConversations(input: UnmuteConversationsInput, options: RequestOptions = {}): Promise<UnmuteConversationsAnswer> {
    return this.send(operations.unmuteConversations, input, options);
  }

  /** Unmute conversations. (`DELETE /v3/notifications/push/v1/preferences/mute`) */
  unmutePushConversations(input: UnmutePushConversationsInput, options: RequestOptions = {}): Promise<UnmutePushConversationsAnswer> {
    return this.send(operations.unmutePushConversations, input, options);
  }

  /** Change some of the settings; what is not named stays. (`PATCH /v3/notifications/v1/settings`) */
  updateNotificationSettings(input: UpdateNotificationSettingsInput = {}, options: RequestOptions = {}): Promise<UpdateNotificationSettingsAnswer> {
    return this.send(operations.updateNotificationSettings, input, options);
  }

  /** Change some of the preferences of a user; what is not named stays. (`PATCH /v3/notifications/v1/preferences`) */
  updatePreferences(input: UpdatePreferencesInput = {}, options: RequestOptions = {}): Promise<UpdatePreferencesAnswer> {
    return this.send(operations.updatePreferences, input, options);
  }

  /** Change some of the preferences of a user; what is not named stays. (`PATCH /v3/notifications/push/v1/preferences`) */
  updatePushPreferences(input: UpdatePushPreferencesInput = {}, options: RequestOptions = {}): Promise<UpdatePushPreferencesAnswer> {
    return this.send(operations.updatePushPreferences, input, options);
  }

  /** Set the time zone of a user. (`PATCH /v3/notifications/push/v1/preferences/timezone`) */
  updatePushTimezone(input: UpdatePushTimezoneInput, options: RequestOptions = {}): Promise<UpdatePushTimezoneAnswer> {
    return this.send(operations.updatePushTimezone, input, options);
  }

  /** Set the time zone of a user. (`PATCH /v3/notifications/v1/preferences/timezone`) */
  updateTimezone(input: UpdateTimezoneInput, options: RequestOptions = {}): Promise<UpdateTimezoneAnswer> {
    return this.send(operations.updateTimezone, input, options);
  }
}
