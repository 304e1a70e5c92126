import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { FileDrop } from '../parts/file-drop.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

interface Account {
  project_id: string;
  client_email: string;
  private_key: string;
  private_key_id?: string;
  token_uri?: string;
}

/** What of the file is needed; a file that is something else is said to be. */
function accountOf(text: string): Account | undefined {
  try {
    const found = new Map(Object.entries(JSON.parse(text) as object));
    const word = (name: string): string => String(found.get(name) ?? '');
    if (word('private_key') === '' || word('client_email') === '' || word('project_id') === '') return undefined;
    return {
      project_id: word('project_id'),
      client_email: word('client_email'),
      private_key: word('private_key'),
      ...(word('private_key_id') !== '' && { private_key_id: word('private_key_id') }),
      ...(word('token_uri') !== '' && { token_uri: word('token_uri') }),
    };
  } catch {
    return undefined;
  }
}

export function FcmForm({ onDone }: { onDone: () => void }) {
  const { client, appId } = useHere();
  const [providerId, setProviderId] = useState('fcm');
  const [file, setFile] = useState<{ name: string; account: Account | undefined }>();
  const add = useAction(
    (account: Account) =>
      client.addFcmProvider({
        body: { providerId, serviceAccountFilename: file?.name ?? '', serviceAccountCreds: account },
      }),
    {
      refresh: [
        [appId, 'providers'],
        [appId, 'overview'],
      ],
      done: `${providerId} is added.`,
      onDone,
    },
  );
  const [isMissing, setMissing] = useState(false);
  const account = file?.account;
  return (
    <Form
      error={add.error}
      fields={['providerId']}
      isBusy={add.isPending}
      submit="Add it"
      onSubmit={() => (account === undefined ? setMissing(true) : add.mutate(account))}
      onCancel={onDone}
    >
      <FileDrop
        label="Service account file from Google (.json)"
        accept=".json,application/json"
        chosen={
          account === undefined ? undefined : `${account.project_id}, ${account.client_email}: its key will be sealed`
        }
        onFile={(chosen) => {
          setMissing(false);
          void chosen.text().then((text) => setFile({ name: chosen.name, account: accountOf(text) }));
        }}
      />
      {((file !== undefined && account === undefined) || isMissing) && (
        <Text c="red" size="sm" role="alert">
          {file === undefined
            ? 'Choose the file first.'
            : `${file.name} is not a service account file: it has no private key.`}
        </Text>
      )}
      <TextInput
        label="Name of this provider"
        description="Devices name it when they register."
        required
        value={providerId}
        onChange={(event) => setProviderId(event.currentTarget.value)}
        error={fieldErrors(add.error).providerId}
      />
    </Form>
  );
}
