import { useQuery } from '@tanstack/react-query';
import { account } from '../client.ts';
import { IssuedKeys } from './issued-keys.tsx';

export function KeyPairs() {
  const pairs = useQuery({ queryKey: ['pairs'], queryFn: async () => (await account.listKeyPairs()).data });
  return (
    <IssuedKeys
      about="For tools that manage every app of the account: sent as the headers key and secret."
      one="pair"
      label="Pairs of key and secret"
      placeholder="Deployment"
      keys={pairs}
      refresh={['pairs']}
      purpose={{ column: 'Apps', of: (pair) => pair.apps?.join(', ') ?? 'All' }}
      make={async (name) => {
        const { data } = await account.createKeyPair({ body: { name } });
        return [
          { label: 'Key', value: data.key },
          { label: 'Secret', value: data.secret },
        ];
      }}
      revoke={(keyId) => account.revokeKeyPair({ keyId })}
    />
  );
}
