// Written by npm run client from openapi.json. Do not edit.

export type AcknowledgeNotificationBody = {
  /** 1 to 255 characters without spaces or control characters. */
  authToken?: string | undefined;
};

/** What acknowledgeNotification takes. */
export type AcknowledgeNotificationInput = {
  /** The id that sending answered with. */
  notificationId: string;
  body?: AcknowledgeNotificationBody | undefined;
};

/** What acknowledgeNotification answers. */
export type AcknowledgeNotificationAnswer = {
  data: {
    success: boolean;
    message?: string;
  };
};

export type AddApnsProviderBody = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  /** The key id is ten letters and digits. */
  keyId: string;
  /** The team id is ten letters and digits. */
  teamId: string;
  /** A bundle id such as org.example.chat. */
  bundleId: string;
  /** One line of at most 255 characters, without control characters. */
  p8KeyFilename?: string | undefined;
  /** The content of the .p8 file. Never readable again. */
  p8Key: string;
  includeContentAvailable?: boolean | undefined;
  includeMutableContent?: boolean | undefined;
  productionMode?: boolean | undefined;
  /** Ignored. */
  p8KeyFingerprint?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
};

/** What addApnsProvider takes. */
export type AddApnsProviderInput = {
  body: AddApnsProviderBody;
};

/** What addApnsProvider answers. */
export type AddApnsProviderAnswer = {
  data: {
    pushProviders: {
      providerId: string;
      keyId: string;
      teamId: string;
      bundleId: string;
      p8KeyFilename: string;
      includeContentAvailable: boolean;
      includeMutableContent: boolean;
      productionMode: boolean;
      p8KeyFingerprint: string;
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    }[];
  };
};

export type AddCustomProviderBody = {
  isEnabled?: boolean | undefined;
  webhookURL: string;
  useBasicAuth?: boolean | undefined;
  /** One line of at most 255 characters, without control characters. */
  basicAuthUsername?: string | undefined;
  /** Never readable again. */
  basicAuthPassword?: string | undefined;
  /** Ignored: there is one only. */
  providerId?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
};

/** What addCustomProvider takes. */
export type AddCustomProviderInput = {
  body: AddCustomProviderBody;
};

/** What addCustomProvider answers. */
export type AddCustomProviderAnswer = {
  data: {
    pushProviders: {
      providerId: string;
      isEnabled: boolean;
      webhookURL: string;
      useBasicAuth: boolean;
      basicAuthUsername: string;
      createdAt: string;
      updatedAt: string;
    }[];
  };
};

export type AddFcmProviderBody = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  /** One line of at most 255 characters, without control characters. */
  serviceAccountFilename?: string | undefined;
  notificationInPayload?: {
    ios?: {
      chat?: boolean | undefined;
      call?: boolean | undefined;
    } | undefined;
    android?: {
      chat?: boolean | undefined;
      call?: boolean | undefined;
    } | undefined;
    web?: {
      chat?: boolean | undefined;
      call?: boolean | undefined;
    } | undefined;
  } | undefined;
  /** Ignored. */
  privateKeyFingerprint?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
  serviceAccountCreds: {
    /** The project id of the service account file, such as chat-12345. */
    project_id: string;
    /** The e-mail address of the service account. */
    client_email: string;
    /** One line of at most 200 characters, without control characters. */
    private_key_id?: string | undefined;
    /** One line of at most 2048 characters, without control characters. */
    token_uri?: string | undefined;
    /** PEM. Never readable again. */
    private_key: string;
  };
};

/** What addFcmProvider takes. */
export type AddFcmProviderInput = {
  body: AddFcmProviderBody;
};

/** What addFcmProvider answers. */
export type AddFcmProviderAnswer = {
  data: {
    pushProviders: {
      providerId: string;
      serviceAccountFilename: string;
      serviceAccountCreds: {
        project_id: string;
        client_email: string;
        private_key_id: string;
        token_uri: string;
      };
      privateKeyFingerprint: string;
      notificationInPayload: {
        ios: {
          chat: boolean;
          call: boolean;
        };
        android: {
          chat: boolean;
          call: boolean;
        };
        web: {
          chat: boolean;
          call: boolean;
        };
      };
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    }[];
  };
};

export type AddKeywordTermsBody = {
  /** Words up to 100 characters, or patterns. Needed unless a CSV file is sent. */
  searchTerms: unknown[];
};

/** What addKeywordTerms takes. */
export type AddKeywordTermsInput = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body: AddKeywordTermsBody;
};

/** What addKeywordTerms answers. */
export type AddKeywordTermsAnswer = {
  data: {
    id: string;
    /** How many entries were new, or were there to remove. */
    changed: number;
    /** How many entries the list has now. */
    count: number;
    updatedAt: number;
    revisionId: string;
  };
};

export type AddKeywordTermsOfAppBody = AddKeywordTermsBody;

/** What addKeywordTermsOfApp takes. */
export type AddKeywordTermsOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body: AddKeywordTermsOfAppBody;
};

/** What addKeywordTermsOfApp answers. */
export type AddKeywordTermsOfAppAnswer = AddKeywordTermsAnswer;

export type AddWebPushProviderBody = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  /** mailto: or https:, where push services write when something is wrong. */
  subject: string;
  /** The VAPID public key, 65 bytes as base64url. */
  vapidPublicKey?: string | undefined;
  /** The VAPID private key, 32 bytes as base64url. Never readable again. */
  vapidPrivateKey?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
};

/** What addWebPushProvider takes. */
export type AddWebPushProviderInput = {
  body: AddWebPushProviderBody;
};

/** What addWebPushProvider answers. */
export type AddWebPushProviderAnswer = {
  data: {
    pushProviders: {
      providerId: string;
      subject: string;
      vapidPublicKey: string;
      isDefault: boolean;
      createdAt: string;
      updatedAt: string;
    }[];
  };
};

export type BacktestRuleBody = {
  /** How far back; all that is kept without it. */
  days?: number | undefined;
  rule?: {
    /** 1 to 100 letters, digits, - and _. */
    id?: string | undefined;
    /** One line of at most 100 characters, without control characters. */
    name: string;
    /** At most 255 characters, without control characters. */
    description?: string | undefined;
    enabled?: boolean | undefined;
    /** Reports what it would have done and does not act. */
    shadow?: boolean | undefined;
    action: ("blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate")[];
    filters?: {
      type: "sender" | "receiver";
      entity: "user" | "group";
      operand: "uid" | "guid" | "name" | "role" | "type" | "tags" | "createdAt";
      operator: "equals" | "notEquals" | "in" | "notIn" | "startsWith" | "endsWith" | "lessThan" | "greaterThan";
      value: string | number | boolean | (string | number | boolean)[];
    }[] | undefined;
    conditions: {
      id?: number | undefined;
      isKeywordsReferencePresent?: boolean | undefined;
      isKeywordReferencePresent?: boolean | undefined;
      isListReferencePresent?: boolean | undefined;
      isMediaPresent?: boolean | undefined;
      entity?: "message" | undefined;
      operand: "text" | "image" | "video" | "custom";
      category: "word" | "pattern" | "toxicity" | "sentence-similarity" | "custom-api";
      operator?: "contains" | "equals" | undefined;
      value: string | string[];
      message?: string | string[] | undefined;
    }[];
  } | undefined;
  examples?: number | undefined;
};

/** What backtestRule takes. */
export type BacktestRuleInput = {
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  body?: BacktestRuleBody | undefined;
};

/** What backtestRule answers. */
export type BacktestRuleAnswer = {
  data: {
    ruleId: string;
    /** Messages that were looked at. */
    judged: number;
    /** Messages that the rule would have caught. */
    caught: number;
    /** Of those, the ones that were let through then. */
    newlyCaught: number;
    /** When the days began, in epoch seconds: only messages judged since then count. */
    from: number;
    /** false when there were more messages than one run looks at. */
    isComplete: boolean;
    examples: {
      messageId: string;
      sender: string;
      sentAt: number;
      text: string;
      status: string;
      matches: unknown[];
    }[];
  };
};

export type BacktestRuleOfAppBody = BacktestRuleBody;

/** What backtestRuleOfApp takes. */
export type BacktestRuleOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  body?: BacktestRuleOfAppBody | undefined;
};

/** What backtestRuleOfApp answers. */
export type BacktestRuleOfAppAnswer = BacktestRuleAnswer;

/** What cancelNotification takes. */
export type CancelNotificationInput = {
  /** The id that sending answered with. */
  notificationId: string;
};

/** What cancelNotification answers. */
export type CancelNotificationAnswer = {
  data: {
    id: string;
    /** scheduled, sending, finished or cancelled. */
    state: string;
    /** How the title begins. */
    title?: string;
    /** How the text begins. */
    body?: string;
    createdAt: string;
    sendAt: string;
    /** The hour on each user's own clock, where one was asked for. */
    localTime?: string;
    finishedAt?: string;
    counts: {
      queued: number;
      sent: number;
      failed: number;
      droppedTokens: number;
      skipped: number;
      cancelled: number;
      acknowledged: number;
    };
    failedByReason: Record<string, number>;
    skippedByReason: Record<string, number>;
  };
};

export type ChangeModerationSettingsBody = {
  /** What becomes of a message when something that a rule asks for did not answer. */
  onError?: "approve-message" | "drop-message" | undefined;
  customApi?: {
    url: string;
    /** whsec_ and 24 to 64 bytes as base64. Signs the requests. Never readable again. */
    secret?: string | undefined;
    /** How many earlier messages of the conversation the custom API is shown; 10 unless given. */
    contextMessages?: number | undefined;
  } | null | undefined;
};

/** What changeModerationSettings takes. */
export type ChangeModerationSettingsInput = {
  body?: ChangeModerationSettingsBody | undefined;
};

/** What changeModerationSettings answers. */
export type ChangeModerationSettingsAnswer = {
  data: {
    /** What becomes of a message when something that a rule asks for did not answer. */
    onError: "approve-message" | "drop-message";
    customApi: {
      url: string;
      contextMessages: number;
    } | null;
    media: {
      /** Whether there is a classifier that can look at pictures. */
      configured: boolean;
      /** Whether films can be looked at. */
      video: boolean;
      /** The labels that the classifier can see. null: only it knows. */
      labels: string[] | null;
      /** What the operator set up and does not work, and how to mend it. */
      problems: string[];
    };
  };
};

export type ChangeModerationSettingsOfAppBody = ChangeModerationSettingsBody;

/** What changeModerationSettingsOfApp takes. */
export type ChangeModerationSettingsOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body?: ChangeModerationSettingsOfAppBody | undefined;
};

/** What changeModerationSettingsOfApp answers. */
export type ChangeModerationSettingsOfAppAnswer = ChangeModerationSettingsAnswer;

export type ChangePasswordBody = {
  currentPassword: string;
  /** 10 to 200 characters. */
  password: string;
};

/** What changePassword takes. */
export type ChangePasswordInput = {
  body: ChangePasswordBody;
};

/** What changePassword answers. */
export type ChangePasswordAnswer = AcknowledgeNotificationAnswer;

export type ChangePersonBody = {
  /** One line of at most 100 characters, without control characters. */
  name?: string | undefined;
  role?: "owner" | "moderator" | "viewer" | undefined;
};

/** What changePerson takes. */
export type ChangePersonInput = {
  /** 1 to 100 letters, digits, - and _. */
  personId: string;
  body?: ChangePersonBody | undefined;
};

/** What changePerson answers. */
export type ChangePersonAnswer = {
  data: {
    id: string;
    email: string;
    name: string;
    role: "owner" | "moderator" | "viewer";
    /** Has not used their first link yet. */
    isInvited: boolean;
    createdAt: string;
  };
};

export type ChangeWebhookBody = {
  /** An https address in the open internet. The operator may allow others by name. */
  url?: string | undefined;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
  /** What the endpoint wants to hear of. null: everything. */
  triggers?: ("moderation_engine_approved" | "moderation_engine_blocked" | "moderation_engine_failed" | "moderation_manual_approved" | "message_rejected" | "message_flagged" | "rule_changed" | "list_changed" | "rule_put_in_shadow" | "provider_paused" | "token_removed" | "notification_finished")[] | null | undefined;
};

/** What changeWebhook takes. */
export type ChangeWebhookInput = {
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  body?: ChangeWebhookBody | undefined;
};

/** What changeWebhook answers. */
export type ChangeWebhookAnswer = {
  data: {
    id: string;
    url: string;
    description: string;
    triggers: string[] | null;
    /** active or paused. */
    status: string;
    createdAt: string;
    updatedAt: string;
    pausedReason?: string;
    /** Since when no delivery came through. */
    failingSince?: string;
    previousSecretUntil?: string;
  };
};

export type ChangeWebhookOfAppBody = ChangeWebhookBody;

/** What changeWebhookOfApp takes. */
export type ChangeWebhookOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  body?: ChangeWebhookOfAppBody | undefined;
};

/** What changeWebhookOfApp answers. */
export type ChangeWebhookOfAppAnswer = ChangeWebhookAnswer;

