import { Checkbox, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

const triggerWords = {
  moderation_engine_approved: 'A message was let through',
  moderation_engine_blocked: 'A message was blocked or dropped',
  moderation_engine_failed: 'Something a rule asks for did not answer',
  moderation_manual_approved: 'A moderator approved a blocked message',
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

export function WebhookForm({ onMade, onCancel }: { onMade: (secret: string) => void; onCancel: () => void }) {
  const { client, appId } = useHere();
  const [url, setUrl] = useState('');
  const [isAll, setAll] = useState(true);
  const [triggers, setTriggers] = useState<Trigger[]>([]);
  const make = useAction(() => client.createWebhookOfApp({ body: { url, triggers: isAll ? null : triggers } }), {
    refresh: [[appId, 'webhooks']],
    onDone: ({ data }) => onMade(data.secret),
  });
  const errors = fieldErrors(make.error);
  return (
    <Form
      error={make.error}
      fields={['url', 'triggers']}
      isBusy={make.isPending}
      submit="Add it"
      onSubmit={() => make.mutate(undefined)}
      onCancel={onCancel}
    >
      <TextInput
        label="Address"
        placeholder="https://chat.example.org/gatehouse"
        required
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        error={errors.url}
      />
      <Checkbox label="Tell it everything" checked={isAll} onChange={(event) => setAll(event.currentTarget.checked)} />
      {!isAll && (
        <Checkbox.Group
          label="Tell it when"
          value={triggers}
          onChange={(chosen) => setTriggers(triggerNames.filter((name) => chosen.includes(name)))}
          error={errors.triggers}
        >
          <Stack gap={6} mt={4}>
            {triggerNames.map((name) => (
              <Checkbox key={name} value={name} label={triggerWords[name]} description={name} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Form>
  );
}
