import { Checkbox, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { FileDrop } from '../parts/file-drop.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

/** Apple names its key files AuthKey_<key id>.p8. */
const keyFileName = /^AuthKey_([A-Z0-9]{10})\.p8$/i;

export function ApnsForm({ onDone }: { onDone: () => void }) {
  const { client, appId } = useHere();
  const [form, setForm] = useState({ providerId: 'apns', keyId: '', teamId: '', bundleId: '', p8Key: '', file: '' });
  const [productionMode, setProduction] = useState(true);
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const add = useAction(
    () => {
      const { file, ...body } = form;
      return client.addApnsProvider({
        body: { ...body, productionMode, ...(file !== '' && { p8KeyFilename: file }) },
      });
    },
    {
      refresh: [
        [appId, 'providers'],
        [appId, 'overview'],
      ],
      done: `${form.providerId} is added.`,
      onDone,
    },
  );
  const errors = fieldErrors(add.error);
  const take = async (file: File): Promise<void> => {
    const keyId = keyFileName.exec(file.name)?.[1];
    set({ p8Key: await file.text(), file: file.name, ...(keyId !== undefined && { keyId: keyId.toUpperCase() }) });
  };
  return (
    <Form
      error={add.error}
      fields={['providerId', 'keyId', 'teamId', 'bundleId']}
      isBusy={add.isPending}
      submit="Add it"
      onSubmit={() => add.mutate(undefined)}
      onCancel={onDone}
    >
      <FileDrop
        label="Key file from Apple (.p8)"
        accept=".p8"
        chosen={form.file === '' ? undefined : `${form.file}: it will be sealed and never shown again`}
        onFile={(file) => void take(file)}
      />
      <Group grow align="flex-start">
        <TextInput
          label="Key id"
          description="Read from the name of the file."
          required
          value={form.keyId}
          onChange={(event) => set({ keyId: event.currentTarget.value })}
          error={errors.keyId}
        />
        <TextInput
          label="Team id"
          description="From your Apple account."
          required
          value={form.teamId}
          onChange={(event) => set({ teamId: event.currentTarget.value })}
          error={errors.teamId}
        />
      </Group>
      <TextInput
        label="Bundle id"
        placeholder="org.example.chat"
        required
        value={form.bundleId}
        onChange={(event) => set({ bundleId: event.currentTarget.value })}
        error={errors.bundleId}
      />
      <TextInput
        label="Name of this provider"
        description="Devices name it when they register."
        required
        value={form.providerId}
        onChange={(event) => set({ providerId: event.currentTarget.value })}
        error={errors.providerId}
      />
      <Checkbox
        label="Production (not the sandbox of builds run from Xcode)"
        checked={productionMode}
        onChange={(event) => setProduction(event.currentTarget.checked)}
      />
    </Form>
  );
}
