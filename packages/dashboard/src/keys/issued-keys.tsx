import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { SecretOnce } from '../parts/copy.tsx';
import { TextField } from '../parts/fields.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { PlainTable } from '../parts/plain-table.tsx';
import { Empty, Loaded, type QueryLike } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { useAction } from '../use-action.ts';

interface Issued {
  id: string;
  name: string;
  /** How it ends: enough to know it again. */
  hint: string;
  createdAt: string | number;
}

type Secrets = readonly { label: string; value: string }[];

interface IssuedKeysProps<K extends Issued> {
  about: string;
  /** "key", "pair". */
  one: string;
  label: string;
  placeholder: string;
  keys: QueryLike<readonly K[]>;
  /** What is stale once one is made or revoked. */
  refresh: readonly string[];
  /** What it is for, beside its name. */
  purpose: { column: string; of: (key: K) => string; field?: ReactNode };
  make: (name: string) => Promise<Secrets>;
  revoke: (keyId: string) => Promise<unknown>;
}

/** Secrets that others sign in with: made with a name, shown once, revoked at once. */
export function IssuedKeys<K extends Issued>(props: IssuedKeysProps<K>) {
  const { isOwner } = useHere();
  const { one, refresh, purpose } = props;
  const [made, setMade] = useState<Secrets>();
  const revoke = useAction(props.revoke, {
    refresh: [refresh],
    done: `The ${one} stopped working.`,
    tellErrors: true,
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {props.about}
      </Text>
      {isOwner && (
        <NewKey one={one} placeholder={props.placeholder} refresh={refresh} make={props.make} onMade={setMade}>
          {purpose.field}
        </NewKey>
      )}
      <Loaded query={props.keys}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={`No ${one} yet`} />
          ) : (
            <PlainTable
              label={props.label}
              columns={['Name', purpose.column, 'Ends with', 'Made', ...(isOwner ? ['Action'] : [])]}
            >
              {found.map((key) => (
                <Table.Tr key={key.id}>
                  <Table.Td>{key.name}</Table.Td>
                  <Table.Td>{purpose.of(key)}</Table.Td>
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
      <SecretOnce title={`Your new ${one}`} secrets={made} onClose={() => setMade(undefined)} />
    </Stack>
  );
}

interface NewKeyProps {
  one: string;
  placeholder: string;
  refresh: readonly string[];
  make: (name: string) => Promise<Secrets>;
  onMade: (secrets: Secrets) => void;
  children: ReactNode;
}

function NewKey({ one, placeholder, refresh, make: send, onMade, children }: NewKeyProps) {
  const [name, setName] = useState('');
  const make = useAction(() => send(name), {
    refresh: [refresh],
    onDone: (secrets) => {
      setName('');
      onMade(secrets);
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
        <TextField
          label="Name"
          placeholder={placeholder}
          required
          value={name}
          onValue={setName}
          error={fieldErrors(make.error).name}
        />
        {children}
        <Button type="submit" mt={25} loading={make.isPending}>
          Make a {one}
        </Button>
      </Group>
    </form>
  );
}
