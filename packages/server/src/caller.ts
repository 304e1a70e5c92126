import type { Soon } from './soon.ts';

export type Scope = 'fullAccess' | 'authOnly';

/** What a person may do: look (viewer), also decide on messages (moderator), everything (owner). */
export const roles = ['viewer', 'moderator', 'owner'] as const;
export type Role = (typeof roles)[number];

export function isAtLeast(role: Role, least: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(least);
}

/** Who is calling. The room `apps` looks them up; the HTTP layer only asks. */
export type Caller =
  | { kind: 'apiKey'; id: string; appId: string; scope: Scope }
  | { kind: 'keyPair'; id: string; accountId: string; apps: readonly string[] | undefined }
  | { kind: 'person'; id: string; accountId: string; role: Role; sessionId: string }
  /** Somebody about to sign in, known by their address only. */
  | { kind: 'visitor'; id: string }
  | { kind: 'device'; appId: string; uid: string; authToken: string };

/** Handed in by the wiring. Every look-up compares hashes in constant time. */
export interface Credentials {
  findApiKey(key: string): Soon<Extract<Caller, { kind: 'apiKey' }> | undefined>;
  findKeyPair(key: string, secret: string): Soon<Extract<Caller, { kind: 'keyPair' }> | undefined>;
  findDevice(appId: string | undefined, authToken: string): Soon<Extract<Caller, { kind: 'device' }> | undefined>;
  /** By the token of a session cookie. */
  findPerson(token: string): Soon<Extract<Caller, { kind: 'person' }> | undefined>;
  /** The account that owns the app, or undefined when there is no such app. */
  ownerOf(appId: string): Soon<string | undefined>;
}

/** How the audit names a caller: never by a credential. */
export function actorOf(caller: Caller): string {
  return caller.kind === 'device' ? `user:${caller.uid}` : `${caller.kind}:${caller.id}`;
}
