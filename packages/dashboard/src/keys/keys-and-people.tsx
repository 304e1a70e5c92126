import { TabbedScreen } from '../parts/tabbed-screen.tsx';
import { ApiKeys } from './api-keys.tsx';
import { KeyPairs } from './key-pairs.tsx';
import { People } from './people.tsx';
import { You } from './you.tsx';

export function KeysAndPeople() {
  return (
    <TabbedScreen
      title="Keys and people"
      about="Who may do what: your servers by their keys, your colleagues by their roles."
      at="/keys"
      tabs={[
        { name: 'api', label: 'API keys', content: <ApiKeys /> },
        { name: 'pairs', label: 'Key and secret', content: <KeyPairs /> },
        { name: 'people', label: 'People', content: <People /> },
        { name: 'you', label: 'You', content: <You /> },
      ]}
    />
  );
}
