import { Tabs } from '@mantine/core';
import { useLocation, useParams } from 'wouter';
import { Screen } from '../parts/screen.tsx';
import { ModerationSettings } from './moderation-settings.tsx';
import { PushSettings } from './push-settings.tsx';
import { Reasons } from './reasons.tsx';
import { Service } from './service.tsx';
import { Webhooks } from './webhooks.tsx';

const tabs = {
  service: 'This server',
  moderation: 'Moderation',
  reasons: 'Reasons',
  push: 'Pushes of messages',
  webhooks: 'Webhooks',
} as const;
type Tab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as Tab[];

export function Settings() {
  const { tab: named } = useParams();
  const [, go] = useLocation();
  const tab = tabNames.find((name) => name === named) ?? 'service';
  return (
    <Screen title="Settings" about="Limits, how long things are kept, who is told, and how pushes of messages read.">
      <Tabs value={tab} onChange={(chosen) => go(`/settings/${chosen ?? 'service'}`)} keepMounted={false}>
        <Tabs.List mb="md">
          {tabNames.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="service">
          <Service />
        </Tabs.Panel>
        <Tabs.Panel value="moderation">
          <ModerationSettings />
        </Tabs.Panel>
        <Tabs.Panel value="reasons">
          <Reasons />
        </Tabs.Panel>
        <Tabs.Panel value="push">
          <PushSettings />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <Webhooks />
        </Tabs.Panel>
      </Tabs>
    </Screen>
  );
}
