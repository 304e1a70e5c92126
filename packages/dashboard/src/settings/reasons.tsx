import { Badge, Button, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Loaded } from '../parts/screen.tsx';
import { useAction } from '../use-action.ts';

export function Reasons() {
  const { client, appId, isOwner } = useHere();
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const refresh = [[appId, 'reasons']];
  const reasons = useQuery({
    queryKey: [appId, 'reasons'],
    queryFn: async () => (await client.listReasonsOfApp()).data,
  });
  const make = useAction(() => client.createReasonOfApp({ body: { id: idOf(name), name, description } }), {
    refresh,
    done: `“${name}” is added.`,
    tellErrors: true,
    onDone: () => {
      setName('');
      setDescription('');
    },
  });
  const remove = useAction((id: string) => client.deleteReasonOfApp({ id }), {
    refresh,
    done: 'The reason is removed.',
    tellErrors: true,
  });
  const errors = fieldErrors(make.error);
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        What users choose from when they tell you of a message.
      </Text>
      {isOwner && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            make.mutate(undefined);
          }}
        >
          <Group gap="sm" align="flex-start">
            <TextField label="Name" required value={name} onValue={setName} error={errors.name} />
            <TextField
              label="What it means"
              w={300}
              value={description}
              onValue={setDescription}
              error={errors.description}
            />
            <Button type="submit" mt={25} loading={make.isPending}>
              Add
            </Button>
          </Group>
        </form>
      )}
      <Loaded query={reasons}>
        {(found) => (
          <PlainTable label="Reasons" columns={['Name', 'What it means', ...(isOwner ? ['Action'] : [])]}>
            {found.map((reason) => (
              <Table.Tr key={reason.id}>
                <Table.Td>
                  <Group gap="xs">
                    {reason.name}
                    {reason.default === true && <Badge variant="default">Built in</Badge>}
                  </Group>
                </Table.Td>
                <Table.Td>{reason.description}</Table.Td>
                {isOwner && (
                  <Table.Td>
                    {reason.default !== true && (
                      <ConfirmButton
                        label="Remove"
                        about={reason.name}
                        question={`Remove “${reason.name}”?`}
                        explanation="Messages that were flagged with it keep its name."
                        onConfirm={() => remove.mutate(reason.id)}
                      />
                    )}
                  </Table.Td>
                )}
              </Table.Tr>
            ))}
          </PlainTable>
        )}
      </Loaded>
    </Stack>
  );
}

/** Off topic -> off-topic. */
function idOf(name: string): string {
  return (
    name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .slice(0, 100) || 'reason'
  );
}
