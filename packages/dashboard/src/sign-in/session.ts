import { type GatehouseClient, GatehouseError } from '@gatehouse/client';
import type { Person } from '../client.ts';

/** Who is signed in; null for nobody, which is an answer and not a failure. */
export async function signedIn(client: GatehouseClient): Promise<Person | null> {
  try {
    return (await client.getSession()).data;
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 401) return null;
    throw error;
  }
}
