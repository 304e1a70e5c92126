import { Button, Center, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Route, Router, Switch } from 'wouter';
import { account, type Person } from './client.ts';
import { Boundary } from './parts/boundary.tsx';
import { CoveredContext } from './parts/dialog.tsx';
import { Failed } from './parts/screen.tsx';
import { sessionKey } from './query-client.ts';
import { signedIn } from './sign-in/session.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { SignInAgain } from './sign-in/sign-in-again.tsx';

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
  const [me, setMe] = useState<Person>();
  const { data } = session;
  if (data && data !== me) setMe(data);
  if (me !== undefined)
    return (
      <>
        <CoveredContext value={data === null}>
          <House key={me.id} me={me} />
        </CoveredContext>
        {data === null && <SignInAgain email={me.email} />}
      </>
    );
  if (data === null) return <SignIn />;
  if (session.error === null) return <Waiting />;
  return (
    <Failed error={session.error}>
      <Button size="xs" variant="default" loading={session.isFetching} onClick={() => void session.refetch()}>
        Try again
      </Button>
    </Failed>
  );
}

function Waiting() {
  return (
    <Center mih="50vh">
      <Loader role="status" aria-label="Loading" />
    </Center>
  );
}
