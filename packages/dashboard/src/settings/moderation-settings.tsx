import type { GetModerationSettingsOfAppAnswer } from '@gatehouse/client';
import { NativeSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { SecretField, TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/screen.tsx';
import { useAction } from '../use-action.ts';

type Settings = GetModerationSettingsOfAppAnswer['data'];

export function ModerationSettings() {
  const { client, appId } = useHere();
  const settings = useQuery({
    queryKey: [appId, 'moderation-settings'],
    queryFn: async () => (await client.getModerationSettingsOfApp()).data,
  });
  return <Loaded query={settings}>{(data) => <SettingsForm data={data} />}</Loaded>;
}

interface Typed {
  onError: Settings['onError'];
  url: string;
  secret: string;
  contextMessages: number;
}

function SettingsForm({ data }: { data: Settings }) {
  const { client, appId, isOwner } = useHere();
  // What was typed stays until it is saved, whatever is read meanwhile.
  const [typed, setTyped] = useState<Partial<Typed>>({});
  const set = (change: Partial<Typed>): void => setTyped((before) => ({ ...before, ...change }));
  const shown: Typed = {
    onError: data.onError,
    url: data.customApi?.url ?? '',
    secret: '',
    contextMessages: data.customApi?.contextMessages ?? 10,
    ...typed,
  };
  const { onError, url, secret, contextMessages } = shown;
  // What was typed while the rest was being saved is not saved yet.
  const forget = (saved: Typed): void =>
    setTyped((now) => {
      const rest = { ...now };
      for (const name of ['onError', 'url', 'secret', 'contextMessages'] as const)
        if (rest[name] === saved[name]) delete rest[name];
      return rest;
    });
  const save = useAction(
    ({ onError, url, secret, contextMessages }: Typed) =>
      client.changeModerationSettingsOfApp({
        body: {
          onError,
          customApi: url === '' ? null : { url, contextMessages, ...(secret !== '' && { secret }) },
        },
      }),
    { refresh: [[appId, 'moderation-settings']], done: 'Saved.' },
  );
  const errors = fieldErrors(save.error);
  return (
    <Card title="Your own moderation API, and when nothing answers">
      <fieldset disabled={!isOwner} style={{ border: 0, padding: 0, margin: 0, maxWidth: 560 }}>
        <Form
          error={save.error}
          fields={['onError', 'customApi.url', 'customApi.secret', 'customApi.contextMessages']}
          isBusy={save.isPending}
          submit="Save"
          onSubmit={() => save.mutate(shown, { onSuccess: () => forget(shown) })}
        >
          <NativeSelect
            label="When a classifier or your API does not answer"
            value={onError}
            onChange={(event) =>
              set({ onError: event.currentTarget.value === 'drop-message' ? 'drop-message' : 'approve-message' })
            }
            data={[
              { value: 'approve-message', label: 'Deliver the message' },
              { value: 'drop-message', label: 'Drop the message' },
            ]}
            error={errors.onError}
          />
          <TextField
            label="Address of your own moderation API"
            description="Rules can ask it. Empty: none."
            placeholder="https://moderation.example.org/check"
            value={url}
            onValue={(value) => set({ url: value })}
            error={errors['customApi.url']}
          />
          <SecretField
            label="Secret that signs the requests"
            description="Write-only. Empty leaves the one that is there."
            autoComplete="off"
            value={secret}
            onValue={(value) => set({ secret: value })}
            error={errors['customApi.secret']}
            what="secret"
          />
          <NumberInput
            label="Earlier messages that it is shown"
            min={0}
            max={100}
            value={contextMessages}
            onChange={(value) => set({ contextMessages: typeof value === 'number' ? value : 0 })}
            error={errors['customApi.contextMessages']}
          />
        </Form>
      </fieldset>
    </Card>
  );
}
