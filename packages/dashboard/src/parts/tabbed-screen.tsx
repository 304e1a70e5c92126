import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation, useParams } from 'wouter';
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

export function TabbedScreen({ title, about, at, tabs }: TabbedScreenProps) {
  const { tab: named } = useParams();
  const [, go] = useLocation();
  const [first] = tabs;
  const current = tabs.find(({ name }) => name === named) ?? first;
  return (
    <Screen title={title} about={about}>
      <Tabs value={current.name} onChange={(chosen) => go(`${at}/${chosen ?? first.name}`)} keepMounted={false}>
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
