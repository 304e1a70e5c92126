import { Badge, Box, Button, Group, Stack, Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { account, fieldErrors, useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { SecretField } from '../parts/fields.tsx';
import { ConfirmButton, Form } from '../parts/form.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { forgetEverything } from '../query-client.ts';
import { useAction } from '../use-action.ts';

export function You() {
  return (
    <Stack>
      <Card title="Sessions">
        <Sessions />
      </Card>
      <Card title="Your password">
        <Box maw={420}>
          <Password />
        </Box>
      </Card>
    </Stack>
  );
}

/** The browser and the system out of what a browser says of itself. */
function browserWords(agent: string): string {
  const browser = ['Firefox', 'Edg', 'Chrome', 'Safari'].find((name) => agent.includes(`${name}/`)) ?? 'A browser';
  const system = ['Windows', 'Android', 'iPhone', 'iPad', 'Mac OS', 'Linux'].find((name) => agent.includes(name));
  return `${browser === 'Edg' ? 'Edge' : browser}${system === undefined ? '' : ` on ${system}`}`;
}

function Sessions() {
  const { isOwner } = useHere();
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: async () => (await account.listSessions()).data });
  const end = useAction((sessionId: string) => account.endSession({ sessionId }), {
    refresh: [['sessions']],
    done: 'That session has ended.',
    tellErrors: true,
  });
  const everywhere = useAction(() => account.signOut({ everywhere: true }), {
    tellErrors: true,
    onDone: forgetEverything,
  });
  return (
    <Stack gap="md">
      <Loaded query={sessions}>
        {(found) => (
          <PlainTable label="Sessions" columns={['Who', 'Where', 'Last seen', 'Action']}>
            {found.map((session) => (
              <Table.Tr key={session.id}>
                <Table.Td>{session.email}</Table.Td>
                <Table.Td>
                  {browserWords(session.browser)}, {session.address}
                </Table.Td>
                <Table.Td>
                  <TimeAgo at={session.seenAt} />
                </Table.Td>
                <Table.Td>
                  {session.isThis ? (
                    <Badge variant="default">This one</Badge>
                  ) : (
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => end.mutate(session.id)}
                      aria-label={`End the session of ${session.email}`}
                    >
                      End
                    </Button>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </PlainTable>
        )}
      </Loaded>
      <Group>
        <ConfirmButton
          label="Sign out everywhere"
          question="Sign out everywhere?"
          explanation={`Every session of yours ends, this one too.${isOwner ? ' Those of others stay.' : ''}`}
          isBusy={everywhere.isPending}
          onConfirm={() => everywhere.mutate(undefined)}
        />
      </Group>
    </Stack>
  );
}

function Password() {
  const [currentPassword, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const change = useAction(() => account.changePassword({ body: { currentPassword, password } }), {
    refresh: [['sessions']],
    done: 'Your password is changed. Your other sessions have ended.',
    onDone: () => {
      setCurrent('');
      setPassword('');
    },
  });
  const errors = fieldErrors(change.error);
  return (
    <Form
      error={change.error}
      fields={['currentPassword', 'password']}
      isBusy={change.isPending}
      submit="Change it"
      onSubmit={() => change.mutate(undefined)}
    >
      <SecretField
        label="Password now"
        autoComplete="current-password"
        required
        value={currentPassword}
        onValue={setCurrent}
        error={errors.currentPassword}
        what="password"
      />
      <SecretField
        label="New password"
        description="At least 10 characters."
        autoComplete="new-password"
        required
        value={password}
        onValue={setPassword}
        error={errors.password}
        what="password"
      />
    </Form>
  );
}
