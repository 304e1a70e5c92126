/**
 * The catalogue of every error a caller can see. `docs/reference/errors.md` lists exactly these codes, and a test says so.
 * The message is for the caller and names the mend; the raw cause never leaves the process.
 */
export const catalogue = {
  ERR_BAD_REQUEST: { status: 400, message: 'The request is not valid. See details for each field.' },
  AUTH_ERR_EMPTY_APIKEY: { status: 401, message: 'The header apikey is missing. Send the REST API key of the app.' },
  AUTH_ERR_APIKEY_NOT_FOUND: { status: 401, message: 'This API key is not known, or it was revoked.' },
  AUTH_ERR_EMPTY_AUTH_HEADER: {
    status: 401,
    message: 'The headers key and secret are both needed on the management host.',
  },
  AUTH_ERR_KEY_PAIR_NOT_FOUND: { status: 401, message: 'This pair of key and secret is not known, or it was revoked.' },
  AUTH_ERR_AUTH_TOKEN_NOT_FOUND: { status: 401, message: 'This auth token is not known, or it was revoked.' },
  AUTH_ERR_SESSION_NOT_FOUND: {
    status: 401,
    message: 'You are not signed in, or this session has ended. Sign in again.',
  },
  AUTH_ERR_WRONG_PASSWORD: { status: 401, message: 'The e-mail address and the password do not belong together.' },
  AUTH_ERR_NO_ACCESS: { status: 403, message: 'These credentials do not have the scope for this operation.' },
  AUTH_ERR_FOREIGN_ORIGIN: {
    status: 403,
    message: 'A session is used from its own pages only: the header Origin must name this host.',
  },
  AUTH_ERR_ROLE: { status: 403, message: 'Your role does not allow this. An owner can change roles.' },
  ERR_API_NOT_FOUND: { status: 404, message: 'There is no operation at this path. See /reference for what there is.' },
  ERR_APP_NOT_FOUND: { status: 404, message: 'There is no such app for these credentials.' },
  ERR_RULE_NOT_FOUND: { status: 404, message: 'There is no rule with this id.' },
  ERR_KEYWORD_NOT_FOUND: { status: 404, message: 'There is no keyword list with this id.' },
  ERR_REVISION_NOT_FOUND: { status: 404, message: 'The rule has no revision with this number.' },
  ERR_MESSAGE_ID_NOT_FOUND: {
    status: 404,
    message: 'There is no message with this id here: it was never judged, was dropped, or is no longer kept.',
  },
  ERR_ATTACHMENT_NOT_FOUND: {
    status: 404,
    message:
      'There is no such attachment, or what its address holds is neither a picture nor a film that can be shown.',
  },
  ERR_REASON_NOT_FOUND: { status: 404, message: 'There is no reason with this id.' },
  ERR_PROVIDER_NOT_FOUND: { status: 404, message: 'There is no push provider with this id.' },
  ERR_NOTIFICATION_NOT_FOUND: { status: 404, message: 'There is no notification with this id.' },
  ERR_TOKEN_NOT_FOUND: { status: 404, message: 'There is no such push token.' },
  ERR_AUTH_TOKEN_NOT_FOUND: { status: 404, message: 'There is no such auth token for this user.' },
  ERR_KEY_NOT_FOUND: { status: 404, message: 'There is no key with this id.' },
  ERR_PERSON_NOT_FOUND: { status: 404, message: 'There is no person with this id.' },
  ERR_SESSION_NOT_FOUND: { status: 404, message: 'There is no session with this id.' },
  ERR_LINK_NOT_FOUND: {
    status: 404,
    message: 'This link was used, has expired, or was replaced by a newer one. Ask for a new one.',
  },
  ERR_WEBHOOK_NOT_FOUND: { status: 404, message: 'There is no webhook endpoint with this id.' },
  ERR_DELIVERY_NOT_FOUND: {
    status: 404,
    message: 'This endpoint was never owed this event, or the event is forgotten.',
  },
  ERR_METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take this method. See the header Allow.' },
  ERR_APP_ALREADY_EXISTS: { status: 409, message: 'There is an app with this id already.' },
  ERR_PERSON_ALREADY_EXISTS: { status: 409, message: 'There is a person with this e-mail address already.' },
  ERR_LAST_OWNER: { status: 409, message: 'The account needs an owner. Make somebody else an owner first.' },
  ERR_RULE_ALREADY_EXISTS: { status: 409, message: 'There is a rule with this id already. Replace it with PUT.' },
  ERR_RULE_LIMIT_REACHED: { status: 409, message: 'The app has as many rules of its own as its limit allows.' },
  ERR_KEYWORD_ALREADY_EXISTS: {
    status: 409,
    message: 'There is a keyword list with this id already. Replace it with PUT.',
  },
  ERR_KEYWORD_LIMIT_REACHED: {
    status: 409,
    message: 'The app has as many keyword lists of its own as its limit allows.',
  },
  ERR_KEYWORD_IN_USE: { status: 409, message: 'This keyword list is used by rules. Change those rules first.' },
  ERR_REASON_ALREADY_EXISTS: {
    status: 409,
    message: 'There is a reason with this id already. Replace it with PUT.',
  },
  ERR_REASON_LIMIT_REACHED: { status: 409, message: 'The app has as many reasons of its own as its limit allows.' },
  ERR_BACKTEST_OFF: {
    status: 409,
    message: 'No messages are kept to try rules on. Set GATEHOUSE_BACKTEST_DAYS and try again after some traffic.',
  },
  ERR_PROVIDER_ALREADY_EXISTS: {
    status: 409,
    message: 'There is a push provider with this id already. Replace it with PUT.',
  },
  ERR_REVISION_CONFLICT: {
    status: 412,
    message: 'Somebody else changed this meanwhile: If-Match does not name the current revision. Read it again first.',
  },
  ERR_WEBHOOK_ALREADY_EXISTS: {
    status: 409,
    message: 'There is a webhook endpoint with this id already. Change it with PATCH.',
  },
  ERR_WEBHOOK_LIMIT_REACHED: { status: 409, message: 'The app has as many webhook endpoints as its limit allows.' },
  ERR_PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than this operation takes.' },
  ERR_UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'This operation does not take this Content-Type. Send application/json.',
  },
  ERR_WRONG_HOST: { status: 421, message: 'This host does not serve this request.' },
  ERR_IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key came with another body before. Use a new key for a new request.',
  },
  ERR_TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests with this key. Wait as long as Retry-After says.' },
  AUTH_ERR_TOO_MANY_ATTEMPTS: {
    status: 429,
    message: 'Too many attempts to sign in. Wait as long as Retry-After says.',
  },
  ERR_EXCEPTION: { status: 500, message: 'Something went wrong here. The log has it under this request id.' },
  ERR_OPERATION_FAILED: { status: 503, message: 'The store did not take this change. Nothing was changed; try again.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof catalogue;

/** A field of the request, and the sentences that say what to mend in it. */
export type ErrorDetails = Record<string, string[]>;

/** The caller's fault, or a limit of ours that the caller must hear of. Anything else that is thrown is a 500. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(
    code: ErrorCode,
    options: { message?: string; details?: ErrorDetails; headers?: Record<string, string> } = {},
  ) {
    super(options.message ?? catalogue[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.details = options.details;
    this.headers = options.headers;
  }

  get status(): number {
    return catalogue[this.code].status;
  }
}

/** The commonest error: one field, one sentence. */
export function badField(field: string, sentence: string): ApiError {
  return new ApiError('ERR_BAD_REQUEST', { details: { [field]: [sentence] } });
}

/** Collects what is wrong with a request, so that the caller learns all of it at once. */
export class Problems {
  private readonly details = new Map<string, string[]>();

  add(field: string, sentence: string): void {
    const sentences = this.details.get(field);
    if (sentences === undefined) this.details.set(field, [sentence]);
    else sentences.push(sentence);
  }

  throwIfAny(): void {
    if (this.details.size > 0) throw new ApiError('ERR_BAD_REQUEST', { details: Object.fromEntries(this.details) });
  }
}
