import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isSignedOut } from './client.ts';
import { forgetKept } from './parts/kept.ts';

export const sessionKey = ['session'];

/** A session that ended, whoever ended it, leads to the sign-in form; the address stays, so that one comes back to it. */
function onError(error: unknown): void {
  if (isSignedOut(error)) queryClient.setQueryData(sessionKey, null);
}

export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  // Of all of them: what an action does about its own errors comes on top.
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // The client repeats what may be repeated. What the browser thinks of its network does not matter: the service may be on
    // this very machine, and what cannot be reached is said at once instead of being put off.
    queries: { retry: false, staleTime: 5000, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
});

/** Somebody else is here now: nothing that was read or begun stays for them. */
export function forgetOthers(): void {
  forgetKept();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
}

/** After signing out: a page that begins anew knows nothing of who was here. */
export function forgetEverything(): void {
  location.reload();
}
