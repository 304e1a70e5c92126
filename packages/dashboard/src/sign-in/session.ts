import { type GatehouseClient, GatehouseError } from '@gatehouse/client';
import type { Person } from '../client.ts';
import { forgetOthers } from '../query-client.ts';

let lastId: string | undefined;

/** Who is signed in; null for nobody, which is an answer and not a failure. */
export async function signedIn(client: GatehouseClient): Promise<Person | null> {
  try {
    const { data } = await client.getSession();
    if (lastId !== undefined && lastId !== data.id) forgetOthers();
    lastId = data.id;
    return data;
  } catch (error) {
    if (error instanceof GatehouseError && error.status === 401) return null;
    throw error;
  }
}
