import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { IssuedKeys } from './issued-keys.tsx';

const scopeWords: Readonly<Record<string, string>> = {
  fullAccess: 'Everything in this app',
  authOnly: 'Only auth tokens for devices',
};

export function ApiKeys() {
  const { client, appId } = useHere();
  const [scope, setScope] = useState<'fullAccess' | 'authOnly'>('fullAccess');
  const keys = useQuery({ queryKey: [appId, 'apikeys'], queryFn: async () => (await client.listApiKeys()).data });
  return (
    <IssuedKeys
      about="Your back end sends one as the header apikey."
      one="key"
      label="API keys"
      placeholder="Back end"
      keys={keys}
      refresh={[appId, 'apikeys']}
      purpose={{
        column: 'May do',
        of: (key) => scopeWords[key.scope] ?? key.scope,
        field: (
          <NativeSelect
            label="May do"
            value={scope}
            onChange={(event) => setScope(event.currentTarget.value === 'authOnly' ? 'authOnly' : 'fullAccess')}
            data={Object.entries(scopeWords).map(([value, label]) => ({ value, label }))}
          />
        ),
      }}
      make={async (name) => {
        const { data } = await client.createApiKey({ body: { name, scope } });
        return [{ label: 'API key', value: data.apiKey }];
      }}
      revoke={(keyId) => client.revokeApiKey({ keyId })}
    />
  );
}
