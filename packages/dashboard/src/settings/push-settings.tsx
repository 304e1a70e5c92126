import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { Columns } from '../parts/columns.tsx';
import { TextField } from '../parts/fields.tsx';
import { ConfirmButton, Form } from '../parts/form.tsx';
import { Loaded } from '../parts/screen.tsx';
import { useAction } from '../use-action.ts';
import { type Leaf, leafWords, leavesOf, treeOf } from './settings-tree.ts';

/** Templates, sounds and preferences of the pushes that chat messages make. */
export function PushSettings() {
  const { client, appId, isOwner } = useHere();
  const settings = useQuery({
    queryKey: [appId, 'push-settings'],
    queryFn: async () => (await client.getNotificationSettings()).data,
  });
  /** Counted, so that the form forgets what was typed when everything goes back, and only then. */
  const [resets, setResets] = useState(0);
  const reset = useAction(() => client.resetNotificationSettings(), {
    refresh: [[appId, 'push-settings']],
    done: 'Everything is as it came.',
    onDone: () => setResets((n) => n + 1),
    tellErrors: true,
  });
  return (
    <Loaded query={settings}>
      {(data) => (
        <Stack gap="md">
          <SettingsForm key={resets} leaves={leavesOf(data)} />
          {isOwner && (
            <Group>
              <ConfirmButton
                label="Back to the defaults"
                question="Put everything here back to the defaults?"
                onConfirm={() => reset.mutate(undefined)}
                isBusy={reset.isPending}
              />
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function SettingsForm({ leaves }: { leaves: readonly Leaf[] }) {
  const { client, appId, isOwner } = useHere();
  const [changed, setChanged] = useState<ReadonlyMap<string, Leaf['value']>>(new Map());
  const [isAll, setAll] = useState(false);
  const save = useAction(
    (sent: typeof changed) =>
      client.updateNotificationSettings({ body: treeOf([...sent].map(([path, value]) => ({ path, value }))) }),
    { refresh: [[appId, 'push-settings']], done: 'Saved.' },
  );
  // Once the settings are read again, what was saved is no change any more; what was typed meanwhile still is.
  const forget = (saved: typeof changed): void =>
    setChanged((now) => new Map([...now].filter(([path, value]) => saved.get(path) !== value)));
  const errors = fieldErrors(save.error);
  const set = (path: string, value: Leaf['value']): void => setChanged((before) => new Map(before).set(path, value));
  const group = (start: string): readonly Leaf[] => leaves.filter(({ path }) => path.startsWith(start));
  const field = (leaf: Leaf) => (
    <Field
      key={leaf.path}
      leaf={{ ...leaf, value: changed.get(leaf.path) ?? leaf.value }}
      error={errors[leaf.path]}
      onSet={(value) => set(leaf.path, value)}
    />
  );
  const preferences = group('preferences.');
  const main = preferences.filter(({ path }) => /messagesSetting|repliesSetting|privacySetting|bypass/.test(path));
  return (
    <fieldset disabled={!isOwner} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Form
        error={save.error}
        fields={leaves.map(({ path }) => path)}
        isBusy={save.isPending}
        submit="Save"
        onSubmit={() => save.mutate(changed, { onSuccess: () => forget(changed) })}
      >
        <Columns>
          <Card title="Templates">
            <Text size="sm" c="dimmed" mb="sm">
              What is between double braces is filled in: {'{{sender.name}}'}, {'{{receiver.name}}'},{' '}
              {'{{message.text}}'}.
            </Text>
            <Stack gap="sm">{group('templates.').map(field)}</Stack>
          </Card>
          <Stack>
            <Card title="What users get unless they choose otherwise">
              <Stack gap="sm">{(isAll ? preferences : main).map(field)}</Stack>
              <Button mt="md" size="xs" variant="default" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
                {isAll ? 'Show the main ones' : `Show all ${preferences.length}`}
              </Button>
            </Card>
            <Card title="Sounds">
              <Stack gap="sm">{group('sounds.').map(field)}</Stack>
            </Card>
          </Stack>
        </Columns>
      </Form>
    </fieldset>
  );
}

interface FieldProps {
  leaf: Leaf;
  error: string | undefined;
  onSet: (value: Leaf['value']) => void;
}

function Field({ leaf, error, onSet }: FieldProps) {
  const { label, choices, isHour = false } = leafWords(leaf);
  if (typeof leaf.value === 'boolean')
    return (
      <Checkbox
        label={label}
        checked={leaf.value}
        onChange={(event) => onSet(event.currentTarget.checked)}
        error={error}
      />
    );
  if (choices !== undefined)
    return (
      <NativeSelect
        label={label}
        value={String(leaf.value)}
        onChange={(event) => onSet(Number(event.currentTarget.value))}
        data={choices}
        error={error}
      />
    );
  if (isHour)
    return (
      <TextField
        label={label}
        type="time"
        value={String(leaf.value)
          .padStart(4, '0')
          .replace(/(?=..$)/, ':')}
        // A time that is being typed is empty to the page: what was there stays until it is complete.
        onValue={(value) => {
          if (value !== '') onSet(Number(value.replace(':', '')));
        }}
        error={error}
      />
    );
  return (
    <TextField
      label={label}
      value={String(leaf.value)}
      onValue={(value) => {
        const typed = value;
        onSet(typeof leaf.value === 'number' && /^\d+$/.test(typed) ? Number(typed) : typed);
      }}
      error={error}
    />
  );
}
