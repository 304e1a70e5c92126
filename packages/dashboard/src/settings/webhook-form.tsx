import type { ListWebhooksAnswer } from '@gatehouse/client';
import { Checkbox, SimpleGrid } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

export type Webhook = ListWebhooksAnswer['data'][number];

const triggerWords = {
  moderation_engine_approved: 'A message was let through',
  moderation_engine_blocked: 'A message was blocked or dropped',
  moderation_engine_failed: 'Something a rule asks for did not answer',
  moderation_manual_approved: 'A moderator approved a blocked message',
  message_rejected: 'A moderator rejected a message',
  message_flagged: 'A message was flagged',
  rule_changed: 'A rule changed',
  list_changed: 'A list changed',
  rule_put_in_shadow: 'A rule caught too much and was stopped',
  provider_paused: 'A push provider was stopped',
  token_removed: 'A dead device was removed',
  notification_finished: 'A notification is finished',
} as const;
type Trigger = keyof typeof triggerWords;
const triggerNames = Object.keys(triggerWords) as Trigger[];

/** What happened, in words; what is newer than this page by its own name. */
export function triggerWord(trigger: string): string {
  const known = triggerNames.find((name) => name === trigger);
  return known === undefined ? trigger : triggerWords[known];
}

/** What an endpoint hears of, in words. */
export function hears({ triggers }: Webhook): string {
  if (triggers === null) return 'Hears everything';
  const known = triggerNames.filter((name) => triggers.includes(name)).map((name) => triggerWords[name]);
  return `Hears when: ${known.map((words) => words.charAt(0).toLowerCase() + words.slice(1)).join('; ')}`;
}

interface WebhookFormProps {
  /** The one that is changed; else one is added. */
  hook?: Webhook;
  /** With the secret of a new one. */
  onDone: (secret?: string) => void;
  onCancel: () => void;
}

export function WebhookForm({ hook, onDone, onCancel }: WebhookFormProps) {
  const { client, appId } = useHere();
  const [url, setUrl] = useState(hook?.url ?? '');
  const [description, setDescription] = useState(hook?.description ?? '');
  const [isAll, setAll] = useState((hook?.triggers ?? null) === null);
  const [triggers, setTriggers] = useState(triggerNames.filter((name) => hook?.triggers?.includes(name)));
  const save = useAction(
    async (): Promise<string | undefined> => {
      const body = { url, description, triggers: isAll ? null : triggers };
      if (hook === undefined) return (await client.createWebhookOfApp({ body })).data.secret;
      await client.changeWebhookOfApp({ webhookId: hook.id, body });
      return undefined;
    },
    {
      refresh: [[appId, 'webhooks']],
      ...(hook !== undefined && { done: `${hook.id} is changed.` }),
      onDone: (secret) => onDone(secret),
    },
  );
  const errors = fieldErrors(save.error);
  return (
    <Form
      error={save.error}
      fields={['url', 'description', 'triggers']}
      isBusy={save.isPending}
      submit={hook === undefined ? 'Add it' : 'Save'}
      onSubmit={() => save.mutate(undefined)}
      onCancel={onCancel}
    >
      <TextField
        label="Address"
        placeholder="https://chat.example.org/gatehouse"
        required
        data-autofocus
        value={url}
        onValue={setUrl}
        error={errors.url}
      />
      <TextField label="What it is for" value={description} onValue={setDescription} error={errors.description} />
      <Checkbox label="Tell it everything" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
      {!isAll && (
        <Checkbox.Group
          label="Tell it when"
          value={triggers}
          onChange={(chosen) => setTriggers(triggerNames.filter((name) => chosen.includes(name)))}
          error={
            save.isError && triggers.length === 0 ? 'Choose at least one, or tell it everything.' : errors.triggers
          }
        >
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={8} mt={4}>
            {triggerNames.map((name) => (
              <Checkbox key={name} value={name} label={triggerWords[name]} description={name} />
            ))}
          </SimpleGrid>
        </Checkbox.Group>
      )}
    </Form>
  );
}
