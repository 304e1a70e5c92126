import { PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

export function WebPushForm({ onDone }: { onDone: () => void }) {
  const { client, appId, me } = useHere();
  const [form, setForm] = useState({
    providerId: 'webpush',
    subject: `mailto:${me.email}`,
    vapidPublicKey: '',
    vapidPrivateKey: '',
  });
  const set = (change: Partial<typeof form>): void => setForm((before) => ({ ...before, ...change }));
  const add = useAction(
    () => {
      const { vapidPublicKey, vapidPrivateKey, ...body } = form;
      const keys = vapidPublicKey === '' && vapidPrivateKey === '' ? {} : { vapidPublicKey, vapidPrivateKey };
      return client.addWebPushProvider({ body: { ...body, ...keys } });
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
  return (
    <Form
      error={add.error}
      fields={['providerId', 'subject', 'vapidPublicKey', 'vapidPrivateKey']}
      isBusy={add.isPending}
      submit="Add it"
      onSubmit={() => add.mutate(undefined)}
      onCancel={onDone}
    >
      <TextInput
        label="Contact"
        description="mailto: or https:, where push services write when something is wrong."
        required
        value={form.subject}
        onChange={(event) => set({ subject: event.currentTarget.value })}
        error={errors.subject}
      />
      <TextInput
        label="VAPID public key"
        description="Leave both empty and a pair is made for you."
        value={form.vapidPublicKey}
        onChange={(event) => set({ vapidPublicKey: event.currentTarget.value })}
        error={errors.vapidPublicKey}
      />
      <PasswordInput
        label="VAPID private key"
        value={form.vapidPrivateKey}
        onChange={(event) => set({ vapidPrivateKey: event.currentTarget.value })}
        error={errors.vapidPrivateKey}
        visibilityToggleButtonProps={{ 'aria-label': 'Show the key', tabIndex: 0 }}
      />
      <TextInput
        label="Name of this provider"
        required
        value={form.providerId}
        onChange={(event) => set({ providerId: event.currentTarget.value })}
        error={errors.providerId}
      />
    </Form>
  );
}
