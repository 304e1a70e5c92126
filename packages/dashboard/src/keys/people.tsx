import type { ListPeopleAnswer } from '@gatehouse/client';
import { Badge, Button, Group, NativeSelect, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { account, fieldErrors, useHere } from '../client.ts';
import { SecretOnce } from '../parts/copy.tsx';
import { TextField } from '../parts/fields.tsx';
import { ConfirmButton, Form } from '../parts/form.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Loaded } from '../parts/screen.tsx';
import { useAction } from '../use-action.ts';
import { roleWords } from '../words.ts';

type Person = ListPeopleAnswer['data'][number];
type Role = Person['role'];
const roles = Object.keys(roleWords) as Role[];
const roleChoices = roles.map((value) => ({ value, label: roleWords[value].name }));

function linkOf(token: string): string {
  return `${location.origin}/dashboard/welcome#${token}`;
}

export function People() {
  const { isOwner } = useHere();
  const [link, setLink] = useState<string>();
  const people = useQuery({ queryKey: ['people'], queryFn: async () => (await account.listPeople()).data });
  return (
    <Stack gap="md">
      {isOwner && <Invite onMade={(token) => setLink(linkOf(token))} />}
      <Loaded query={people}>
        {(found) => (
          <PlainTable label="People" columns={['Name', 'E-mail address', 'Role', ...(isOwner ? ['Action'] : [])]}>
            {found.map((person) => (
              <Row key={person.id} person={person} onLink={(token) => setLink(linkOf(token))} />
            ))}
          </PlainTable>
        )}
      </Loaded>
      <Text size="sm" c="dimmed">
        {roles.map((role) => `${roleWords[role].name}: ${roleWords[role].about}`).join(' ')}
      </Text>
      <SecretOnce
        title="Give them this link"
        secrets={link === undefined ? undefined : [{ label: 'Link, works once, for a day', value: link }]}
        onClose={() => setLink(undefined)}
      />
    </Stack>
  );
}

function Invite({ onMade }: { onMade: (token: string) => void }) {
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('moderator');
  const invite = useAction(() => account.invitePerson({ body: { email, name, role } }), {
    refresh: [['people']],
    onDone: ({ data }) => {
      setEmail('');
      setName('');
      onMade(data.token);
    },
  });
  const errors = fieldErrors(invite.error);
  return (
    <Form
      error={invite.error}
      fields={['email', 'name', 'role']}
      isBusy={invite.isPending}
      submit="Invite"
      onSubmit={() => invite.mutate(undefined)}
    >
      <Group gap="sm" align="flex-start">
        <TextField label="Name" required value={name} onValue={setName} error={errors.name} />
        <TextField label="E-mail address" type="email" required value={email} onValue={setEmail} error={errors.email} />
        <NativeSelect
          label="Role"
          value={role}
          onChange={(event) => setRole(roles.find((one) => one === event.currentTarget.value) ?? 'viewer')}
          data={roleChoices}
        />
      </Group>
    </Form>
  );
}

function Row({ person, onLink }: { person: Person; onLink: (token: string) => void }) {
  const { me, isOwner } = useHere();
  const personId = person.id;
  const options = { refresh: [['people'], ['sessions'], ['session']], tellErrors: true };
  const change = useAction((role: Role) => account.changePerson({ personId, body: { role } }), {
    ...options,
    done: (_, role) => `${person.name} is ${roleWords[role].name.toLowerCase()} now.`,
  });
  const remove = useAction(() => account.removePerson({ personId }), {
    ...options,
    done: `${person.name} is removed.`,
  });
  const link = useAction(() => account.createSignInLink({ personId }), {
    tellErrors: true,
    onDone: ({ data }) => onLink(data.token),
  });
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="xs">
          <bdi>{person.name}</bdi>
          {person.id === me.id && <Badge variant="default">You</Badge>}
          {person.isInvited && <Badge variant="default">Invited</Badge>}
        </Group>
      </Table.Td>
      <Table.Td>{person.email}</Table.Td>
      <Table.Td>
        {isOwner ? (
          <NativeSelect
            aria-label={`Role of ${person.name}`}
            size="xs"
            value={person.role}
            disabled={change.isPending}
            onChange={(event) => change.mutate(roles.find((one) => one === event.currentTarget.value) ?? person.role)}
            data={roleChoices}
          />
        ) : (
          roleWords[person.role].name
        )}
      </Table.Td>
      {isOwner && (
        <Table.Td>
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              loading={link.isPending}
              onClick={() => link.mutate(undefined)}
              aria-label={`New link for ${person.name}`}
            >
              New link
            </Button>
            {person.id !== me.id && (
              <ConfirmButton
                label="Remove"
                about={person.name}
                question={`Remove ${person.name}?`}
                explanation="They are signed out everywhere at once."
                isBusy={remove.isPending}
                onConfirm={() => remove.mutate(undefined)}
              />
            )}
          </Group>
        </Table.Td>
      )}
    </Table.Tr>
  );
}