export type CheckMessagesBody = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id?: string | undefined;
  /** At most 1000 characters, without control characters. */
  muid?: string | undefined;
  /** At most 1000 characters, without control characters. */
  conversationId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver?: string | undefined;
  receiverType?: "user" | "group" | undefined;
  category?: "message" | "custom" | undefined;
  /** At most 100 characters, without control characters. */
  type?: string | undefined;
  data?: {
    text?: string | undefined;
    customData?: unknown | undefined;
    attachments?: {
      /** At most 4096 characters, without control characters. */
      url?: string | undefined;
      /** At most 1000 characters, without control characters. */
      name?: string | undefined;
      /** At most 200 characters, without control characters. */
      mimeType?: string | undefined;
      /** At most 100 characters, without control characters. */
      extension?: string | undefined;
      size?: number | undefined;
      caption?: string | undefined;
    }[] | undefined;
    metadata?: unknown | undefined;
  } | undefined;
  senderUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  receiverUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  receiverGroupDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  tags?: string[] | undefined;
  /** Epoch seconds. */
  sentAt?: number | undefined;
  messages?: ({
    /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
    id?: string | undefined;
    /** At most 1000 characters, without control characters. */
    muid?: string | undefined;
    /** At most 1000 characters, without control characters. */
    conversationId?: string | undefined;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    sender: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    receiver: string;
    receiverType: "user" | "group";
    category?: "message" | "custom" | undefined;
    /** At most 100 characters, without control characters. */
    type?: string | undefined;
    data?: {
      text?: string | undefined;
      customData?: unknown | undefined;
      attachments?: {
        /** At most 4096 characters, without control characters. */
        url?: string | undefined;
        /** At most 1000 characters, without control characters. */
        name?: string | undefined;
        /** At most 200 characters, without control characters. */
        mimeType?: string | undefined;
        /** At most 100 characters, without control characters. */
        extension?: string | undefined;
        size?: number | undefined;
        caption?: string | undefined;
      }[] | undefined;
      metadata?: unknown | undefined;
    } | undefined;
    senderUserDetails?: {
      name?: string | undefined;
      role?: string | undefined;
      type?: string | undefined;
      tags?: string[] | undefined;
      createdAt?: number | undefined;
    } | undefined;
    receiverUserDetails?: {
      name?: string | undefined;
      role?: string | undefined;
      type?: string | undefined;
      tags?: string[] | undefined;
      createdAt?: number | undefined;
    } | undefined;
    receiverGroupDetails?: {
      name?: string | undefined;
      role?: string | undefined;
      type?: string | undefined;
      tags?: string[] | undefined;
      createdAt?: number | undefined;
    } | undefined;
    tags?: string[] | undefined;
    /** Epoch seconds. */
    sentAt?: number | undefined;
  })[] | undefined;
  /** Tried instead of the stored rules. They may refer to stored lists. */
  rules?: {
    /** 1 to 100 letters, digits, - and _. */
    id?: string | undefined;
    /** One line of at most 100 characters, without control characters. */
    name: string;
    /** At most 255 characters, without control characters. */
    description?: string | undefined;
    enabled?: boolean | undefined;
    /** Reports what it would have done and does not act. */
    shadow?: boolean | undefined;
    action: ("blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate")[];
    filters?: {
      type: "sender" | "receiver";
      entity: "user" | "group";
      operand: "uid" | "guid" | "name" | "role" | "type" | "tags" | "createdAt";
      operator: "equals" | "notEquals" | "in" | "notIn" | "startsWith" | "endsWith" | "lessThan" | "greaterThan";
      value: string | number | boolean | (string | number | boolean)[];
    }[] | undefined;
    conditions: {
      id?: number | undefined;
      isKeywordsReferencePresent?: boolean | undefined;
      isKeywordReferencePresent?: boolean | undefined;
      isListReferencePresent?: boolean | undefined;
      isMediaPresent?: boolean | undefined;
      entity?: "message" | undefined;
      operand: "text" | "image" | "video" | "custom";
      category: "word" | "pattern" | "toxicity" | "sentence-similarity" | "custom-api";
      operator?: "contains" | "equals" | undefined;
      value: string | string[];
      message?: string | string[] | undefined;
    }[];
  }[] | undefined;
};

/** What checkMessages takes. */
export type CheckMessagesInput = {
  body?: CheckMessagesBody | undefined;
};

/** What checkMessages answers. */
export type CheckMessagesAnswer = {
  data: {
    verdict: "allow" | "flag" | "block" | "drop";
    actions: string[];
    matches: {
      ruleId: string;
      revisionId: string;
      conditionId: number;
      start: number;
      end: number;
      text: string;
      normalised: string;
      field: string;
      listId?: string;
      entry?: string;
      severity?: number;
      reason?: string;
    }[];
    shadow: {
      ruleId: string;
      revisionId: string;
      conditionId: number;
      start: number;
      end: number;
      text: string;
      normalised: string;
      field: string;
      listId?: string;
      entry?: string;
      severity?: number;
      reason?: string;
    }[];
    failures?: {
      what: string;
      reason: string;
      ruleId?: string;
      conditionId?: number;
      url?: string;
      onError: string;
    }[];
  } | {
    verdict: "allow" | "flag" | "block" | "drop";
    actions: string[];
    matches: {
      ruleId: string;
      revisionId: string;
      conditionId: number;
      start: number;
      end: number;
      text: string;
      normalised: string;
      field: string;
      listId?: string;
      entry?: string;
      severity?: number;
      reason?: string;
    }[];
    shadow: {
      ruleId: string;
      revisionId: string;
      conditionId: number;
      start: number;
      end: number;
      text: string;
      normalised: string;
      field: string;
      listId?: string;
      entry?: string;
      severity?: number;
      reason?: string;
    }[];
    failures?: {
      what: string;
      reason: string;
      ruleId?: string;
      conditionId?: number;
      url?: string;
      onError: string;
    }[];
  }[];
};

export type CheckMessagesOfAppBody = CheckMessagesBody;

/** What checkMessagesOfApp takes. */
export type CheckMessagesOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body?: CheckMessagesOfAppBody | undefined;
};

/** What checkMessagesOfApp answers. */
export type CheckMessagesOfAppAnswer = CheckMessagesAnswer;

export type CreateApiKeyBody = {
  /** One line of at most 100 characters, without control characters. */
  name: string;
  scope: "fullAccess" | "authOnly";
};

/** What createApiKey takes. */
export type CreateApiKeyInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body: CreateApiKeyBody;
};

/** What createApiKey answers. */
export type CreateApiKeyAnswer = {
  data: {
    id: string;
    name: string;
    scope: string;
    hint: string;
    createdAt: string;
    apiKey: string;
  };
};

export type CreateAppBody = {
  /** One line of at most 100 characters, without control characters. */
  name: string;
  /** 16 lower-case hex digits. */
  id?: string | undefined;
};

/** What createApp takes. */
export type CreateAppInput = {
  body: CreateAppBody;
};

/** What createApp answers. */
export type CreateAppAnswer = {
  data: {
    id: string;
    name: string;
    region: string;
    createdAt: string;
    updatedAt: string;
  };
};

/** What createAuthToken takes. */
export type CreateAuthTokenInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid: string;
};

/** What createAuthToken answers. */
export type CreateAuthTokenAnswer = {
  data: {
    uid: string;
    authToken: string;
    createdAt: number;
  };
};

/** What createAuthTokenOfApp takes. */
export type CreateAuthTokenOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid: string;
};

/** What createAuthTokenOfApp answers. */
export type CreateAuthTokenOfAppAnswer = CreateAuthTokenAnswer;

export type CreateKeyPairBody = {
  /** One line of at most 100 characters, without control characters. */
  name: string;
  apps?: string[] | undefined;
};

/** What createKeyPair takes. */
export type CreateKeyPairInput = {
  body: CreateKeyPairBody;
};

/** What createKeyPair answers. */
export type CreateKeyPairAnswer = {
  data: {
    id: string;
    name: string;
    hint: string;
    apps?: string[];
    createdAt: string;
    key: string;
    secret: string;
  };
};

export type CreateKeywordListBody = {
  /** 1 to 100 letters, digits, - and _. */
  id?: string | undefined;
  /** One line of at most 100 characters, without control characters. */
  name?: string | undefined;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
  category?: "word" | "pattern" | "sentence-similarity" | undefined;
  /** Words up to 100 characters, or patterns. Needed unless a CSV file is sent. */
  searchTerms?: unknown[] | undefined;
  /** Words that win over a match which they cover. */
  allow?: string[] | undefined;
  /** Disguises that are seen through, each on or off. */
  fold?: {
    case?: boolean | undefined;
    nfkc?: boolean | undefined;
    marks?: boolean | undefined;
    zeroWidth?: boolean | undefined;
    confusables?: boolean | undefined;
    leet?: boolean | undefined;
    repeats?: boolean | undefined;
    separators?: boolean | undefined;
    emoji?: boolean | undefined;
    mask?: boolean | undefined;
  } | undefined;
};

/** What createKeywordList takes. */
export type CreateKeywordListInput = {
  body?: CreateKeywordListBody | FormData | undefined;
};

/** What createKeywordList answers. */
export type CreateKeywordListAnswer = {
  data: {
    id: string;
    name: string;
    description: string;
    category: string;
    isCSV: boolean;
    searchTerms: string[];
    createdAt: number;
    updatedAt: number;
    revisionId: string;
    active: boolean;
    default?: boolean;
    searchTermsCount?: number;
    allow?: string[];
    fold?: Record<string, boolean>;
  };
};

export type CreateKeywordListOfAppBody = CreateKeywordListBody;

/** What createKeywordListOfApp takes. */
export type CreateKeywordListOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body?: CreateKeywordListOfAppBody | FormData | undefined;
};

/** What createKeywordListOfApp answers. */
export type CreateKeywordListOfAppAnswer = CreateKeywordListAnswer;

export type CreateReasonBody = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  /** One line of at most 100 characters, without control characters. */
  name: string;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
};

/** What createReason takes. */
export type CreateReasonInput = {
  body: CreateReasonBody;
};

/** What createReason answers. */
export type CreateReasonAnswer = {
  data: {
    id: string;
    name: string;
    description: string;
    createdAt: number;
    updatedAt: number;
    default?: boolean;
  };
};

export type CreateReasonOfAppBody = CreateReasonBody;

/** What createReasonOfApp takes. */
export type CreateReasonOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body: CreateReasonOfAppBody;
};

/** What createReasonOfApp answers. */
export type CreateReasonOfAppAnswer = CreateReasonAnswer;

export type CreateRuleBody = {
  /** 1 to 100 letters, digits, - and _. */
  id?: string | undefined;
  /** One line of at most 100 characters, without control characters. */
  name: string;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
  enabled?: boolean | undefined;
  /** Reports what it would have done and does not act. */
  shadow?: boolean | undefined;
  action: ("blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate")[];
  filters?: {
    type: "sender" | "receiver";
    entity: "user" | "group";
    operand: "uid" | "guid" | "name" | "role" | "type" | "tags" | "createdAt";
    operator: "equals" | "notEquals" | "in" | "notIn" | "startsWith" | "endsWith" | "lessThan" | "greaterThan";
    value: string | number | boolean | (string | number | boolean)[];
  }[] | undefined;
  conditions: {
    id?: number | undefined;
    isKeywordsReferencePresent?: boolean | undefined;
    isKeywordReferencePresent?: boolean | undefined;
    isListReferencePresent?: boolean | undefined;
    isMediaPresent?: boolean | undefined;
    entity?: "message" | undefined;
    operand: "text" | "image" | "video" | "custom";
    category: "word" | "pattern" | "toxicity" | "sentence-similarity" | "custom-api";
    operator?: "contains" | "equals" | undefined;
    value: string | string[];
    message?: string | string[] | undefined;
  }[];
};

/** What createRule takes. */
export type CreateRuleInput = {
  body: CreateRuleBody;
};

/** What createRule answers. */
export type CreateRuleAnswer = {
  data: {
    id: string;
    name: string;
    description: string;
    enabled: boolean;
    conditions: ({
      id: number;
      isKeywordsReferencePresent: boolean;
      isMediaPresent: boolean;
      entity: string;
      operand: string;
      category: string;
      operator: string;
      value: string[];
      message?: string[];
    } | {
      id: number;
      isListReferencePresent: boolean;
      isMediaPresent: boolean;
      entity: string;
      operand: string;
      category: string;
      operator: string;
      value: string[];
      message?: string[];
    })[];
    action: string[];
    active: boolean;
    createdAt: number;
    updatedAt: number;
    revisionId: string;
    default?: boolean;
    filters?: {
      type: "sender" | "receiver";
      entity: "user" | "group";
      operand: "uid" | "guid" | "name" | "role" | "type" | "tags" | "createdAt";
      operator: "equals" | "notEquals" | "in" | "notIn" | "startsWith" | "endsWith" | "lessThan" | "greaterThan";
      value: string | number | boolean | (string | number | boolean)[];
    }[];
    shadow?: boolean;
  };
};

