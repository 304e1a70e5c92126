import { Tabs } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { Screen } from '../parts/screen.tsx';
import { ApiKeys } from './api-keys.tsx';
import { KeyPairs } from './key-pairs.tsx';
import { People } from './people.tsx';
import { You } from './you.tsx';

const tabs = { api: 'API keys', pairs: 'Key and secret', people: 'People', you: 'You' } as const;
type Tab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as Tab[];

export function KeysAndPeople() {
  const { tab: named } = useParams();
  const [, go] = useLocation();
  const tab = tabNames.find((name) => name === named) ?? 'api';
  return (
    <Screen
      title="Keys and people"
      about="Who may do what: your servers by their keys, your colleagues by their roles."
    >
      <Tabs value={tab} onChange={(chosen) => go(`/keys/${chosen ?? 'api'}`)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabNames.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="api">
          <ApiKeys />
        </Tabs.Panel>
        <Tabs.Panel value="pairs">
          <KeyPairs />
        </Tabs.Panel>
        <Tabs.Panel value="people">
          <People />
        </Tabs.Panel>
        <Tabs.Panel value="you">
          <You />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
