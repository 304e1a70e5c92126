import { TabbedScreen } from '../parts/tabbed-screen.tsx';
import { ModerationSettings } from './moderation-settings.tsx';
import { PushSettings } from './push-settings.tsx';
import { Reasons } from './reasons.tsx';
import { Service } from './service.tsx';
import { Webhooks } from './webhooks.tsx';

export function Settings() {
  return (
    <TabbedScreen
      title="Settings"
      about="Limits, how long things are kept, who is told, and how pushes of messages read."
      at="/settings"
      tabs={[
        { name: 'service', label: 'This server', content: <Service /> },
        { name: 'moderation', label: 'Moderation', content: <ModerationSettings /> },
        { name: 'reasons', label: 'Reasons', content: <Reasons /> },
        { name: 'push', label: 'Pushes of messages', content: <PushSettings /> },
        { name: 'webhooks', label: 'Webhooks', content: <Webhooks /> },
      ]}
    />
  );
}