export type CreateRuleOfAppBody = CreateRuleBody;

/** What createRuleOfApp takes. */
export type CreateRuleOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body: CreateRuleOfAppBody;
};

/** What createRuleOfApp answers. */
export type CreateRuleOfAppAnswer = CreateRuleAnswer;

/** What createSignInLink takes. */
export type CreateSignInLinkInput = {
  /** 1 to 100 letters, digits, - and _. */
  personId: string;
};

/** What createSignInLink answers. */
export type CreateSignInLinkAnswer = {
  data: {
    /** Shown once. The link is /dashboard/welcome#<token>. */
    token: string;
    expiresAt: string;
  };
};

export type CreateWebhookBody = {
  /** 1 to 100 letters, digits, - and _. */
  id?: string | undefined;
  /** An https address in the open internet. The operator may allow others by name. */
  url: string;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
  /** What the endpoint wants to hear of. null: everything. */
  triggers?: ("moderation_engine_approved" | "moderation_engine_blocked" | "moderation_engine_failed" | "moderation_manual_approved" | "message_rejected" | "message_flagged" | "rule_changed" | "list_changed" | "rule_put_in_shadow" | "provider_paused" | "token_removed" | "notification_finished")[] | null | undefined;
};

/** What createWebhook takes. */
export type CreateWebhookInput = {
  body: CreateWebhookBody;
};

/** What createWebhook answers. */
export type CreateWebhookAnswer = {
  data: {
    id: string;
    url: string;
    description: string;
    triggers: string[] | null;
    /** active or paused. */
    status: string;
    createdAt: string;
    updatedAt: string;
    pausedReason?: string;
    /** Since when no delivery came through. */
    failingSince?: string;
    previousSecretUntil?: string;
    /** Checks the signatures. Never readable again. */
    secret: string;
  };
};

export type CreateWebhookOfAppBody = CreateWebhookBody;

/** What createWebhookOfApp takes. */
export type CreateWebhookOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body: CreateWebhookOfAppBody;
};

/** What createWebhookOfApp answers. */
export type CreateWebhookOfAppAnswer = CreateWebhookAnswer;

/** What deleteApnsProvider takes. */
export type DeleteApnsProviderInput = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
};

/** What deleteApnsProvider answers. */
export type DeleteApnsProviderAnswer = AcknowledgeNotificationAnswer;

/** What deleteApp takes. */
export type DeleteAppInput = {
  /** The id of the app, 16 lower-case hex digits. */
  appId: string;
};

/** What deleteApp answers. */
export type DeleteAppAnswer = AcknowledgeNotificationAnswer;

/** What deleteCustomProvider answers. */
export type DeleteCustomProviderAnswer = AcknowledgeNotificationAnswer;

/** What deleteFcmProvider takes. */
export type DeleteFcmProviderInput = DeleteApnsProviderInput;

/** What deleteFcmProvider answers. */
export type DeleteFcmProviderAnswer = AcknowledgeNotificationAnswer;

/** What deleteKeywordList takes. */
export type DeleteKeywordListInput = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
};

/** What deleteKeywordList answers. */
export type DeleteKeywordListAnswer = AcknowledgeNotificationAnswer;

/** What deleteKeywordListOfApp takes. */
export type DeleteKeywordListOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id: string;
};

/** What deleteKeywordListOfApp answers. */
export type DeleteKeywordListOfAppAnswer = AcknowledgeNotificationAnswer;

/** What deleteMessage takes. */
export type DeleteMessageInput = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id: string;
};

/** What deleteMessage answers. */
export type DeleteMessageAnswer = {
  data: {
    id: string;
    /** At most 1000 characters, without control characters. */
    muid?: string;
    /** At most 1000 characters, without control characters. */
    conversationId?: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    sender: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    receiver: string;
    receiverType: "user" | "group";
    category?: "message" | "custom";
    /** At most 100 characters, without control characters. */
    type?: string;
    data?: {
      text?: string;
      customData?: unknown;
      attachments?: {
        /** At most 4096 characters, without control characters. */
        url?: string;
        /** At most 1000 characters, without control characters. */
        name?: string;
        /** At most 200 characters, without control characters. */
        mimeType?: string;
        /** At most 100 characters, without control characters. */
        extension?: string;
        size?: number;
        caption?: string;
      }[];
      metadata?: unknown;
    };
    senderUserDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    receiverUserDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    receiverGroupDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    tags?: string[];
    sentAt: number;
    updatedAt?: number;
    moderation: {
      status: "pending" | "approved" | "disapproved";
      rule?: {
        id: string;
        name: string;
      };
    };
  };
};

/** What deleteMessageOfApp takes. */
export type DeleteMessageOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id: string;
};

/** What deleteMessageOfApp answers. */
export type DeleteMessageOfAppAnswer = DeleteMessageAnswer;

export type DeletePushTokenBody = AcknowledgeNotificationBody;

/** What deletePushToken takes. */
export type DeletePushTokenInput = {
  /** A device token without spaces. */
  pushToken: string;
  body?: DeletePushTokenBody | undefined;
};

/** What deletePushToken answers. */
export type DeletePushTokenAnswer = {
  data: {
    pushTokens: {
      authToken: string;
      pushTokenType: string;
      createdAt: string;
      updatedAt: string;
      platform: string;
      providerId: string;
      pushToken: string;
      uid: string;
    }[];
    success: boolean;
  };
};

export type DeletePushTokensBody = AcknowledgeNotificationBody;

/** What deletePushTokens takes. */
export type DeletePushTokensInput = {
  all?: boolean | undefined;
  body?: DeletePushTokensBody | undefined;
};

/** What deletePushTokens answers. */
export type DeletePushTokensAnswer = DeletePushTokenAnswer;

/** What deleteReason takes. */
export type DeleteReasonInput = DeleteKeywordListInput;

/** What deleteReason answers. */
export type DeleteReasonAnswer = AcknowledgeNotificationAnswer;

/** What deleteReasonOfApp takes. */
export type DeleteReasonOfAppInput = DeleteKeywordListOfAppInput;

/** What deleteReasonOfApp answers. */
export type DeleteReasonOfAppAnswer = AcknowledgeNotificationAnswer;

/** What deleteRule takes. */
export type DeleteRuleInput = {
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
};

/** What deleteRule answers. */
export type DeleteRuleAnswer = AcknowledgeNotificationAnswer;

/** What deleteRuleOfApp takes. */
export type DeleteRuleOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
};

/** What deleteRuleOfApp answers. */
export type DeleteRuleOfAppAnswer = AcknowledgeNotificationAnswer;

/** What deleteWebPushProvider takes. */
export type DeleteWebPushProviderInput = DeleteApnsProviderInput;

/** What deleteWebPushProvider answers. */
export type DeleteWebPushProviderAnswer = AcknowledgeNotificationAnswer;

/** What deleteWebhook takes. */
export type DeleteWebhookInput = {
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
};

/** What deleteWebhook answers. */
export type DeleteWebhookAnswer = AcknowledgeNotificationAnswer;

/** What deleteWebhookOfApp takes. */
export type DeleteWebhookOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
};

/** What deleteWebhookOfApp answers. */
export type DeleteWebhookOfAppAnswer = AcknowledgeNotificationAnswer;

export type EditMessageBody = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id?: string | undefined;
  /** At most 1000 characters, without control characters. */
  muid?: string | undefined;
  /** At most 1000 characters, without control characters. */
  conversationId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver?: string | undefined;
  receiverType?: "user" | "group" | undefined;
  category?: "message" | "custom" | undefined;
  /** At most 100 characters, without control characters. */
  type?: string | undefined;
  data: {
    text?: string | undefined;
    customData?: unknown | undefined;
    attachments?: {
      /** At most 4096 characters, without control characters. */
      url?: string | undefined;
      /** At most 1000 characters, without control characters. */
      name?: string | undefined;
      /** At most 200 characters, without control characters. */
      mimeType?: string | undefined;
      /** At most 100 characters, without control characters. */
      extension?: string | undefined;
      size?: number | undefined;
      caption?: string | undefined;
    }[] | undefined;
    metadata?: unknown | undefined;
  };
  senderUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  receiverUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  receiverGroupDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  tags?: string[] | undefined;
  /** Epoch seconds. */
  sentAt?: number | undefined;
};

/** What editMessage takes. */
export type EditMessageInput = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id: string;
  body: EditMessageBody;
};

/** What editMessage answers. */
export type EditMessageAnswer = {
  data: {
    id: string;
    /** At most 1000 characters, without control characters. */
    muid?: string;
    /** At most 1000 characters, without control characters. */
    conversationId?: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    sender: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    receiver: string;
    receiverType: "user" | "group";
    category?: "message" | "custom";
    /** At most 100 characters, without control characters. */
    type?: string;
    data?: {
      text?: string;
      customData?: unknown;
      attachments?: {
        /** At most 4096 characters, without control characters. */
        url?: string;
        /** At most 1000 characters, without control characters. */
        name?: string;
        /** At most 200 characters, without control characters. */
        mimeType?: string;
        /** At most 100 characters, without control characters. */
        extension?: string;
        size?: number;
        caption?: string;
      }[];
      metadata?: unknown;
    };
    senderUserDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    receiverUserDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    receiverGroupDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    tags?: string[];
    sentAt: number;
    updatedAt?: number;
    moderation: {
      status: "pending" | "approved" | "disapproved";
      rule?: {
        id: string;
        name: string;
      };
    };
    verdict: "allow" | "flag" | "block" | "drop";
    actions: string[];
    matches: {
      ruleId: string;
      revisionId: string;
      conditionId: number;
      start: number;
      end: number;
      text: string;
      normalised: string;
      field: string;
      listId?: string;
      entry?: string;
      severity?: number;
      reason?: string;
    }[];
    shadow: {
      ruleId: string;
      revisionId: string;
      conditionId: number;
      start: number;
      end: number;
      text: string;
      normalised: string;
      field: string;
      listId?: string;
      entry?: string;
      severity?: number;
      reason?: string;
    }[];
    failures?: {
      what: string;
      reason: string;
      ruleId?: string;
      conditionId?: number;
      url?: string;
      onError: string;
    }[];
  };
};

export type EditMessageOfAppBody = EditMessageBody;

/** What editMessageOfApp takes. */
export type EditMessageOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id: string;
  body: EditMessageOfAppBody;
};

/** What editMessageOfApp answers. */
export type EditMessageOfAppAnswer = EditMessageAnswer;

/** What endSession takes. */
export type EndSessionInput = {
  /** 1 to 100 letters, digits, - and _. */
  sessionId: string;
};

/** What endSession answers. */
export type EndSessionAnswer = AcknowledgeNotificationAnswer;

/** What exportBlockedMessages takes. */
export type ExportBlockedMessagesInput = {
  format?: "csv" | "jsonl" | undefined;
  /** Seconds or milliseconds since 1970; from this on. */
  from?: number | undefined;
  /** Seconds or milliseconds since 1970; up to this. */
  to?: number | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver?: string | undefined;
  /** A piece of the text, in any case. */
  text?: string | undefined;
  status?: "pending" | "approved" | "rejected" | "disapproved" | undefined;
  action?: "blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate" | undefined;
};

/** What exportBlockedMessagesOfApp takes. */
export type ExportBlockedMessagesOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  format?: "csv" | "jsonl" | undefined;
  /** Seconds or milliseconds since 1970; from this on. */
  from?: number | undefined;
  /** Seconds or milliseconds since 1970; up to this. */
  to?: number | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver?: string | undefined;
  /** A piece of the text, in any case. */
  text?: string | undefined;
  status?: "pending" | "approved" | "rejected" | "disapproved" | undefined;
  action?: "blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate" | undefined;
};

/** What exportFlaggedMessages takes. */
export type ExportFlaggedMessagesInput = ExportBlockedMessagesInput;

/** What exportFlaggedMessagesOfApp takes. */
export type ExportFlaggedMessagesOfAppInput = ExportBlockedMessagesOfAppInput;

/** What exportKeywordList takes. */
export type ExportKeywordListInput = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  format?: "csv" | "jsonl" | undefined;
};

/** What exportKeywordListOfApp takes. */
export type ExportKeywordListOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  format?: "csv" | "jsonl" | undefined;
};

/** What exportReviewedMessages takes. */
export type ExportReviewedMessagesInput = ExportBlockedMessagesInput;

/** What exportReviewedMessagesOfApp takes. */
export type ExportReviewedMessagesOfAppInput = ExportBlockedMessagesOfAppInput;

