export type Scope = 'fullAccess' | 'authOnly';

/** Who is calling. The room `apps` looks them up; the HTTP layer only asks. */
export type Caller =
  | { kind: 'apiKey'; id: string; appId: string; scope: Scope }
  | { kind: 'keyPair'; id: string; accountId: string; apps: readonly string[] | undefined }
  | { kind: 'device'; appId: string; uid: string; authToken: string };

type Found<T> = T | undefined | Promise<T | undefined>;

/** Handed in by the wiring. Every look-up compares hashes in constant time. */
export interface Credentials {
  findApiKey(key: string): Found<Extract<Caller, { kind: 'apiKey' }>>;
  findKeyPair(key: string, secret: string): Found<Extract<Caller, { kind: 'keyPair' }>>;
  findDevice(appId: string | undefined, authToken: string): Found<Extract<Caller, { kind: 'device' }>>;
  /** The account that owns the app, or undefined when there is no such app. */
  ownerOf(appId: string): Found<string>;
}

/** How the audit names a caller: never by a credential. */
export function actorOf(caller: Caller): string {
  return caller.kind === 'device' ? `user:${caller.uid}` : `${caller.kind}:${caller.id}`;
}
