import { useHere } from '../client.ts';
import { TabbedScreen } from '../parts/tabbed-screen.tsx';
import { Compose } from './compose.tsx';
import { PushLog } from './push-log.tsx';
import { Sent } from './sent.tsx';

export function Notifications() {
  const { isOwner } = useHere();
  return (
    <TabbedScreen
      title="Notifications"
      about="Write one, send it now or later, and see what became of every push."
      at="/notifications"
      tabs={[
        { name: 'sent', label: 'Sent and scheduled', content: <Sent /> },
        ...(isOwner ? [{ name: 'compose', label: 'Compose', content: <Compose /> }] : []),
        { name: 'log', label: 'Log of attempts', content: <PushLog /> },
      ]}
    />
  );
}