export type FlagMessageBody = {
  /** 1 to 100 letters, digits, - and _. */
  reasonId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id?: string | undefined;
  /** At most 1000 characters, without control characters. */
  remark?: string | undefined;
  /** At most 100 characters, without control characters. */
  name?: string | undefined;
  message?: {
    /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
    id?: string | undefined;
    /** At most 1000 characters, without control characters. */
    muid?: string | undefined;
    /** At most 1000 characters, without control characters. */
    conversationId?: string | undefined;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    sender: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    receiver: string;
    receiverType: "user" | "group";
    category?: "message" | "custom" | undefined;
    /** At most 100 characters, without control characters. */
    type?: string | undefined;
    data?: {
      text?: string | undefined;
      customData?: unknown | undefined;
      attachments?: {
        /** At most 4096 characters, without control characters. */
        url?: string | undefined;
        /** At most 1000 characters, without control characters. */
        name?: string | undefined;
        /** At most 200 characters, without control characters. */
        mimeType?: string | undefined;
        /** At most 100 characters, without control characters. */
        extension?: string | undefined;
        size?: number | undefined;
        caption?: string | undefined;
      }[] | undefined;
      metadata?: unknown | undefined;
    } | undefined;
    senderUserDetails?: {
      name?: string | undefined;
      role?: string | undefined;
      type?: string | undefined;
      tags?: string[] | undefined;
      createdAt?: number | undefined;
    } | undefined;
    receiverUserDetails?: {
      name?: string | undefined;
      role?: string | undefined;
      type?: string | undefined;
      tags?: string[] | undefined;
      createdAt?: number | undefined;
    } | undefined;
    receiverGroupDetails?: {
      name?: string | undefined;
      role?: string | undefined;
      type?: string | undefined;
      tags?: string[] | undefined;
      createdAt?: number | undefined;
    } | undefined;
    tags?: string[] | undefined;
    /** Epoch seconds. */
    sentAt?: number | undefined;
  } | undefined;
};

/** What flagMessage takes. */
export type FlagMessageInput = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  body?: FlagMessageBody | undefined;
};

/** What flagMessage answers. */
export type FlagMessageAnswer = {
  success: boolean;
  message: string;
  data: {
    success: boolean;
    message: string;
  };
};

/** What getApp takes. */
export type GetAppInput = DeleteAppInput;

/** What getApp answers. */
export type GetAppAnswer = CreateAppAnswer;

/** What getClientSettings answers. */
export type GetClientSettingsAnswer = {
  data: {
    CHAT_API_VERSION: string;
    CLIENT_API_HOST: string;
    ADMIN_API_HOST: string;
  };
};

/** What getKeywordList takes. */
export type GetKeywordListInput = DeleteKeywordListInput;

/** What getKeywordList answers. */
export type GetKeywordListAnswer = CreateKeywordListAnswer;

/** What getKeywordListOfApp takes. */
export type GetKeywordListOfAppInput = DeleteKeywordListOfAppInput;

/** What getKeywordListOfApp answers. */
export type GetKeywordListOfAppAnswer = CreateKeywordListAnswer;

/** What getMessage takes. */
export type GetMessageInput = DeleteMessageInput;

/** What getMessage answers. */
export type GetMessageAnswer = DeleteMessageAnswer;

/** What getMessageOfApp takes. */
export type GetMessageOfAppInput = DeleteMessageOfAppInput;

/** What getMessageOfApp answers. */
export type GetMessageOfAppAnswer = DeleteMessageAnswer;

/** What getModerationSettings answers. */
export type GetModerationSettingsAnswer = ChangeModerationSettingsAnswer;

/** What getModerationSettingsOfApp takes. */
export type GetModerationSettingsOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
};

/** What getModerationSettingsOfApp answers. */
export type GetModerationSettingsOfAppAnswer = ChangeModerationSettingsAnswer;

/** What getNotification takes. */
export type GetNotificationInput = CancelNotificationInput;

/** What getNotification answers. */
export type GetNotificationAnswer = CancelNotificationAnswer;

/** What getNotificationSettings answers. */
export type GetNotificationSettingsAnswer = {
  data: Record<string, unknown>;
};

/** What getOverview takes. */
export type GetOverviewInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** How far to look back. */
  hours?: number | undefined;
};

/** What getOverview answers. */
export type GetOverviewAnswer = {
  data: {
    from: string;
    step: "hour" | "day";
    series: {
      at: string;
      judged: number;
      blocked: number;
      dropped: number;
      flagged: number;
      sent: number;
      failed: number;
    }[];
    totals: {
      judged: number;
      blocked: number;
      dropped: number;
      flagged: number;
      sent: number;
      failed: number;
    };
    review: {
      /** At most 10,000 are counted. */
      pendingBlocked: number;
      /** At most 10,000 are counted. */
      pendingFlagged: number;
      oldestPendingAt?: string;
    };
    queue: {
      /** Pushes that wait to be sent. */
      waiting: number;
      /** Since when the oldest of them could have been sent. */
      oldestAt?: string;
    };
    providers: {
      kind: string;
      providerId: string;
      isPaused: boolean;
      pausedReason?: string;
      lastSuccessAt?: string;
      lastErrorAt?: string;
      lastError?: string;
      waiting: number;
    }[];
    attention: {
      kind: "providerPaused" | "providerFailing" | "webhookPaused" | "webhookFailing" | "ruleInShadow" | "reviewOld" | "queueOld";
      id?: string;
      name?: string;
      reason?: string;
      since?: string;
    }[];
    setup: {
      hasOwnRules: boolean;
      hasJudged: boolean;
      hasProviders: boolean;
      hasTokens: boolean;
      hasSent: boolean;
    };
  };
};

/** What getPreferences takes. */
export type GetPreferencesInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
};

/** What getPreferences answers. */
export type GetPreferencesAnswer = {
  data: Record<string, unknown>;
};

/** What getPushPreferences takes. */
export type GetPushPreferencesInput = GetPreferencesInput;

/** What getPushPreferences answers. */
export type GetPushPreferencesAnswer = {
  data: Record<string, unknown>;
};

/** What getPushTimezone takes. */
export type GetPushTimezoneInput = GetPreferencesInput;

/** What getPushTimezone answers. */
export type GetPushTimezoneAnswer = {
  data: {
    timezone: string;
    success: boolean;
  };
};

/** What getReason takes. */
export type GetReasonInput = DeleteKeywordListInput;

/** What getReason answers. */
export type GetReasonAnswer = CreateReasonAnswer;

/** What getReasonOfApp takes. */
export type GetReasonOfAppInput = DeleteKeywordListOfAppInput;

/** What getReasonOfApp answers. */
export type GetReasonOfAppAnswer = CreateReasonAnswer;

/** What getReviewAttachment takes. */
export type GetReviewAttachmentInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  /** Which of the attachments. */
  index?: number | undefined;
};

/** What getRule takes. */
export type GetRuleInput = DeleteRuleInput;

/** What getRule answers. */
export type GetRuleAnswer = CreateRuleAnswer;

/** What getRuleOfApp takes. */
export type GetRuleOfAppInput = DeleteRuleOfAppInput;

/** What getRuleOfApp answers. */
export type GetRuleOfAppAnswer = CreateRuleAnswer;

/** What getService answers. */
export type GetServiceAnswer = {
  data: {
    version: string;
    node: string;
    store: "sqlite" | "postgres";
    schema: number;
    region: string;
    classifier: string;
    /** Why pictures or videos cannot be looked at although a classifier is set, and how to mend it. */
    mediaProblems: string[];
    startedAt: string;
    limits: {
      name: string;
      value: number;
      variable: string;
    }[];
    retention: {
      name: string;
      value: number;
      variable: string;
    }[];
  };
};

/** What getSession answers. */
export type GetSessionAnswer = {
  data: {
    id: string;
    email: string;
    name: string;
    role: "owner" | "moderator" | "viewer";
    sessionId: string;
  };
};

/** What getTimezone takes. */
export type GetTimezoneInput = GetPreferencesInput;

/** What getTimezone answers. */
export type GetTimezoneAnswer = GetPushTimezoneAnswer;

/** What getWebhook takes. */
export type GetWebhookInput = DeleteWebhookInput;

/** What getWebhook answers. */
export type GetWebhookAnswer = ChangeWebhookAnswer;

/** What getWebhookOfApp takes. */
export type GetWebhookOfAppInput = DeleteWebhookOfAppInput;

/** What getWebhookOfApp answers. */
export type GetWebhookOfAppAnswer = ChangeWebhookAnswer;

export type IdentifyDeviceBody = Record<string, unknown>;

/** What identifyDevice takes. */
export type IdentifyDeviceInput = {
  body?: IdentifyDeviceBody | undefined;
};

/** What identifyDevice answers. */
export type IdentifyDeviceAnswer = {
  data: {
    uid: string;
    name: string;
    role: string;
    status: string;
    authToken: string;
    createdAt: number;
  };
};

export type InvitePersonBody = {
  /** An e-mail address. */
  email: string;
  /** One line of at most 100 characters, without control characters. */
  name: string;
  role: "owner" | "moderator" | "viewer";
};

/** What invitePerson takes. */
export type InvitePersonInput = {
  body: InvitePersonBody;
};

/** What invitePerson answers. */
export type InvitePersonAnswer = {
  data: {
    id: string;
    email: string;
    name: string;
    role: "owner" | "moderator" | "viewer";
    /** Has not used their first link yet. */
    isInvited: boolean;
    createdAt: string;
    /** Shown once. The link is /dashboard/welcome#<token>. */
    token: string;
    expiresAt: string;
  };
};

export type JudgeMessageBody = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id?: string | undefined;
  /** At most 1000 characters, without control characters. */
  muid?: string | undefined;
  /** At most 1000 characters, without control characters. */
  conversationId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender: string;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver: string;
  receiverType: "user" | "group";
  category?: "message" | "custom" | undefined;
  /** At most 100 characters, without control characters. */
  type?: string | undefined;
  data?: {
    text?: string | undefined;
    customData?: unknown | undefined;
    attachments?: {
      /** At most 4096 characters, without control characters. */
      url?: string | undefined;
      /** At most 1000 characters, without control characters. */
      name?: string | undefined;
      /** At most 200 characters, without control characters. */
      mimeType?: string | undefined;
      /** At most 100 characters, without control characters. */
      extension?: string | undefined;
      size?: number | undefined;
      caption?: string | undefined;
    }[] | undefined;
    metadata?: unknown | undefined;
  } | undefined;
  senderUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  receiverUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  receiverGroupDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
  } | undefined;
  tags?: string[] | undefined;
  /** Epoch seconds. */
  sentAt?: number | undefined;
};

/** What judgeMessage takes. */
export type JudgeMessageInput = {
  body: JudgeMessageBody;
};

/** What judgeMessage answers. */
export type JudgeMessageAnswer = EditMessageAnswer;

export type JudgeMessageOfAppBody = JudgeMessageBody;

/** What judgeMessageOfApp takes. */
export type JudgeMessageOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  body: JudgeMessageOfAppBody;
};

/** What judgeMessageOfApp answers. */
export type JudgeMessageOfAppAnswer = EditMessageAnswer;

/** What listAccountAudit takes. */
export type ListAccountAuditInput = {
  /** How many records to fetch, 1 to 1000. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
  /** The name of an operation. */
  action?: string | undefined;
  /** Such as person:<id> or apiKey:<id>. */
  actor?: string | undefined;
  /** The id of what was changed. */
  target?: string | undefined;
};

