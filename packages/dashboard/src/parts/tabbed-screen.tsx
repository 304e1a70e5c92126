import { Tabs } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useLocation, useParams, useSearch } from 'wouter';
import { useHere } from '../client.ts';
import { keptUntilSignOut } from './kept.ts';
import { Screen } from './screen.tsx';

interface Tab {
  name: string;
  label: string;
  content: ReactNode;
}

interface TabbedScreenProps {
  title: string;
  about: string;
  /** The address of the screen; the name of a tab follows it, so that a tab can be reloaded and shared. */
  at: string;
  tabs: readonly [Tab, ...Tab[]];
}

/** The filters of each tab of each app: who comes back to a tab finds it as it was left. */
const lastSearches = keptUntilSignOut<string>();

export function TabbedScreen({ title, about, at, tabs }: TabbedScreenProps) {
  const { tab: named } = useParams();
  const [, go] = useLocation();
  const [first] = tabs;
  const current = tabs.find(({ name }) => name === named) ?? first;
  const { appId } = useHere();
  const search = useSearch();
  const keyOf = (tab: string): string => `${appId}${at}/${tab}`;
  const currentKey = keyOf(current.name);
  useEffect(() => {
    lastSearches.set(currentKey, search);
  }, [currentKey, search]);
  const choose = (tab: string): void => {
    const last = lastSearches.get(keyOf(tab)) ?? '';
    go(`${at}/${tab}${last === '' ? '' : `?${last}`}`);
  };
  return (
    <Screen title={title} about={about}>
      <Tabs value={current.name} onChange={(chosen) => choose(chosen ?? first.name)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(({ name, label }) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ name, content }) => (
          <Tabs.Panel key={name} value={name}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}
