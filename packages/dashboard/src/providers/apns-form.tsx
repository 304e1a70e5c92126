import { Checkbox, Group } from '@mantine/core';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { FileDrop } from '../parts/file-drop.tsx';
import { ProviderForm } from './provider-form.tsx';
import type { ApnsRecord } from './provider-queries.ts';

/** Apple names its key files AuthKey_<key id>.p8. */
const keyFileName = /^AuthKey_([A-Z0-9]{10})\.p8$/i;

export function ApnsForm({ record, onDone }: { record?: ApnsRecord; onDone: () => void }) {
  const { client } = useHere();
  const [form, setForm] = useState({
    providerId: record?.providerId ?? 'apns',
    keyId: record?.keyId ?? '',
    teamId: record?.teamId ?? '',
    bundleId: record?.bundleId ?? '',
    productionMode: record?.productionMode ?? true,
  });
  const [file, setFile] = useState<{ name: string; text: string }>();
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const take = async (chosen: File): Promise<void> => {
    const keyId = keyFileName.exec(chosen.name)?.[1];
    setFile({ name: chosen.name, text: await chosen.text() });
    if (keyId !== undefined) set({ keyId: keyId.toUpperCase() });
  };
  const save = (): Promise<unknown> => {
    const p8KeyFilename = file?.name ?? record?.p8KeyFilename;
    const body = { ...form, ...(p8KeyFilename !== undefined && { p8KeyFilename }) };
    if (record === undefined) return client.addApnsProvider({ body: { ...body, p8Key: file?.text ?? '' } });
    const { includeContentAvailable, includeMutableContent } = record;
    const kept = { includeContentAvailable, includeMutableContent };
    return client.replaceApnsProvider({ body: { ...body, ...kept, ...(file && { p8Key: file.text }) } });
  };
  return (
    <ProviderForm
      providerId={form.providerId}
      onProviderId={record === undefined ? (providerId) => set({ providerId }) : undefined}
      isChange={record !== undefined}
      fields={['keyId', 'teamId', 'bundleId']}
      missing={record === undefined && file === undefined ? 'Choose the key file first.' : undefined}
      save={save}
      onDone={onDone}
    >
      {(errors) => (
        <>
          <FileDrop
            label={record === undefined ? 'Key file from Apple (.p8)' : 'New key file from Apple (.p8)'}
            accept=".p8"
            chosen={file && `${file.name}: it will be sealed and never shown again`}
            onFile={(chosen) => void take(chosen)}
          />
          <Group grow align="flex-start">
            <TextField
              label="Key id"
              description="Read from the name of the file."
              required
              value={form.keyId}
              onValue={(keyId) => set({ keyId })}
              error={errors.keyId}
            />
            <TextField
              label="Team id"
              description="From your Apple account."
              required
              value={form.teamId}
              onValue={(teamId) => set({ teamId })}
              error={errors.teamId}
            />
          </Group>
          <TextField
            label="Bundle id"
            placeholder="org.example.chat"
            required
            value={form.bundleId}
            onValue={(bundleId) => set({ bundleId })}
            error={errors.bundleId}
          />
          <Checkbox
            label="Production (not the sandbox of builds run from Xcode)"
            checked={form.productionMode}
            onChange={(event) => set({ productionMode: event.currentTarget.checked })}
          />
        </>
      )}
    </ProviderForm>
  );
}
