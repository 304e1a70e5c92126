import { Checkbox, PasswordInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

export function CustomForm({ onDone }: { onDone: () => void }) {
  const { client, appId } = useHere();
  const [webhookURL, setAddress] = useState('');
  const [useBasicAuth, setBasic] = useState(false);
  const [basicAuthUsername, setName] = useState('');
  const [basicAuthPassword, setPassword] = useState('');
  const add = useAction(
    () =>
      client.addCustomProvider({
        body: {
          webhookURL,
          isEnabled: true,
          useBasicAuth,
          ...(useBasicAuth && { basicAuthUsername, basicAuthPassword }),
        },
      }),
    {
      refresh: [
        [appId, 'providers'],
        [appId, 'overview'],
      ],
      done: 'Your own server is added.',
      onDone,
    },
  );
  const errors = fieldErrors(add.error);
  return (
    <Form
      error={add.error}
      fields={['webhookURL', 'basicAuthUsername', 'basicAuthPassword']}
      isBusy={add.isPending}
      submit="Add it"
      onSubmit={() => add.mutate(undefined)}
      onCancel={onDone}
    >
      <TextInput
        label="Address"
        description="Every notification is posted there, and your server does the rest."
        placeholder="https://push.example.org/notify"
        required
        value={webhookURL}
        onChange={(event) => setAddress(event.currentTarget.value)}
        error={errors.webhookURL}
      />
      <Checkbox
        label="It asks for a name and a password"
        checked={useBasicAuth}
        onChange={(event) => setBasic(event.currentTarget.checked)}
      />
      {useBasicAuth && (
        <>
          <TextInput
            label="Name"
            autoComplete="off"
            value={basicAuthUsername}
            onChange={(event) => setName(event.currentTarget.value)}
            error={errors.basicAuthUsername}
          />
          <PasswordInput
            label="Password"
            autoComplete="off"
            value={basicAuthPassword}
            onChange={(event) => setPassword(event.currentTarget.value)}
            error={errors.basicAuthPassword}
            visibilityToggleButtonProps={{ 'aria-label': 'Show the password', tabIndex: 0 }}
          />
        </>
      )}
    </Form>
  );
}
