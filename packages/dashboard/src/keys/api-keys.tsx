import { Button, Group, NativeSelect, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { SecretOnce } from '../parts/copy.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Empty, Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { useAction } from '../use-action.ts';

const scopeWords: Readonly<Record<string, string>> = {
  fullAccess: 'Everything in this app',
  authOnly: 'Only auth tokens for devices',
};

export function ApiKeys() {
  const { client, appId, isOwner } = useHere();
  const [made, setMade] = useState<string>();
  const keys = useQuery({ queryKey: [appId, 'apikeys'], queryFn: async () => (await client.listApiKeys()).data });
  const revoke = useAction((keyId: string) => client.revokeApiKey({ keyId }), {
    refresh: [[appId, 'apikeys']],
    done: 'The key stopped working.',
    tellErrors: true,
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        Your back end sends one as the header apikey.
      </Text>
      {isOwner && <NewKey onMade={setMade} />}
      <Loaded query={keys}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No API key yet" />
          ) : (
            <PlainTable
              label="API keys"
              columns={['Name', 'May do', 'Ends with', 'Made', ...(isOwner ? ['Action'] : [])]}
            >
              {found.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>{key.name}</Table.Td>
                  <Table.Td>{scopeWords[key.scope] ?? key.scope}</Table.Td>
                  <Table.Td>{key.hint}</Table.Td>
                  <Table.Td>
                    <TimeAgo at={key.createdAt} />
                  </Table.Td>
                  {isOwner && (
                    <Table.Td>
                      <ConfirmButton
                        label="Revoke"
                        about={key.name}
                        question={`Revoke “${key.name}”?`}
                        explanation="Whoever uses it is turned away at once."
                        onConfirm={() => revoke.mutate(key.id)}
                      />
                    </Table.Td>
                  )}
                </Table.Tr>
              ))}
            </PlainTable>
          )
        }
      </Loaded>
      <SecretOnce
        title="Your new API key"
        secrets={made === undefined ? undefined : [{ label: 'API key', value: made }]}
        onClose={() => setMade(undefined)}
      />
    </Stack>
  );
}

function NewKey({ onMade }: { onMade: (key: string) => void }) {
  const { client, appId } = useHere();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<'fullAccess' | 'authOnly'>('fullAccess');
  const make = useAction(() => client.createApiKey({ body: { name, scope } }), {
    refresh: [[appId, 'apikeys']],
    onDone: ({ data }) => {
      setName('');
      onMade(data.apiKey);
    },
    tellErrors: true,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        make.mutate(undefined);
      }}
    >
      <Group gap="sm" align="flex-start">
        <TextInput
          label="Name"
          placeholder="Back end"
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldErrors(make.error).name}
        />
        <NativeSelect
          label="May do"
          value={scope}
          onChange={(event) => setScope(event.currentTarget.value === 'authOnly' ? 'authOnly' : 'fullAccess')}
          data={Object.entries(scopeWords).map(([value, label]) => ({ value, label }))}
        />
        <Button type="submit" mt={25} loading={make.isPending}>
          Make a key
        </Button>
      </Group>
    </form>
  );
}
