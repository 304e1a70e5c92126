import { AppShell, Badge, Burger, Group, NativeSelect, NavLink, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { account, clientOf, HereContext, type Person, useHere } from './client.ts';
import { FirstApp } from './first-app.tsx';
import { Boundary } from './parts/boundary.tsx';
import { Icon, type IconName, Mark } from './parts/icons.tsx';
import { Empty, Failed, Loaded } from './parts/screen.tsx';
import { StaleNotice } from './parts/stale-notice.tsx';
import { ThemeButton } from './parts/theme-button.tsx';
import { screens } from './screens.ts';
import { WhoIsHere } from './who-is-here.tsx';

const lastAppKey = 'gatehouse-app';

interface AppRecord {
  id: string;
  name: string;
}

/** Everything behind the sign-in. The address says which app and which screen, and survives a reload. */
export function House({ me }: { me: Person }) {
  const apps = useQuery({ queryKey: ['apps'], queryFn: async () => (await account.listApps()).data });
  return (
    <Loaded query={apps}>
      {(found) => (
        <Switch>
          <Route path="/:appId" nest>
            {/* Another app is another page: nothing that was typed for one is saved in another. */}
            {({ appId }) => <InApp key={appId} me={me} apps={found} appId={appId} />}
          </Route>
          <Route>
            {found.length === 0 ? <FirstApp me={me} /> : <Redirect to={`/${lastApp(found)}/overview`} replace />}
          </Route>
        </Switch>
      )}
    </Loaded>
  );
}

function lastApp(apps: readonly AppRecord[]): string {
  const last = localStorage.getItem(lastAppKey);
  return apps.find(({ id }) => id === last)?.id ?? apps[0]?.id ?? '';
}

function InApp({ me, apps, appId }: { me: Person; apps: readonly AppRecord[]; appId: string }) {
  const here = useMemo(() => ({ appId, client: clientOf(appId), me }), [appId, me]);
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [place] = useLocation();
  if (!apps.some(({ id }) => id === appId))
    return (
      <Failed error={new Error(`There is no app ${appId} in your account.`)}>
        <Link href="~/dashboard">Go to your apps</Link>
      </Failed>
    );
  localStorage.setItem(lastAppKey, appId);
  return (
    <HereContext value={here}>
      <a className="skip-link" href="#main">
        Skip to the content
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
        padding="md"
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Menu" />
              <Group gap="xs" visibleFrom="xs" wrap="nowrap">
                <Mark />
                <Text fw={700}>Gatehouse</Text>
              </Group>
              <AppChoice apps={apps} appId={appId} />
            </Group>
            <Group gap="xs" wrap="nowrap">
              <ThemeButton />
              <WhoIsHere />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="xs" aria-label="Screens">
          <Menu onChoose={close} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <StaleNotice />
          <Boundary at={place}>
            <Screens />
          </Boundary>
        </AppShell.Main>
      </AppShell>
    </HereContext>
  );
}

function AppChoice({ apps, appId }: { apps: readonly AppRecord[]; appId: string }) {
  const [, go] = useLocation();
  return (
    <NativeSelect
      aria-label="App"
      size="sm"
      maw={200}
      value={appId}
      onChange={(event) => go(`~/dashboard/${event.currentTarget.value}/overview`)}
      data={apps.map(({ id, name }) => ({ value: id, label: name }))}
    />
  );
}

const menu: readonly (readonly [IconName, string])[] = [
  ['overview', 'Overview'],
  ['rules', 'Rules'],
  ['lists', 'Lists'],
  ['review', 'Review'],
  ['providers', 'Providers'],
  ['tokens', 'Tokens'],
  ['notifications', 'Notifications'],
  ['keys', 'Keys and people'],
  ['audit', 'Audit'],
  ['settings', 'Settings'],
];

function Menu({ onChoose }: { onChoose: () => void }) {
  const [location] = useLocation();
  const { client, appId } = useHere();
  const overview = useQuery({
    queryKey: [appId, 'overview', 24],
    queryFn: async () => (await client.getOverview({ hours: 24 })).data,
    refetchInterval: 15_000,
  });
  const review = overview.data?.review;
  const waiting = (review?.pendingBlocked ?? 0) + (review?.pendingFlagged ?? 0);
  return (
    <Stack gap={2}>
      {menu.map(([name, label]) => {
        const isHere = location === `/${name}` || location.startsWith(`/${name}/`);
        return (
          <NavLink
            key={name}
            component={Link}
            href={`/${name}`}
            label={label}
            leftSection={<Icon name={name} />}
            active={isHere}
            {...(isHere && { 'aria-current': 'page' as const })}
            onClick={onChoose}
            rightSection={
              name === 'review' && waiting > 0 ? (
                <Badge size="sm" circle={waiting < 10} variant="filled" aria-label={`${waiting} waiting`}>
                  {waiting > 999 ? '999+' : waiting}
                </Badge>
              ) : null
            }
          />
        );
      })}
    </Stack>
  );
}

function Screens() {
  return (
    <Switch>
      {screens.map(({ path, Screen }) => (
        <Route key={path} path={path}>
          <Screen />
        </Route>
      ))}
      <Route path="/">
        <Redirect to="/overview" replace />
      </Route>
      <Route>
        <Empty title="There is nothing at this address.">
          <Link href="/overview">Go to the overview</Link>
        </Empty>
      </Route>
    </Switch>
  );
}
