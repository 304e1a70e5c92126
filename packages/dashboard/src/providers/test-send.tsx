import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { answerWords } from '../push-words.ts';
import { useAction } from '../use-action.ts';
import type { Provider } from './provider-queries.ts';

/** One push, now, and what the vendor said to it. */
export function TestSend({ provider }: { provider: Provider }) {
  const { client, appId } = useHere();
  const [pushToken, setPushToken] = useState('');
  const test = useAction(
    async () => (await client.testProvider({ kind: provider.kind, providerId: provider.id, body: { pushToken } })).data,
    { refresh: [[appId, 'providers']] },
  );
  const result = test.data;
  return (
    <>
      <Form
        error={test.error}
        fields={['pushToken']}
        isBusy={test.isPending}
        submit="Send one push"
        onSubmit={() => test.mutate(undefined)}
      >
        <TextField
          label={provider.kind === 'custom' ? 'User id' : 'Device token'}
          description={
            provider.kind === 'webpush'
              ? 'The endpoint of a registered browser; see Tokens.'
              : 'Of a device of your own.'
          }
          required
          data-autofocus
          value={pushToken}
          onValue={setPushToken}
          error={fieldErrors(test.error).pushToken}
        />
      </Form>
      {result !== undefined && (
        <Alert
          mt="md"
          role="status"
          color={result.success ? 'teal' : 'red'}
          title={result.success ? 'It was taken' : 'It was refused'}
        >
          <Text size="sm">
            The answer after {result.ms} ms: {answerWords(`${result.status} ${result.reason}`)} {result.detail}
          </Text>
        </Alert>
      )}
    </>
  );
}
