import { GatehouseError } from '@gatehouse/client';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { forgetKept } from './parts/kept.ts';

export const sessionKey = ['session'];

/** A session that ended, whoever ended it, leads to the sign-in form; the address stays, so that one comes back to it. */
function onError(error: unknown): void {
  if (error instanceof GatehouseError && error.status === 401) queryClient.setQueryData(sessionKey, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  defaultOptions: {
    // The client repeats what may be repeated.
    queries: { retry: false, staleTime: 5000 },
    mutations: { onError },
  },
});

/** After signing out: nothing that was read stays for who comes next. */
export function forgetEverything(): void {
  forgetKept();
  queryClient.setQueryData(sessionKey, null);
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}