/** What listAccountAudit answers. */
export type ListAccountAuditAnswer = {
  data: {
    id: string;
    at: string;
    actor: string;
    /** The name of a person or key, while it exists. */
    actorName?: string;
    action: string;
    target: string;
    appId?: string;
    before?: unknown;
    after?: unknown;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListAccountAuditItem = ListAccountAuditAnswer['data'][number];

/** What listApiKeys takes. */
export type ListApiKeysInput = GetModerationSettingsOfAppInput;

/** What listApiKeys answers. */
export type ListApiKeysAnswer = {
  data: {
    id: string;
    name: string;
    scope: string;
    hint: string;
    createdAt: string;
  }[];
};

/** What listApnsProviders answers. */
export type ListApnsProvidersAnswer = AddApnsProviderAnswer;

/** What listApps answers. */
export type ListAppsAnswer = {
  data: {
    id: string;
    name: string;
    region: string;
    createdAt: string;
    updatedAt: string;
  }[];
};

/** What listAudit takes. */
export type ListAuditInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** How many records to fetch, 1 to 1000. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
  /** The name of an operation. */
  action?: string | undefined;
  /** Such as person:<id> or apiKey:<id>. */
  actor?: string | undefined;
  /** The id of what was changed. */
  target?: string | undefined;
};

/** What listAudit answers. */
export type ListAuditAnswer = ListAccountAuditAnswer;

export type ListAuditItem = ListAuditAnswer['data'][number];

/** What listAuthTokens takes. */
export type ListAuthTokensInput = CreateAuthTokenInput;

/** What listAuthTokens answers. */
export type ListAuthTokensAnswer = {
  data: {
    uid: string;
    authToken: string;
    createdAt: number;
  }[];
};

/** What listAuthTokensOfApp takes. */
export type ListAuthTokensOfAppInput = CreateAuthTokenOfAppInput;

/** What listAuthTokensOfApp answers. */
export type ListAuthTokensOfAppAnswer = ListAuthTokensAnswer;

/** What listBlockedMessages takes. */
export type ListBlockedMessagesInput = {
  /** How many records to fetch, 1 to 1000. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
  /** Seconds or milliseconds since 1970; from this on. */
  from?: number | undefined;
  /** Seconds or milliseconds since 1970; up to this. */
  to?: number | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver?: string | undefined;
  /** A piece of the text, in any case. */
  text?: string | undefined;
  status?: "pending" | "approved" | "rejected" | "disapproved" | undefined;
  action?: "blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate" | undefined;
};

/** What listBlockedMessages answers. */
export type ListBlockedMessagesAnswer = {
  data: {
    ruleId: string;
    ruleName: string;
    revisionId: string;
    /** The condition that matched, with its weight. */
    condition: unknown;
    message: {
      id: string;
    };
    action: string[];
    createdAt: number;
    updatedAt: number;
    status: string;
    reviewed: boolean;
    matches: Record<string, unknown>[];
    /** What could not be judged, and why; of a dropped message without addresses. */
    failures?: {
      what: string;
      reason: string;
      ruleId?: string;
      conditionId?: number;
      url?: string;
      onError: string;
    }[];
    reviewedBy?: string;
    flaggedBy?: {
      uid: string;
      name: string;
      reasonId: string;
      reasonName: string;
      description: string;
      remark: string;
      flaggedAt: number;
    }[];
    flaggedCount?: number;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListBlockedMessagesItem = ListBlockedMessagesAnswer['data'][number];

/** What listBlockedMessagesOfApp takes. */
export type ListBlockedMessagesOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** How many records to fetch, 1 to 1000. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
  /** Seconds or milliseconds since 1970; from this on. */
  from?: number | undefined;
  /** Seconds or milliseconds since 1970; up to this. */
  to?: number | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver?: string | undefined;
  /** A piece of the text, in any case. */
  text?: string | undefined;
  status?: "pending" | "approved" | "rejected" | "disapproved" | undefined;
  action?: "blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate" | undefined;
};

/** What listBlockedMessagesOfApp answers. */
export type ListBlockedMessagesOfAppAnswer = ListBlockedMessagesAnswer;

export type ListBlockedMessagesOfAppItem = ListBlockedMessagesOfAppAnswer['data'][number];

/** What listCustomProviders answers. */
export type ListCustomProvidersAnswer = AddCustomProviderAnswer;

/** What listFcmProviders answers. */
export type ListFcmProvidersAnswer = AddFcmProviderAnswer;

/** What listFlaggedMessages takes. */
export type ListFlaggedMessagesInput = ListBlockedMessagesInput;

/** What listFlaggedMessages answers. */
export type ListFlaggedMessagesAnswer = {
  data: {
    id: string;
    flaggedBy: {
      uid: string;
      name: string;
      reasonId: string;
      reasonName: string;
      description: string;
      remark: string;
      flaggedAt: number;
    }[];
    flaggedCount: number;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListFlaggedMessagesItem = ListFlaggedMessagesAnswer['data'][number];

/** What listFlaggedMessagesOfApp takes. */
export type ListFlaggedMessagesOfAppInput = ListBlockedMessagesOfAppInput;

/** What listFlaggedMessagesOfApp answers. */
export type ListFlaggedMessagesOfAppAnswer = ListFlaggedMessagesAnswer;

export type ListFlaggedMessagesOfAppItem = ListFlaggedMessagesOfAppAnswer['data'][number];

/** What listKeyPairs answers. */
export type ListKeyPairsAnswer = {
  data: {
    id: string;
    name: string;
    hint: string;
    apps?: string[];
    createdAt: string;
  }[];
};

/** What listKeywordLists takes. */
export type ListKeywordListsInput = {
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
  /** false leaves out the terms of each list. */
  terms?: boolean | undefined;
};

/** What listKeywordLists answers. */
export type ListKeywordListsAnswer = {
  data: {
    id: string;
    name: string;
    description: string;
    category: string;
    isCSV: boolean;
    searchTerms: string[];
    createdAt: number;
    updatedAt: number;
    revisionId: string;
    active: boolean;
    default?: boolean;
    searchTermsCount?: number;
    allow?: string[];
    fold?: Record<string, boolean>;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListKeywordListsItem = ListKeywordListsAnswer['data'][number];

/** What listKeywordListsOfApp takes. */
export type ListKeywordListsOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
  /** false leaves out the terms of each list. */
  terms?: boolean | undefined;
};

/** What listKeywordListsOfApp answers. */
export type ListKeywordListsOfAppAnswer = ListKeywordListsAnswer;

export type ListKeywordListsOfAppItem = ListKeywordListsOfAppAnswer['data'][number];

/** What listMessages takes. */
export type ListMessagesInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiverUID?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiverGUID?: string | undefined;
  category?: "message" | "custom" | undefined;
  type?: string | undefined;
  moderationStatus?: "pending" | "approved" | "disapproved" | undefined;
  /** How many records to fetch, 1 to 1000. */
  limit?: number | undefined;
  /** append: those after the place, oldest first. prepend: those before it, newest first. */
  affix?: "append" | "prepend" | undefined;
  /** With id: the place where the page before ended. */
  sentAt?: number | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id?: string | undefined;
};

/** What listMessages answers. */
export type ListMessagesAnswer = {
  data: {
    id: string;
    /** At most 1000 characters, without control characters. */
    muid?: string;
    /** At most 1000 characters, without control characters. */
    conversationId?: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    sender: string;
    /** 1 to 100 letters, digits, and any of _ . @ : - */
    receiver: string;
    receiverType: "user" | "group";
    category?: "message" | "custom";
    /** At most 100 characters, without control characters. */
    type?: string;
    data?: {
      text?: string;
      customData?: unknown;
      attachments?: {
        /** At most 4096 characters, without control characters. */
        url?: string;
        /** At most 1000 characters, without control characters. */
        name?: string;
        /** At most 200 characters, without control characters. */
        mimeType?: string;
        /** At most 100 characters, without control characters. */
        extension?: string;
        size?: number;
        caption?: string;
      }[];
      metadata?: unknown;
    };
    senderUserDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    receiverUserDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    receiverGroupDetails?: {
      name?: string;
      role?: string;
      type?: string;
      tags?: string[];
      createdAt?: number;
    };
    tags?: string[];
    sentAt: number;
    updatedAt?: number;
    moderation: {
      status: "pending" | "approved" | "disapproved";
      rule?: {
        id: string;
        name: string;
      };
    };
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      affix: string;
      sentAt: number;
      id: string;
    };
  };
};

/** What listMessagesAround takes. */
export type ListMessagesAroundInput = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  before?: number | undefined;
  after?: number | undefined;
};

/** What listMessagesAround answers. */
export type ListMessagesAroundAnswer = {
  data: {
    /** Oldest first; the last one is the one just before. */
    before: {
      id: string;
      sender: string;
      receiver: string;
      receiverType: string;
      type: string;
      sentAt: number;
      outcome: "delivered" | "flagged" | "blocked" | "dropped";
      /** The first 1000 characters. Of a dropped message nothing is kept. */
      text: string;
      /** Whether the text goes on. */
      isCut: boolean;
      attachmentsCount: number;
    }[];
    /** Oldest first; the first one is the one just after. */
    after: {
      id: string;
      sender: string;
      receiver: string;
      receiverType: string;
      type: string;
      sentAt: number;
      outcome: "delivered" | "flagged" | "blocked" | "dropped";
      /** The first 1000 characters. Of a dropped message nothing is kept. */
      text: string;
      /** Whether the text goes on. */
      isCut: boolean;
      attachmentsCount: number;
    }[];
    /** Whether there are more on that side than were asked for. */
    hasMoreBefore: boolean;
    /** Whether there are more on that side than were asked for. */
    hasMoreAfter: boolean;
    /** How long messages that were let through are kept. 0: they are not, and only what was caught is here. */
    deliveredKeptHours: number;
  };
};

/** What listMessagesAroundOfApp takes. */
export type ListMessagesAroundOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  before?: number | undefined;
  after?: number | undefined;
};

/** What listMessagesAroundOfApp answers. */
export type ListMessagesAroundOfAppAnswer = ListMessagesAroundAnswer;

/** What listMessagesOfApp takes. */
export type ListMessagesOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiverUID?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiverGUID?: string | undefined;
  category?: "message" | "custom" | undefined;
  type?: string | undefined;
  moderationStatus?: "pending" | "approved" | "disapproved" | undefined;
  /** How many records to fetch, 1 to 1000. */
  limit?: number | undefined;
  /** append: those after the place, oldest first. prepend: those before it, newest first. */
  affix?: "append" | "prepend" | undefined;
  /** With id: the place where the page before ended. */
  sentAt?: number | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  id?: string | undefined;
};

/** What listMessagesOfApp answers. */
export type ListMessagesOfAppAnswer = ListMessagesAnswer;

/** What listMutedConversations takes. */
export type ListMutedConversationsInput = GetPreferencesInput;

/** What listMutedConversations answers. */
export type ListMutedConversationsAnswer = {
  data: {
    conversations: {
      id: string;
      type: "oneOnOne" | "group";
      /** Milliseconds since the epoch. */
      until: number;
    }[];
  };
};

/** What listNotificationLogs takes. */
export type ListNotificationLogsInput = {
  messageId?: string | undefined;
  /** The id that sending a notification answered with. */
  notificationId?: string | undefined;
  /** Milliseconds. */
  from?: number | undefined;
  /** Milliseconds. */
  to?: number | undefined;
  receiver?: string | undefined;
  receiverType?: "user" | "group" | undefined;
  sender?: string | undefined;
  channel?: "push" | "email" | "sms" | undefined;
  provider?: "apns" | "fcm" | "webpush" | "custom" | undefined;
  notificationTriggered?: boolean | undefined;
  reason?: string | undefined;
  success?: boolean | undefined;
  affix?: "append" | "prepend" | undefined;
  /** The _id of a log, as meta.next gives it. */
  logId?: string | undefined;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
};

/** What listNotificationLogs answers. */
export type ListNotificationLogsAnswer = {
  data: {
    _id: string;
    processingStartedAtMS: number;
    processingEndedAtMS: number;
    totalProcessingTimeInMS: number;
    component: string;
    channel: string;
    /** Empty for somebody without a device. */
    provider: string;
    providerId: string;
    trigger: string;
    notificationId: string;
    /** The user it was for. */
    member: string;
    tokenType: string;
    /** False for a user who did not want it or cannot be reached. */
    notificationTriggered: boolean;
    success: boolean;
    /** sent, dropped, failed, skipped, retry or held. */
    outcome: string;
    /** HTTP status of the vendor; 0 without an answer. */
    status: number;
    /** The vendor's word, or why it was skipped. */
    reason: string;
    vendorId: string;
    messageId?: string;
    sender?: string;
    receiver?: string;
    receiverType?: string;
    /** While the device is registered. */
    pushToken?: string;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    previous?: {
      affix: string;
      logId: string;
    };
    next?: {
      affix: string;
      logId: string;
    };
  };
};

