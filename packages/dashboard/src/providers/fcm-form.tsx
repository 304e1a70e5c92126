import { Text } from '@mantine/core';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { FileDrop } from '../parts/file-drop.tsx';
import { ProviderForm } from './provider-form.tsx';
import type { FcmRecord } from './provider-queries.ts';

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

export function FcmForm({ record, onDone }: { record?: FcmRecord; onDone: () => void }) {
  const { client } = useHere();
  const [providerId, setProviderId] = useState(record?.providerId ?? 'fcm');
  const [file, setFile] = useState<{ name: string; account: Account | undefined }>();
  const account = file?.account;
  const isWrong = file !== undefined && account === undefined;
  const save = async (): Promise<unknown> => {
    if (file === undefined || account === undefined) return undefined;
    const body = { providerId, serviceAccountFilename: file.name, serviceAccountCreds: account };
    return record === undefined ? client.addFcmProvider({ body }) : client.replaceFcmProvider({ body });
  };
  return (
    <ProviderForm
      providerId={providerId}
      onProviderId={record === undefined ? setProviderId : undefined}
      isChange={record !== undefined}
      changeHint="The key that is in use is never shown. A new file replaces it."
      fields={[]}
      missing={account === undefined ? 'Choose the service account file first.' : undefined}
      save={save}
      onDone={onDone}
    >
      {() => (
        <>
          <FileDrop
            label={
              record === undefined
                ? 'Service account file from Google (.json)'
                : 'New service account file from Google (.json)'
            }
            accept=".json,application/json"
            chosen={account && `${account.project_id}, ${account.client_email}: its key will be sealed`}
            onFile={(chosen) =>
              void chosen.text().then((text) => setFile({ name: chosen.name, account: accountOf(text) }))
            }
          />
          {isWrong && (
            <Text c="red" size="sm" role="alert">
              {file.name} is not a service account file: it has no private key.
            </Text>
          )}
        </>
      )}
    </ProviderForm>
  );
}
