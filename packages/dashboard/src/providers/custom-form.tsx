import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { SecretField, TextField } from '../parts/fields.tsx';
import { ProviderForm } from './provider-form.tsx';
import type { CustomRecord } from './provider-queries.ts';

export function CustomForm({ record, onDone }: { record?: CustomRecord; onDone: () => void }) {
  const { client } = useHere();
  const [form, setForm] = useState({
    webhookURL: record?.webhookURL ?? '',
    isEnabled: record?.isEnabled ?? true,
    useBasicAuth: record?.useBasicAuth ?? false,
    basicAuthUsername: record?.basicAuthUsername ?? '',
    basicAuthPassword: '',
  });
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const save = (): Promise<unknown> => {
    const { basicAuthUsername, basicAuthPassword, ...rest } = form;
    const body = {
      ...rest,
      ...(form.useBasicAuth && { basicAuthUsername }),
      ...(form.useBasicAuth && basicAuthPassword !== '' && { basicAuthPassword }),
    };
    return record === undefined ? client.addCustomProvider({ body }) : client.replaceCustomProvider({ body });
  };
  return (
    <ProviderForm
      providerId="Your own server"
      isChange={record !== undefined}
      fields={['webhookURL', 'basicAuthUsername', 'basicAuthPassword']}
      save={save}
      onDone={onDone}
    >
      {(errors) => (
        <>
          <TextField
            label="Address"
            description="Every notification is posted there, and your server does the rest."
            placeholder="https://push.example.org/notify"
            required
            value={form.webhookURL}
            onValue={(webhookURL) => set({ webhookURL })}
            error={errors.webhookURL}
          />
          {record !== undefined && (
            <Checkbox
              label="It is on"
              checked={form.isEnabled}
              onChange={(event) => set({ isEnabled: event.currentTarget.checked })}
            />
          )}
          <Checkbox
            label="It asks for a name and a password"
            checked={form.useBasicAuth}
            onChange={(event) => set({ useBasicAuth: event.currentTarget.checked })}
          />
          {form.useBasicAuth && (
            <>
              <TextField
                label="Name"
                autoComplete="off"
                value={form.basicAuthUsername}
                onValue={(basicAuthUsername) => set({ basicAuthUsername })}
                error={errors.basicAuthUsername}
              />
              <SecretField
                label={record?.useBasicAuth === true ? 'New password' : 'Password'}
                what="password"
                autoComplete="off"
                value={form.basicAuthPassword}
                onValue={(basicAuthPassword) => set({ basicAuthPassword })}
                error={errors.basicAuthPassword}
              />
            </>
          )}
        </>
      )}
    </ProviderForm>
  );
}