/** What listNotifications takes. */
export type ListNotificationsInput = {
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listNotifications answers. */
export type ListNotificationsAnswer = {
  data: {
    id: string;
    /** scheduled, sending, finished or cancelled. */
    state: string;
    /** How the title begins. */
    title?: string;
    /** How the text begins. */
    body?: string;
    createdAt: string;
    sendAt: string;
    /** The hour on each user's own clock, where one was asked for. */
    localTime?: string;
    finishedAt?: string;
    counts: {
      queued: number;
      sent: number;
      failed: number;
      droppedTokens: number;
      skipped: number;
      cancelled: number;
      acknowledged: number;
    };
    pushType: string;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListNotificationsItem = ListNotificationsAnswer['data'][number];

/** What listPeople answers. */
export type ListPeopleAnswer = {
  data: {
    id: string;
    email: string;
    name: string;
    role: "owner" | "moderator" | "viewer";
    /** Has not used their first link yet. */
    isInvited: boolean;
    createdAt: string;
  }[];
};

/** What listProviderHealth answers. */
export type ListProviderHealthAnswer = {
  data: {
    kind: string;
    providerId: string;
    isPaused: boolean;
    pausedReason?: string;
    pausedAt?: string;
    lastSuccessAt?: string;
    lastErrorAt?: string;
    /** The vendor's own words, or what went wrong with the connection. */
    lastError?: string;
    lastStatus?: number;
    /** Pushes that wait to be sent through it. */
    waiting: number;
  }[];
};

/** What listPushMutedConversations takes. */
export type ListPushMutedConversationsInput = GetPreferencesInput;

/** What listPushMutedConversations answers. */
export type ListPushMutedConversationsAnswer = ListMutedConversationsAnswer;

/** What listPushTokens takes. */
export type ListPushTokensInput = {
  /** 1 to 255 characters without spaces or control characters. */
  authToken?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  /** Every token of the app, as without a filter. */
  all?: boolean | undefined;
  /** Page size. Without it the whole answer is streamed. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listPushTokens answers. */
export type ListPushTokensAnswer = {
  data: {
    pushTokens: {
      authToken: string;
      pushTokenType: string;
      createdAt: string;
      updatedAt: string;
      platform: string;
      providerId: string;
      pushToken: string;
      uid: string;
    }[];
  };
  meta?: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListPushTokensItem = ListPushTokensAnswer['data']['pushTokens'][number];

/** What listReasons answers. */
export type ListReasonsAnswer = {
  data: {
    id: string;
    name: string;
    description: string;
    createdAt: number;
    updatedAt: number;
    default?: boolean;
  }[];
};

/** What listReasonsOfApp takes. */
export type ListReasonsOfAppInput = GetModerationSettingsOfAppInput;

/** What listReasonsOfApp answers. */
export type ListReasonsOfAppAnswer = ListReasonsAnswer;

/** What listReviewedMessages takes. */
export type ListReviewedMessagesInput = ListBlockedMessagesInput;

/** What listReviewedMessages answers. */
export type ListReviewedMessagesAnswer = ListBlockedMessagesAnswer;

export type ListReviewedMessagesItem = ListReviewedMessagesAnswer['data'][number];

/** What listReviewedMessagesOfApp takes. */
export type ListReviewedMessagesOfAppInput = ListBlockedMessagesOfAppInput;

/** What listReviewedMessagesOfApp answers. */
export type ListReviewedMessagesOfAppAnswer = ListBlockedMessagesAnswer;

export type ListReviewedMessagesOfAppItem = ListReviewedMessagesOfAppAnswer['data'][number];

/** What listRuleRevisions takes. */
export type ListRuleRevisionsInput = {
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listRuleRevisions answers. */
export type ListRuleRevisionsAnswer = {
  data: ({
    id: string;
    name: string;
    description: string;
    enabled: boolean;
    conditions: ({
      id: number;
      isKeywordsReferencePresent: boolean;
      isMediaPresent: boolean;
      entity: string;
      operand: string;
      category: string;
      operator: string;
      value: string[];
      message?: string[];
    } | {
      id: number;
      isListReferencePresent: boolean;
      isMediaPresent: boolean;
      entity: string;
      operand: string;
      category: string;
      operator: string;
      value: string[];
      message?: string[];
    })[];
    action: string[];
    active: boolean;
    createdAt: number;
    updatedAt: number;
    revisionId: string;
    default?: boolean;
    filters?: {
      type: "sender" | "receiver";
      entity: "user" | "group";
      operand: "uid" | "guid" | "name" | "role" | "type" | "tags" | "createdAt";
      operator: "equals" | "notEquals" | "in" | "notIn" | "startsWith" | "endsWith" | "lessThan" | "greaterThan";
      value: string | number | boolean | (string | number | boolean)[];
    }[];
    shadow?: boolean;
  })[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListRuleRevisionsItem = ListRuleRevisionsAnswer['data'][number];

/** What listRuleRevisionsOfApp takes. */
export type ListRuleRevisionsOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listRuleRevisionsOfApp answers. */
export type ListRuleRevisionsOfAppAnswer = ListRuleRevisionsAnswer;

export type ListRuleRevisionsOfAppItem = ListRuleRevisionsOfAppAnswer['data'][number];

/** What listRules takes. */
export type ListRulesInput = ListNotificationsInput;

/** What listRules answers. */
export type ListRulesAnswer = ListRuleRevisionsAnswer;

export type ListRulesItem = ListRulesAnswer['data'][number];

/** What listRulesOfApp takes. */
export type ListRulesOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listRulesOfApp answers. */
export type ListRulesOfAppAnswer = ListRuleRevisionsAnswer;

export type ListRulesOfAppItem = ListRulesOfAppAnswer['data'][number];

/** What listSessions answers. */
export type ListSessionsAnswer = {
  data: {
    id: string;
    personId: string;
    email: string;
    browser: string;
    address: string;
    createdAt: string;
    seenAt: string;
    isThis: boolean;
  }[];
};

/** What listWebPushProviders answers. */
export type ListWebPushProvidersAnswer = AddWebPushProviderAnswer;

/** What listWebhookDeliveries takes. */
export type ListWebhookDeliveriesInput = {
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  status?: "pending" | "delivered" | "failed" | undefined;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listWebhookDeliveries answers. */
export type ListWebhookDeliveriesAnswer = {
  data: {
    eventId: string;
    trigger: string;
    status: string;
    tries: number;
    answers: {
      at: string;
      ms: number;
      status?: number;
      excerpt?: string;
      error?: string;
    }[];
    createdAt: string;
    updatedAt: string;
    nextTryAt?: string;
  }[];
  meta: {
    current: {
      limit: number;
      count: number;
    };
    next?: {
      cursor: string;
    };
  };
};

export type ListWebhookDeliveriesItem = ListWebhookDeliveriesAnswer['data'][number];

/** What listWebhookDeliveriesOfApp takes. */
export type ListWebhookDeliveriesOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  status?: "pending" | "delivered" | "failed" | undefined;
  /** How many records to fetch, 1 to 100. */
  limit?: number | undefined;
  /** Where the page before ended: its meta.next.cursor. */
  cursor?: string | undefined;
};

/** What listWebhookDeliveriesOfApp answers. */
export type ListWebhookDeliveriesOfAppAnswer = ListWebhookDeliveriesAnswer;

export type ListWebhookDeliveriesOfAppItem = ListWebhookDeliveriesOfAppAnswer['data'][number];

/** What listWebhooks answers. */
export type ListWebhooksAnswer = {
  data: {
    id: string;
    url: string;
    description: string;
    triggers: string[] | null;
    /** active or paused. */
    status: string;
    createdAt: string;
    updatedAt: string;
    pausedReason?: string;
    /** Since when no delivery came through. */
    failingSince?: string;
    previousSecretUntil?: string;
  }[];
};

/** What listWebhooksOfApp takes. */
export type ListWebhooksOfAppInput = GetModerationSettingsOfAppInput;

/** What listWebhooksOfApp answers. */
export type ListWebhooksOfAppAnswer = ListWebhooksAnswer;

export type MuteConversationsBody = {
  conversations: {
    id: string;
    type: "oneOnOne" | "group";
    /** Milliseconds since the epoch. */
    until: number;
  }[];
};

/** What muteConversations takes. */
export type MuteConversationsInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body: MuteConversationsBody;
};

/** What muteConversations answers. */
export type MuteConversationsAnswer = AcknowledgeNotificationAnswer;

export type MutePushConversationsBody = MuteConversationsBody;

/** What mutePushConversations takes. */
export type MutePushConversationsInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body: MutePushConversationsBody;
};

/** What mutePushConversations answers. */
export type MutePushConversationsAnswer = AcknowledgeNotificationAnswer;

/** What pauseWebhook takes. */
export type PauseWebhookInput = DeleteWebhookInput;

/** What pauseWebhook answers. */
export type PauseWebhookAnswer = ChangeWebhookAnswer;

/** What pauseWebhookOfApp takes. */
export type PauseWebhookOfAppInput = DeleteWebhookOfAppInput;

/** What pauseWebhookOfApp answers. */
export type PauseWebhookOfAppAnswer = ChangeWebhookAnswer;

export type ReadSignInLinkBody = {
  /** The token at the end of the link. */
  token: string;
};

/** What readSignInLink takes. */
export type ReadSignInLinkInput = {
  body: ReadSignInLinkBody;
};

/** What readSignInLink answers. */
export type ReadSignInLinkAnswer = {
  data: {
    role: "owner" | "moderator" | "viewer";
    expiresAt: string;
    email?: string;
    name?: string;
  };
};

export type RedeemSignInLinkBody = {
  /** The token at the end of the link. */
  token: string;
  /** 10 to 200 characters. */
  password: string;
  /** An e-mail address. */
  email?: string | undefined;
  /** One line of at most 100 characters, without control characters. */
  name?: string | undefined;
};

/** What redeemSignInLink takes. */
export type RedeemSignInLinkInput = {
  body: RedeemSignInLinkBody;
};

/** What redeemSignInLink answers. */
export type RedeemSignInLinkAnswer = AcknowledgeNotificationAnswer;

/** What redeliverWebhook takes. */
export type RedeliverWebhookInput = {
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  /** 1 to 100 letters, digits, - and _. */
  eventId: string;
};

/** What redeliverWebhook answers. */
export type RedeliverWebhookAnswer = AcknowledgeNotificationAnswer;

/** What redeliverWebhookOfApp takes. */
export type RedeliverWebhookOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  /** 1 to 100 letters, digits, - and _. */
  eventId: string;
};

/** What redeliverWebhookOfApp answers. */
export type RedeliverWebhookOfAppAnswer = AcknowledgeNotificationAnswer;

export type RegisterPushTokenBody = {
  /** A device token without spaces. */
  fcmToken?: string | undefined;
  /** The bytes of Apple's token as hex: two digits for each byte, without spaces. */
  deviceToken?: string | undefined;
  /** The bytes of Apple's token as hex: two digits for each byte, without spaces. */
  voipToken?: string | undefined;
  webPushSubscription?: {
    endpoint: string;
    keys: {
      /** 65 bytes as base64url. */
      p256dh: string;
      /** 16 bytes as base64url. */
      auth: string;
    };
  } | undefined;
  platform: string;
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId?: string | undefined;
  /** 1 to 255 characters without spaces or control characters. */
  authToken?: string | undefined;
  timezone?: string | undefined;
};

/** What registerPushToken takes. */
export type RegisterPushTokenInput = {
  body: RegisterPushTokenBody;
};

/** What registerPushToken answers. */
export type RegisterPushTokenAnswer = AcknowledgeNotificationAnswer;

export type RemoveKeywordTermsBody = AddKeywordTermsBody;

/** What removeKeywordTerms takes. */
export type RemoveKeywordTermsInput = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body: RemoveKeywordTermsBody;
};

/** What removeKeywordTerms answers. */
export type RemoveKeywordTermsAnswer = AddKeywordTermsAnswer;

export type RemoveKeywordTermsOfAppBody = AddKeywordTermsBody;

/** What removeKeywordTermsOfApp takes. */
export type RemoveKeywordTermsOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body: RemoveKeywordTermsOfAppBody;
};

/** What removeKeywordTermsOfApp answers. */
export type RemoveKeywordTermsOfAppAnswer = AddKeywordTermsAnswer;

/** What removePerson takes. */
export type RemovePersonInput = CreateSignInLinkInput;

/** What removePerson answers. */
export type RemovePersonAnswer = AcknowledgeNotificationAnswer;

export type ReplaceApnsProviderBody = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  /** The key id is ten letters and digits. */
  keyId?: string | undefined;
  /** The team id is ten letters and digits. */
  teamId?: string | undefined;
  /** A bundle id such as org.example.chat. */
  bundleId?: string | undefined;
  /** One line of at most 255 characters, without control characters. */
  p8KeyFilename?: string | undefined;
  /** The content of the .p8 file. Never readable again. */
  p8Key?: string | undefined;
  includeContentAvailable?: boolean | undefined;
  includeMutableContent?: boolean | undefined;
  productionMode?: boolean | undefined;
  /** Ignored. */
  p8KeyFingerprint?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
};

/** What replaceApnsProvider takes. */
export type ReplaceApnsProviderInput = {
  body: ReplaceApnsProviderBody;
};

/** What replaceApnsProvider answers. */
export type ReplaceApnsProviderAnswer = AddApnsProviderAnswer;

export type ReplaceCustomProviderBody = {
  isEnabled?: boolean | undefined;
  webhookURL?: string | undefined;
  useBasicAuth?: boolean | undefined;
  /** One line of at most 255 characters, without control characters. */
  basicAuthUsername?: string | undefined;
  /** Never readable again. */
  basicAuthPassword?: string | undefined;
  /** Ignored: there is one only. */
  providerId?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
};

/** What replaceCustomProvider takes. */
export type ReplaceCustomProviderInput = {
  body?: ReplaceCustomProviderBody | undefined;
};

/** What replaceCustomProvider answers. */
export type ReplaceCustomProviderAnswer = AddCustomProviderAnswer;

export type ReplaceFcmProviderBody = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  /** One line of at most 255 characters, without control characters. */
  serviceAccountFilename?: string | undefined;
  notificationInPayload?: {
    ios?: {
      chat?: boolean | undefined;
      call?: boolean | undefined;
    } | undefined;
    android?: {
      chat?: boolean | undefined;
      call?: boolean | undefined;
    } | undefined;
    web?: {
      chat?: boolean | undefined;
      call?: boolean | undefined;
    } | undefined;
  } | undefined;
  /** Ignored. */
  privateKeyFingerprint?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
  serviceAccountCreds?: {
    /** The project id of the service account file, such as chat-12345. */
    project_id: string;
    /** The e-mail address of the service account. */
    client_email: string;
    /** One line of at most 200 characters, without control characters. */
    private_key_id?: string | undefined;
    /** One line of at most 2048 characters, without control characters. */
    token_uri?: string | undefined;
    /** PEM. Never readable again. */
    private_key?: string | undefined;
  } | undefined;
};

/** What replaceFcmProvider takes. */
export type ReplaceFcmProviderInput = {
  body: ReplaceFcmProviderBody;
};

/** What replaceFcmProvider answers. */
export type ReplaceFcmProviderAnswer = AddFcmProviderAnswer;

export type ReplaceKeywordListBody = CreateKeywordListBody;

/** What replaceKeywordList takes. */
export type ReplaceKeywordListInput = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body?: ReplaceKeywordListBody | FormData | undefined;
};

