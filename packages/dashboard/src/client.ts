import { GatehouseClient, GatehouseError, GatehouseUnreachable } from '@gatehouse/client';
import { createContext, useContext } from 'react';

/** Everything the page does is an operation of the API, asked for with the session's cookie. */
export function clientOf(appId?: string): GatehouseClient {
  return new GatehouseClient({
    url: location.origin,
    credentials: { session: 'cookie' },
    ...(appId !== undefined && { appId }),
    retry: { retries: 1 },
  });
}

export const account = clientOf();

export interface Person {
  id: string;
  email: string;
  name: string;
  role: 'owner' | 'moderator' | 'viewer';
  sessionId: string;
}

interface Here {
  appId: string;
  client: GatehouseClient;
  me: Person;
}

export const HereContext = createContext<Here | undefined>(undefined);

/** The app one looks at, a client for it, and who looks. */
export function useHere(): Here & { isOwner: boolean; mayReview: boolean } {
  const here = useContext(HereContext);
  if (here === undefined) throw new Error('Not below an app.');
  return { ...here, isOwner: here.me.role === 'owner', mayReview: here.me.role !== 'viewer' };
}

/** What to mend in which field, as the service says it. */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof GatehouseError)) return {};
  return Object.fromEntries(Object.entries(error.details).map(([field, sentences]) => [field, sentences.join(' ')]));
}

/** The session is over, whoever ended it. A wrong password is no such thing. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof GatehouseError && error.status === 401 && error.code !== 'AUTH_ERR_WRONG_PASSWORD';
}

export function messageOf(error: unknown): string {
  if (isSignedOut(error)) return 'Your session has ended. Sign in again.';
  if (error instanceof GatehouseUnreachable) return 'The service cannot be reached. Try again in a moment.';
  return error instanceof Error ? error.message : String(error);
}

/** What is wrong with no field that the form shows. */
export function otherErrors(error: unknown, shown: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  const fields = Object.entries(fieldErrors(error));
  if (fields.length === 0) return messageOf(error);
  const others = fields.filter(([field]) => !shown.includes(field));
  return others.length === 0 ? undefined : others.map(([field, sentence]) => `${field}: ${sentence}`).join(' ');
}
