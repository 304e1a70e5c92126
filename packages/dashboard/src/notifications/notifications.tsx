import { Tabs } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { useHere } from '../client.ts';
import { Screen } from '../parts/screen.tsx';
import { Compose } from './compose.tsx';
import { PushLog } from './push-log.tsx';
import { Sent } from './sent.tsx';

const tabs = { sent: 'Sent and scheduled', compose: 'Compose', log: 'Log of attempts' } as const;
type Tab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as Tab[];

export function Notifications() {
  const { tab: named } = useParams();
  const { isOwner } = useHere();
  const [, go] = useLocation();
  const shown = tabNames.filter((name) => isOwner || name !== 'compose');
  const tab = shown.find((name) => name === named) ?? 'sent';
  return (
    <Screen title="Notifications" about="Write one, send it now or later, and see what became of every push.">
      <Tabs value={tab} onChange={(chosen) => go(`/notifications/${chosen ?? 'sent'}`)} keepMounted={false}>
        <Tabs.List mb="md">
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="sent">
          <Sent />
        </Tabs.Panel>
        {isOwner && (
          <Tabs.Panel value="compose">
            <Compose />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="log">
          <PushLog />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
