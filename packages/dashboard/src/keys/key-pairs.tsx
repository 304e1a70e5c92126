import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { account, fieldErrors, useHere } from '../client.ts';
import { SecretOnce } from '../parts/copy.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Empty, Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { useAction } from '../use-action.ts';

export function KeyPairs() {
  const { isOwner } = useHere();
  const [name, setName] = useState('');
  const [made, setMade] = useState<{ key: string; secret: string }>();
  const pairs = useQuery({ queryKey: ['pairs'], queryFn: async () => (await account.listKeyPairs()).data });
  const make = useAction(() => account.createKeyPair({ body: { name } }), {
    refresh: [['pairs']],
    onDone: ({ data }) => {
      setName('');
      setMade(data);
    },
  });
  const revoke = useAction((keyId: string) => account.revokeKeyPair({ keyId }), {
    refresh: [['pairs']],
    done: 'The pair stopped working.',
    tellErrors: true,
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        For tools that manage every app of the account: sent as the headers key and secret.
      </Text>
      {isOwner && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate(undefined);
          }}
        >
          <Group gap="sm" align="flex-start">
            <TextInput
              label="Name"
              placeholder="Deployment"
              required
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={fieldErrors(make.error).name}
            />
            <Button type="submit" mt={25} loading={make.isPending}>
              Make a pair
            </Button>
          </Group>
        </form>
      )}
      <Loaded query={pairs}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No pair yet" />
          ) : (
            <PlainTable
              label="Pairs of key and secret"
              columns={['Name', 'Apps', 'Key ends with', 'Made', ...(isOwner ? ['Action'] : [])]}
            >
              {found.map((pair) => (
                <Table.Tr key={pair.id}>
                  <Table.Td>{pair.name}</Table.Td>
                  <Table.Td>{pair.apps?.join(', ') ?? 'All'}</Table.Td>
                  <Table.Td>{pair.hint}</Table.Td>
                  <Table.Td>
                    <TimeAgo at={pair.createdAt} />
                  </Table.Td>
                  {isOwner && (
                    <Table.Td>
                      <ConfirmButton
                        label="Revoke"
                        about={pair.name}
                        question={`Revoke “${pair.name}”?`}
                        explanation="Whoever uses it is turned away at once."
                        onConfirm={() => revoke.mutate(pair.id)}
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
        title="Your new pair"
        secrets={
          made && [
            { label: 'Key', value: made.key },
            { label: 'Secret', value: made.secret },
          ]
        }
        onClose={() => setMade(undefined)}
      />
    </Stack>
  );
}
