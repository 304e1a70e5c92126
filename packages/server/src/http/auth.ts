import type { IncomingHttpHeaders } from 'node:http';
import { type Caller, type Credentials, isAtLeast, type Role } from '../caller.ts';
import { ApiError } from '../errors.ts';

/**
 * What an operation asks for: a key of full scope, a key of any scope, a key or the device itself, or nothing at all
 * (the operations by which people sign in).
 */
export type Access = 'fullAccess' | 'anyKey' | 'device' | 'anyone';

export async function authenticateApp(
  headers: IncomingHttpHeaders,
  access: Access,
  credentials: Credentials,
  appIdSeen: string | undefined,
): Promise<Caller> {
  const apiKey = single(headers.apikey);
  if (apiKey !== undefined) {
    const caller = await credentials.findApiKey(apiKey);
    if (caller === undefined) throw new ApiError('AUTH_ERR_APIKEY_NOT_FOUND');
    return caller;
  }
  const authToken = single(headers.authtoken);
  if (access === 'device' && authToken !== undefined) {
    const caller = await credentials.findDevice(appIdSeen, authToken);
    if (caller === undefined) throw new ApiError('AUTH_ERR_AUTH_TOKEN_NOT_FOUND');
    return caller;
  }
  throw new ApiError('AUTH_ERR_EMPTY_APIKEY');
}

export async function authenticateManagement(headers: IncomingHttpHeaders, credentials: Credentials): Promise<Caller> {
  const key = single(headers.key);
  const secret = single(headers.secret);
  if (key === undefined || secret === undefined) throw new ApiError('AUTH_ERR_EMPTY_AUTH_HEADER');
  const caller = await credentials.findKeyPair(key, secret);
  if (caller === undefined) throw new ApiError('AUTH_ERR_KEY_PAIR_NOT_FOUND');
  return caller;
}

/**
 * The app of the path, of the host, of the appId header and of the credentials must be one and the same, and must exist.
 * Where they differ the answer is the same as for an app that does not exist, so that nobody can probe for apps.
 */
export async function agreeOnApp(
  caller: Caller,
  named: readonly (string | undefined)[],
  credentials: Credentials,
): Promise<string> {
  const ids = new Set(named.filter((id) => id !== undefined));
  if (caller.kind === 'apiKey' || caller.kind === 'device') ids.add(caller.appId);
  const [appId] = ids;
  if (appId === undefined || ids.size > 1) throw new ApiError('ERR_APP_NOT_FOUND');
  if (caller.kind === 'keyPair' || caller.kind === 'person') {
    const owner = await credentials.ownerOf(appId);
    const granted = caller.kind === 'person' || caller.apps === undefined || caller.apps.includes(appId);
    if (owner !== caller.accountId || !granted) throw new ApiError('ERR_APP_NOT_FOUND');
  }
  return appId;
}

/** A device may only do what is asked for by `device`; an authOnly key only what is asked for by `anyKey`; a person what their role allows. */
export function checkScope(caller: Caller, access: Access, leastRole: Role): void {
  if (caller.kind === 'person' && !isAtLeast(caller.role, leastRole)) throw new ApiError('AUTH_ERR_ROLE');
  if (caller.kind === 'apiKey' && caller.scope !== 'fullAccess' && access !== 'anyKey')
    throw new ApiError('AUTH_ERR_NO_ACCESS');
}

export function single(value: string | string[] | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? undefined : first;
}
