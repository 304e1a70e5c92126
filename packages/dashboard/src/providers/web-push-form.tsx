import { Alert } from '@mantine/core';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { SecretField, TextField } from '../parts/fields.tsx';
import { ProviderForm } from './provider-form.tsx';
import type { WebPushRecord } from './provider-queries.ts';

export function WebPushForm({ record, onDone }: { record?: WebPushRecord; onDone: () => void }) {
  const { client, me } = useHere();
  const [form, setForm] = useState({
    providerId: record?.providerId ?? 'webpush',
    subject: record?.subject ?? `mailto:${me.email}`,
    vapidPublicKey: '',
    vapidPrivateKey: '',
  });
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const hasKeys = form.vapidPublicKey !== '' || form.vapidPrivateKey !== '';
  const save = (): Promise<unknown> => {
    const { vapidPublicKey, vapidPrivateKey, ...rest } = form;
    const body = {
      ...rest,
      ...(vapidPublicKey !== '' && { vapidPublicKey }),
      ...(vapidPrivateKey !== '' && { vapidPrivateKey }),
    };
    return record === undefined ? client.addWebPushProvider({ body }) : client.replaceWebPushProvider({ body });
  };
  return (
    <ProviderForm
      providerId={form.providerId}
      onProviderId={record === undefined ? (providerId) => set({ providerId }) : undefined}
      isChange={record !== undefined}
      fields={['subject', 'vapidPublicKey', 'vapidPrivateKey']}
      save={save}
      onDone={onDone}
    >
      {(errors) => (
        <>
          <TextField
            label="Contact"
            description="mailto: or https:, where push services write when something is wrong."
            required
            value={form.subject}
            onValue={(subject) => set({ subject })}
            error={errors.subject}
          />
          <TextField
            label={record === undefined ? 'VAPID public key' : 'New VAPID public key'}
            description={
              record === undefined
                ? 'Leave both empty and a pair is made for you.'
                : 'Leave both empty and the pair stays.'
            }
            value={form.vapidPublicKey}
            onValue={(vapidPublicKey) => set({ vapidPublicKey })}
            error={errors.vapidPublicKey}
          />
          <SecretField
            label={record === undefined ? 'VAPID private key' : 'New VAPID private key'}
            what="key"
            autoComplete="off"
            value={form.vapidPrivateKey}
            onValue={(vapidPrivateKey) => set({ vapidPrivateKey })}
            error={errors.vapidPrivateKey}
          />
          {record !== undefined && hasKeys && (
            <Alert color="yellow">
              Browsers are bound to the pair they subscribed with: with another one each has to subscribe again.
            </Alert>
          )}
        </>
      )}
    </ProviderForm>
  );
}