/** What replaceKeywordList answers. */
export type ReplaceKeywordListAnswer = CreateKeywordListAnswer;

export type ReplaceKeywordListOfAppBody = CreateKeywordListBody;

/** What replaceKeywordListOfApp takes. */
export type ReplaceKeywordListOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body?: ReplaceKeywordListOfAppBody | FormData | undefined;
};

/** What replaceKeywordListOfApp answers. */
export type ReplaceKeywordListOfAppAnswer = CreateKeywordListAnswer;

export type ReplaceReasonBody = {
  /** One line of at most 100 characters, without control characters. */
  name: string;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
};

/** What replaceReason takes. */
export type ReplaceReasonInput = {
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body: ReplaceReasonBody;
};

/** What replaceReason answers. */
export type ReplaceReasonAnswer = CreateReasonAnswer;

export type ReplaceReasonOfAppBody = ReplaceReasonBody;

/** What replaceReasonOfApp takes. */
export type ReplaceReasonOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  id: string;
  body: ReplaceReasonOfAppBody;
};

/** What replaceReasonOfApp answers. */
export type ReplaceReasonOfAppAnswer = CreateReasonAnswer;

export type ReplaceRuleBody = {
  /** One line of at most 100 characters, without control characters. */
  name: string;
  /** At most 255 characters, without control characters. */
  description?: string | undefined;
  enabled?: boolean | undefined;
  /** Reports what it would have done and does not act. */
  shadow?: boolean | undefined;
  action: ("blockMessage" | "dropMessage" | "flagMessage" | "block" | "kick" | "ban" | "deactivate")[];
  filters?: {
    type: "sender" | "receiver";
    entity: "user" | "group";
    operand: "uid" | "guid" | "name" | "role" | "type" | "tags" | "createdAt";
    operator: "equals" | "notEquals" | "in" | "notIn" | "startsWith" | "endsWith" | "lessThan" | "greaterThan";
    value: string | number | boolean | (string | number | boolean)[];
  }[] | undefined;
  conditions: {
    id?: number | undefined;
    isKeywordsReferencePresent?: boolean | undefined;
    isKeywordReferencePresent?: boolean | undefined;
    isListReferencePresent?: boolean | undefined;
    isMediaPresent?: boolean | undefined;
    entity?: "message" | undefined;
    operand: "text" | "image" | "video" | "custom";
    category: "word" | "pattern" | "toxicity" | "sentence-similarity" | "custom-api";
    operator?: "contains" | "equals" | undefined;
    value: string | string[];
    message?: string | string[] | undefined;
  }[];
};

/** What replaceRule takes. */
export type ReplaceRuleInput = {
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  body: ReplaceRuleBody;
};

/** What replaceRule answers. */
export type ReplaceRuleAnswer = CreateRuleAnswer;

export type ReplaceRuleOfAppBody = ReplaceRuleBody;

/** What replaceRuleOfApp takes. */
export type ReplaceRuleOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  body: ReplaceRuleOfAppBody;
};

/** What replaceRuleOfApp answers. */
export type ReplaceRuleOfAppAnswer = CreateRuleAnswer;

export type ReplaceWebPushProviderBody = {
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  /** mailto: or https:, where push services write when something is wrong. */
  subject?: string | undefined;
  /** The VAPID public key, 65 bytes as base64url. */
  vapidPublicKey?: string | undefined;
  /** The VAPID private key, 32 bytes as base64url. Never readable again. */
  vapidPrivateKey?: string | undefined;
  /** Ignored: there is an operation for it. */
  isDefault?: boolean | undefined;
  /** Ignored. */
  createdAt?: string | undefined;
  /** Ignored. */
  updatedAt?: string | undefined;
};

/** What replaceWebPushProvider takes. */
export type ReplaceWebPushProviderInput = {
  body: ReplaceWebPushProviderBody;
};

/** What replaceWebPushProvider answers. */
export type ReplaceWebPushProviderAnswer = AddWebPushProviderAnswer;

/** What resetNotificationSettings answers. */
export type ResetNotificationSettingsAnswer = AcknowledgeNotificationAnswer;

/** What resetPreferences takes. */
export type ResetPreferencesInput = GetPreferencesInput;

/** What resetPreferences answers. */
export type ResetPreferencesAnswer = {
  data: Record<string, unknown>;
};

/** What resetPushPreferences takes. */
export type ResetPushPreferencesInput = GetPreferencesInput;

/** What resetPushPreferences answers. */
export type ResetPushPreferencesAnswer = {
  data: Record<string, unknown>;
};

/** What restoreRule takes. */
export type RestoreRuleInput = {
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  /** The last part of a revisionId. */
  revision: string;
};

/** What restoreRule answers. */
export type RestoreRuleAnswer = CreateRuleAnswer;

/** What restoreRuleOfApp takes. */
export type RestoreRuleOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  ruleId: string;
  /** The last part of a revisionId. */
  revision: string;
};

/** What restoreRuleOfApp answers. */
export type RestoreRuleOfAppAnswer = CreateRuleAnswer;

/** What resumeProvider takes. */
export type ResumeProviderInput = {
  kind: string;
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
};

/** What resumeProvider answers. */
export type ResumeProviderAnswer = AcknowledgeNotificationAnswer;

/** What resumeWebhook takes. */
export type ResumeWebhookInput = DeleteWebhookInput;

/** What resumeWebhook answers. */
export type ResumeWebhookAnswer = ChangeWebhookAnswer;

/** What resumeWebhookOfApp takes. */
export type ResumeWebhookOfAppInput = DeleteWebhookOfAppInput;

/** What resumeWebhookOfApp answers. */
export type ResumeWebhookOfAppAnswer = ChangeWebhookAnswer;

export type ReviewBlockedMessageBody = {
  status: "approved" | "rejected";
  reviewed?: boolean | undefined;
};

/** What reviewBlockedMessage takes. */
export type ReviewBlockedMessageInput = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  body: ReviewBlockedMessageBody;
};

/** What reviewBlockedMessage answers. */
export type ReviewBlockedMessageAnswer = AcknowledgeNotificationAnswer;

export type ReviewBlockedMessageOfAppBody = ReviewBlockedMessageBody;

/** What reviewBlockedMessageOfApp takes. */
export type ReviewBlockedMessageOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  body: ReviewBlockedMessageOfAppBody;
};

/** What reviewBlockedMessageOfApp answers. */
export type ReviewBlockedMessageOfAppAnswer = AcknowledgeNotificationAnswer;

export type ReviewFlaggedMessageBody = {
  status: "approved" | "disapproved";
};

/** What reviewFlaggedMessage takes. */
export type ReviewFlaggedMessageInput = {
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  body: ReviewFlaggedMessageBody;
};

/** What reviewFlaggedMessage answers. */
export type ReviewFlaggedMessageAnswer = AcknowledgeNotificationAnswer;

export type ReviewFlaggedMessageOfAppBody = ReviewFlaggedMessageBody;

/** What reviewFlaggedMessageOfApp takes. */
export type ReviewFlaggedMessageOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 characters without spaces or control characters; not . or .. alone. */
  messageId: string;
  body: ReviewFlaggedMessageOfAppBody;
};

/** What reviewFlaggedMessageOfApp answers. */
export type ReviewFlaggedMessageOfAppAnswer = AcknowledgeNotificationAnswer;

/** What revokeApiKey takes. */
export type RevokeApiKeyInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  keyId: string;
};

/** What revokeApiKey answers. */
export type RevokeApiKeyAnswer = AcknowledgeNotificationAnswer;

/** What revokeAuthToken takes. */
export type RevokeAuthTokenInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid: string;
  /** 1 to 255 characters without spaces or control characters. */
  authToken: string;
};

/** What revokeAuthToken answers. */
export type RevokeAuthTokenAnswer = AcknowledgeNotificationAnswer;

/** What revokeAuthTokenOfApp takes. */
export type RevokeAuthTokenOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid: string;
  /** 1 to 255 characters without spaces or control characters. */
  authToken: string;
};

/** What revokeAuthTokenOfApp answers. */
export type RevokeAuthTokenOfAppAnswer = AcknowledgeNotificationAnswer;

/** What revokeKeyPair takes. */
export type RevokeKeyPairInput = {
  /** 1 to 100 letters, digits, - and _. */
  keyId: string;
};

/** What revokeKeyPair answers. */
export type RevokeKeyPairAnswer = AcknowledgeNotificationAnswer;

export type RotateWebhookSecretBody = {
  /** How long requests carry a signature of the old secret beside that of the new one. */
  overlapHours?: number | undefined;
};

/** What rotateWebhookSecret takes. */
export type RotateWebhookSecretInput = {
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  body?: RotateWebhookSecretBody | undefined;
};

/** What rotateWebhookSecret answers. */
export type RotateWebhookSecretAnswer = CreateWebhookAnswer;

export type RotateWebhookSecretOfAppBody = RotateWebhookSecretBody;

/** What rotateWebhookSecretOfApp takes. */
export type RotateWebhookSecretOfAppInput = {
  /** The app; without it the one that the client was made for. */
  appId?: string | undefined;
  /** 1 to 100 letters, digits, - and _. */
  webhookId: string;
  body?: RotateWebhookSecretOfAppBody | undefined;
};

/** What rotateWebhookSecretOfApp answers. */
export type RotateWebhookSecretOfAppAnswer = CreateWebhookAnswer;

export type SendMessageBody = {
  /** No spaces. */
  id?: string | undefined;
  /** At most 1000 characters, without control characters. */
  muid?: string | undefined;
  /** At most 1000 characters, without control characters. */
  conversationId?: string | undefined;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  sender: string;
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  receiver: string;
  receiverType: "user" | "group";
  category?: "message" | "custom" | "call" | "action" | undefined;
  /** At most 100 characters, without control characters. */
  type?: string | undefined;
  data?: {
    text?: string | undefined;
    customData?: unknown | undefined;
    attachments?: {
      /** At most 4096 characters, without control characters. */
      url?: string | undefined;
    }[] | undefined;
    metadata?: unknown | undefined;
    /** What happened, where category is call or action. */
    action?: string | undefined;
    /** At most 100 characters, without control characters. */
    reaction?: string | undefined;
    /** At most 200 characters, without control characters. */
    sessionId?: string | undefined;
    /** By uid, as in the platform. */
    mentions?: Record<string, unknown> | undefined;
    entities?: {
      by?: {
        entity?: {
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          uid?: string | undefined;
          name?: string | undefined;
          id?: string | number | undefined;
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          sender?: string | undefined;
          /** At most 100 characters, without control characters. */
          type?: string | undefined;
          /** At most 200 characters, without control characters. */
          sessionid?: string | undefined;
          data?: {
            text?: string | undefined;
            customData?: unknown | undefined;
            attachments?: {
              /** At most 4096 characters, without control characters. */
              url?: string | undefined;
            }[] | undefined;
          } | undefined;
        } | undefined;
      } | undefined;
      on?: {
        entity?: {
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          uid?: string | undefined;
          name?: string | undefined;
          id?: string | number | undefined;
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          sender?: string | undefined;
          /** At most 100 characters, without control characters. */
          type?: string | undefined;
          /** At most 200 characters, without control characters. */
          sessionid?: string | undefined;
          data?: {
            text?: string | undefined;
            customData?: unknown | undefined;
            attachments?: {
              /** At most 4096 characters, without control characters. */
              url?: string | undefined;
            }[] | undefined;
          } | undefined;
        } | undefined;
      } | undefined;
      for?: {
        entity?: {
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          uid?: string | undefined;
          name?: string | undefined;
          id?: string | number | undefined;
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          sender?: string | undefined;
          /** At most 100 characters, without control characters. */
          type?: string | undefined;
          /** At most 200 characters, without control characters. */
          sessionid?: string | undefined;
          data?: {
            text?: string | undefined;
            customData?: unknown | undefined;
            attachments?: {
              /** At most 4096 characters, without control characters. */
              url?: string | undefined;
            }[] | undefined;
          } | undefined;
        } | undefined;
      } | undefined;
      sender?: {
        entity?: {
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          uid?: string | undefined;
          name?: string | undefined;
          id?: string | number | undefined;
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          sender?: string | undefined;
          /** At most 100 characters, without control characters. */
          type?: string | undefined;
          /** At most 200 characters, without control characters. */
          sessionid?: string | undefined;
          data?: {
            text?: string | undefined;
            customData?: unknown | undefined;
            attachments?: {
              /** At most 4096 characters, without control characters. */
              url?: string | undefined;
            }[] | undefined;
          } | undefined;
        } | undefined;
      } | undefined;
      receiver?: {
        entity?: {
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          uid?: string | undefined;
          name?: string | undefined;
          id?: string | number | undefined;
          /** 1 to 100 letters, digits, and any of _ . @ : - */
          sender?: string | undefined;
          /** At most 100 characters, without control characters. */
          type?: string | undefined;
          /** At most 200 characters, without control characters. */
          sessionid?: string | undefined;
          data?: {
            text?: string | undefined;
            customData?: unknown | undefined;
            attachments?: {
              /** At most 4096 characters, without control characters. */
              url?: string | undefined;
            }[] | undefined;
          } | undefined;
        } | undefined;
      } | undefined;
    } | undefined;
    extras?: {
      scope?: {
        new?: string | undefined;
      } | undefined;
    } | undefined;
  } | undefined;
  senderUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
    metadata?: unknown | undefined;
  } | undefined;
  receiverUserDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
    metadata?: unknown | undefined;
  } | undefined;
  receiverGroupDetails?: {
    name?: string | undefined;
    role?: string | undefined;
    type?: string | undefined;
    tags?: string[] | undefined;
    createdAt?: number | undefined;
    metadata?: unknown | undefined;
  } | undefined;
  tags?: string[] | undefined;
  /** Epoch seconds. */
  sentAt?: number | undefined;
  /** At most 100 characters, without control characters. */
  parentId?: string | undefined;
  /** Who is notified: for a group its members, whom only the chat server knows. */
  receivers?: string[] | undefined;
  mentionedUids?: string[] | undefined;
  unreadMessageCount?: number | undefined;
};

