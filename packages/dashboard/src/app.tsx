import { Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Route, Router, Switch } from 'wouter';
import { account } from './client.ts';
import { Boundary } from './parts/boundary.tsx';
import { Failed } from './parts/screen.tsx';
import { sessionKey } from './query-client.ts';
import { signedIn } from './sign-in/session.ts';
import { SignIn } from './sign-in/sign-in.tsx';

const House = lazy(() => import('./house.tsx').then(({ House }) => ({ default: House })));
const Welcome = lazy(() => import('./sign-in/welcome.tsx').then(({ Welcome }) => ({ default: Welcome })));

export function App() {
  return (
    <Router base="/dashboard">
      <Boundary at="">
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path="/welcome">
              <Welcome />
            </Route>
            <Route>
              <Gate />
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </Router>
  );
}

/** Whoever is signed in gets the house, at the very address they asked for; whoever is not, the form. */
function Gate() {
  const session = useQuery({ queryKey: sessionKey, queryFn: () => signedIn(account), staleTime: 60_000 });
  if (session.data === undefined) return session.error === null ? <Waiting /> : <Failed error={session.error} />;
  return session.data === null ? <SignIn /> : <House me={session.data} />;
}

function Waiting() {
  return (
    <Center mih="50vh">
      <Loader aria-label="Loading" />
    </Center>
  );
}
