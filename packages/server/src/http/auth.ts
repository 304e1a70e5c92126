import type { IncomingHttpHeaders } from 'node:http';
import { type Caller, type Credentials, isAtLeast, type Role } from '../caller.ts';
import { ApiError, type ErrorCode } from '../errors.ts';
import { andThen, type Soon } from '../soon.ts';

/**
 * What an operation asks for: a key of full scope, a key of any scope, a key or the device itself, or nothing at all
 * (the operations by which people sign in).
 */
export type Access = 'fullAccess' | 'anyKey' | 'device' | 'anyone';

export function authenticateApp(
  headers: IncomingHttpHeaders,
  access: Access,
  credentials: Credentials,
  appIdSeen: string | undefined,
): Soon<Caller> {
  const apiKey = single(headers.apikey);
  if (apiKey !== undefined) return expectKnown(credentials.findApiKey(apiKey), 'AUTH_ERR_APIKEY_NOT_FOUND');
  const authToken = single(headers.authtoken);
  if (access === 'device' && authToken !== undefined)
    return expectKnown(credentials.findDevice(appIdSeen, authToken), 'AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
  throw new ApiError('AUTH_ERR_EMPTY_APIKEY');
}

export function authenticateManagement(headers: IncomingHttpHeaders, credentials: Credentials): Soon<Caller> {
  const key = single(headers.key);
  const secret = single(headers.secret);
  if (key === undefined || secret === undefined) throw new ApiError('AUTH_ERR_EMPTY_AUTH_HEADER');
  return expectKnown(credentials.findKeyPair(key, secret), 'AUTH_ERR_KEY_PAIR_NOT_FOUND');
}

/**
 * The app of the path, of the host, of the appId header and of the credentials must be one and the same, and must exist.
 * Where they differ the answer is the same as for an app that does not exist, so that nobody can probe for apps.
 */
export function agreeOnApp(
  caller: Caller,
  named: readonly (string | undefined)[],
  credentials: Credentials,
): Soon<string> {
  let appId = caller.kind === 'apiKey' || caller.kind === 'device' ? caller.appId : undefined;
  for (const id of named) {
    appId ??= id;
    if (id !== undefined && id !== appId) throw new ApiError('ERR_APP_NOT_FOUND');
  }
  if (appId === undefined) throw new ApiError('ERR_APP_NOT_FOUND');
  return caller.kind === 'keyPair' || caller.kind === 'person' ? expectGranted(caller, appId, credentials) : appId;
}

function expectGranted(
  caller: Extract<Caller, { kind: 'keyPair' | 'person' }>,
  appId: string,
  credentials: Credentials,
): Soon<string> {
  const isGranted = caller.kind === 'person' || caller.apps === undefined || caller.apps.includes(appId);
  return andThen(credentials.ownerOf(appId), (owner) => {
    if (owner !== caller.accountId || !isGranted) throw new ApiError('ERR_APP_NOT_FOUND');
    return appId;
  });
}

function expectKnown(found: Soon<Caller | undefined>, code: ErrorCode): Soon<Caller> {
  return andThen(found, (caller) => {
    if (caller === undefined) throw new ApiError(code);
    return caller;
  });
}

/** A device may only do what is asked for by `device`; an authOnly key only what is asked for by `anyKey`; a person what their role allows. */
export function checkScope(caller: Caller, access: Access, leastRole: Role): undefined {
  if (caller.kind === 'person' && !isAtLeast(caller.role, leastRole)) throw new ApiError('AUTH_ERR_ROLE');
  if (caller.kind === 'apiKey' && caller.scope !== 'fullAccess' && access !== 'anyKey')
    throw new ApiError('AUTH_ERR_NO_ACCESS');
}

export function single(value: string | string[] | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? undefined : first;
}