/** What sendMessage takes. */
export type SendMessageInput = {
  body: SendMessageBody;
};

/** What sendMessage answers. */
export type SendMessageAnswer = {
  data: {
    id: string;
    sender: string;
    receiver: string;
    receiverType: string;
    moderation: {
      status: string;
      rule?: {
        id: string;
        name: string;
      };
    };
    notification?: {
      id: string;
      state: string;
    };
  };
};

export type SendNotificationBody = {
  /** Exactly one of uids, authTokens, pushTokens and all. */
  to: {
    uids?: string[] | undefined;
    authTokens?: string[] | undefined;
    pushTokens?: string[] | undefined;
    /** Every device of the app. */
    all?: true | undefined;
  };
  /** At most 4096 characters, without control characters. */
  title?: string | undefined;
  /** At most 4096 characters, without control characters. */
  subtitle?: string | undefined;
  /** At most 16384 characters, without control characters. */
  body?: string | undefined;
  data?: Record<string, unknown> | undefined;
  /** One line of at most 100 characters, without control characters. */
  sound?: string | undefined;
  badge?: number | undefined;
  /** One line of at most 2048 characters, without control characters. */
  image?: string | undefined;
  /** One line of at most 100 characters, without control characters. */
  category?: string | undefined;
  /** One line of at most 200 characters, without control characters. */
  threadId?: string | undefined;
  /** 1 to 64 printable characters without spaces. */
  collapseId?: string | undefined;
  ttlSeconds?: number | undefined;
  priority?: "high" | "normal" | "low" | undefined;
  pushType?: "alert" | "background" | "voip" | "liveactivity" | undefined;
  contentAvailable?: boolean | undefined;
  mutableContent?: boolean | undefined;
  liveActivity?: {
    event: "start" | "update" | "end";
    /** Epoch seconds. */
    timestamp: number;
    contentState: Record<string, unknown>;
    /** Epoch seconds. */
    staleDate?: number | undefined;
    /** Epoch seconds. */
    dismissalDate?: number | undefined;
    /** One line of at most 200 characters, without control characters. */
    attributesType?: string | undefined;
    attributes?: Record<string, unknown> | undefined;
    relevanceScore?: number | undefined;
  } | undefined;
  apns?: {
    /** One line of at most 255 characters, without control characters. */
    topic?: string | undefined;
    payload?: Record<string, unknown> | undefined;
  } | undefined;
  fcm?: Record<string, unknown> | undefined;
  webpush?: {
    urgency?: "very-low" | "low" | "normal" | "high" | undefined;
    payload?: Record<string, unknown> | undefined;
  } | undefined;
  /** Not before this moment: epoch milliseconds, or an ISO 8601 date and time with its zone. */
  sendAt?: number | string | undefined;
  /** HH:MM on each user's own clock, the first time it comes from sendAt on. */
  localTime?: string | undefined;
  /** Goes through do-not-disturb. */
  ignorePreferences?: boolean | undefined;
  /** Checks everything and counts the devices; nothing is sent. */
  dryRun?: boolean | undefined;
};

/** What sendNotification takes. */
export type SendNotificationInput = {
  body: SendNotificationBody;
};

/** What sendNotification answers. */
export type SendNotificationAnswer = {
  data: {
    id: string;
    state: string;
  } | {
    dryRun: boolean;
    devices: number;
  };
};

/** What setDefaultApnsProvider takes. */
export type SetDefaultApnsProviderInput = DeleteApnsProviderInput;

/** What setDefaultApnsProvider answers. */
export type SetDefaultApnsProviderAnswer = AcknowledgeNotificationAnswer;

/** What setDefaultFcmProvider takes. */
export type SetDefaultFcmProviderInput = DeleteApnsProviderInput;

/** What setDefaultFcmProvider answers. */
export type SetDefaultFcmProviderAnswer = AcknowledgeNotificationAnswer;

/** What setDefaultWebPushProvider takes. */
export type SetDefaultWebPushProviderInput = DeleteApnsProviderInput;

/** What setDefaultWebPushProvider answers. */
export type SetDefaultWebPushProviderAnswer = AcknowledgeNotificationAnswer;

export type SignInBody = {
  /** An e-mail address. */
  email: string;
  password: string;
};

/** What signIn takes. */
export type SignInInput = {
  body: SignInBody;
};

/** What signIn answers. */
export type SignInAnswer = AcknowledgeNotificationAnswer;

/** What signOut takes. */
export type SignOutInput = {
  everywhere?: boolean | undefined;
};

/** What signOut answers. */
export type SignOutAnswer = AcknowledgeNotificationAnswer;

/** What signOutDevice answers. */
export type SignOutDeviceAnswer = AcknowledgeNotificationAnswer;

export type TestProviderBody = {
  /** A device token, the endpoint of a registered browser, or for the custom provider a user id. */
  pushToken: string;
  /** At most 1000 characters, without control characters. */
  title?: string | undefined;
  /** At most 1000 characters, without control characters. */
  body?: string | undefined;
};

/** What testProvider takes. */
export type TestProviderInput = {
  kind: string;
  /** 1 to 100 letters, digits, spaces and _ . -, starting with a letter or digit. */
  providerId: string;
  body: TestProviderBody;
};

/** What testProvider answers. */
export type TestProviderAnswer = {
  data: {
    success: boolean;
    outcome: string;
    /** HTTP status of the vendor; 0 when no answer came. */
    status: number;
    /** The vendor's own word. */
    reason: string;
    /** The vendor's own words in full. */
    detail: string;
    id: string;
    ms: number;
  };
};

/** What testWebhook takes. */
export type TestWebhookInput = DeleteWebhookInput;

/** What testWebhook answers. */
export type TestWebhookAnswer = {
  data: {
    at: string;
    ms: number;
    status?: number;
    excerpt?: string;
    error?: string;
  };
};

/** What testWebhookOfApp takes. */
export type TestWebhookOfAppInput = DeleteWebhookOfAppInput;

/** What testWebhookOfApp answers. */
export type TestWebhookOfAppAnswer = TestWebhookAnswer;

export type UnmuteConversationsBody = {
  conversations: {
    id: string;
    type: "oneOnOne" | "group";
  }[];
};

/** What unmuteConversations takes. */
export type UnmuteConversationsInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body: UnmuteConversationsBody;
};

/** What unmuteConversations answers. */
export type UnmuteConversationsAnswer = AcknowledgeNotificationAnswer;

export type UnmutePushConversationsBody = UnmuteConversationsBody;

/** What unmutePushConversations takes. */
export type UnmutePushConversationsInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body: UnmutePushConversationsBody;
};

/** What unmutePushConversations answers. */
export type UnmutePushConversationsAnswer = AcknowledgeNotificationAnswer;

export type UpdateNotificationSettingsBody = Record<string, unknown>;

/** What updateNotificationSettings takes. */
export type UpdateNotificationSettingsInput = {
  body?: UpdateNotificationSettingsBody | undefined;
};

/** What updateNotificationSettings answers. */
export type UpdateNotificationSettingsAnswer = {
  data: Record<string, unknown>;
};

export type UpdatePreferencesBody = Record<string, unknown>;

/** What updatePreferences takes. */
export type UpdatePreferencesInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body?: UpdatePreferencesBody | undefined;
};

/** What updatePreferences answers. */
export type UpdatePreferencesAnswer = {
  data: Record<string, unknown>;
};

export type UpdatePushPreferencesBody = Record<string, unknown>;

/** What updatePushPreferences takes. */
export type UpdatePushPreferencesInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body?: UpdatePushPreferencesBody | undefined;
};

/** What updatePushPreferences answers. */
export type UpdatePushPreferencesAnswer = {
  data: Record<string, unknown>;
};

export type UpdatePushTimezoneBody = {
  timezone: string;
};

/** What updatePushTimezone takes. */
export type UpdatePushTimezoneInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body: UpdatePushTimezoneBody;
};

/** What updatePushTimezone answers. */
export type UpdatePushTimezoneAnswer = GetPushTimezoneAnswer;

export type UpdateTimezoneBody = {
  timezone: string;
};

/** What updateTimezone takes. */
export type UpdateTimezoneInput = {
  /** 1 to 100 letters, digits, and any of _ . @ : - */
  uid?: string | undefined;
  body: UpdateTimezoneBody;
};

/** What updateTimezone answers. */
export type UpdateTimezoneAnswer = GetPushTimezoneAnswer;

/** The codes of errors that the document names. */
export type ErrorCode =
  | 'AUTH_ERR_APIKEY_NOT_FOUND'
  | 'AUTH_ERR_AUTH_TOKEN_NOT_FOUND'
  | 'AUTH_ERR_EMPTY_APIKEY'
  | 'AUTH_ERR_EMPTY_AUTH_HEADER'
  | 'AUTH_ERR_FOREIGN_ORIGIN'
  | 'AUTH_ERR_KEY_PAIR_NOT_FOUND'
  | 'AUTH_ERR_NO_ACCESS'
  | 'AUTH_ERR_ROLE'
  | 'AUTH_ERR_SESSION_NOT_FOUND'
  | 'AUTH_ERR_TOO_MANY_ATTEMPTS'
  | 'AUTH_ERR_WRONG_PASSWORD'
  | 'ERR_APP_ALREADY_EXISTS'
  | 'ERR_APP_NOT_FOUND'
  | 'ERR_ATTACHMENT_NOT_FOUND'
  | 'ERR_AUTH_TOKEN_NOT_FOUND'
  | 'ERR_BACKTEST_OFF'
  | 'ERR_BAD_REQUEST'
  | 'ERR_DELIVERY_NOT_FOUND'
  | 'ERR_EXCEPTION'
  | 'ERR_IDEMPOTENCY_KEY_REUSED'
  | 'ERR_KEYWORD_ALREADY_EXISTS'
  | 'ERR_KEYWORD_IN_USE'
  | 'ERR_KEYWORD_LIMIT_REACHED'
  | 'ERR_KEYWORD_NOT_FOUND'
  | 'ERR_KEY_NOT_FOUND'
  | 'ERR_LAST_OWNER'
  | 'ERR_LINK_NOT_FOUND'
  | 'ERR_MESSAGE_ID_NOT_FOUND'
  | 'ERR_NOTIFICATION_NOT_FOUND'
  | 'ERR_OPERATION_FAILED'
  | 'ERR_PAYLOAD_TOO_LARGE'
  | 'ERR_PERSON_ALREADY_EXISTS'
  | 'ERR_PERSON_NOT_FOUND'
  | 'ERR_PROVIDER_ALREADY_EXISTS'
  | 'ERR_PROVIDER_NOT_FOUND'
  | 'ERR_REASON_ALREADY_EXISTS'
  | 'ERR_REASON_LIMIT_REACHED'
  | 'ERR_REASON_NOT_FOUND'
  | 'ERR_REVISION_CONFLICT'
  | 'ERR_REVISION_NOT_FOUND'
  | 'ERR_RULE_ALREADY_EXISTS'
  | 'ERR_RULE_LIMIT_REACHED'
  | 'ERR_RULE_NOT_FOUND'
  | 'ERR_SESSION_NOT_FOUND'
  | 'ERR_TOKEN_NOT_FOUND'
  | 'ERR_TOO_MANY_REQUESTS'
  | 'ERR_UNSUPPORTED_MEDIA_TYPE'
  | 'ERR_WEBHOOK_ALREADY_EXISTS'
  | 'ERR_WEBHOOK_LIMIT_REACHED'
  | 'ERR_WEBHOOK_NOT_FOUND'
  | 'ERR_WRONG_HOST';
