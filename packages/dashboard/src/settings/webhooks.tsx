import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { SecretOnce } from '../parts/copy.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { RecordCard } from '../parts/record-card.tsx';
import { Empty, Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { useAction } from '../use-action.ts';
import { Deliveries } from './deliveries.tsx';
import { hears, type Webhook, WebhookForm } from './webhook-form.tsx';

export function Webhooks() {
  const { client, appId, isOwner } = useHere();
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string>();
  const hooks = useQuery({
    queryKey: [appId, 'webhooks'],
    queryFn: async () => (await client.listWebhooksOfApp()).data,
    refetchInterval: 15_000,
  });
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          Addresses of yours that are told what happens. Every event is signed, and sent again until it is taken.
        </Text>
        {isOwner && <Button onClick={() => setAdding(true)}>Add a webhook</Button>}
      </Group>
      <Loaded query={hooks}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="Nobody is told anything yet" />
          ) : (
            <Stack>
              {found.map((hook) => (
                <One key={hook.id} hook={hook} onSecret={setSecret} />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Dialog opened={isAdding} onClose={() => setAdding(false)} title="Add a webhook" size="lg">
        <WebhookForm
          onCancel={() => setAdding(false)}
          onDone={(made) => {
            setAdding(false);
            setSecret(made);
          }}
        />
      </Dialog>
      <SecretOnce
        title="The secret that checks the signatures"
        secrets={secret === undefined ? undefined : [{ label: 'Secret', value: secret }]}
        onClose={() => setSecret(undefined)}
      />
    </Stack>
  );
}

function One({ hook, onSecret }: { hook: Webhook; onSecret: (secret: string) => void }) {
  const { client, appId, isOwner } = useHere();
  const [isOpen, setOpen] = useState(false);
  const [isChanging, setChanging] = useState(false);
  const webhookId = hook.id;
  const isPaused = hook.status === 'paused';
  const options = {
    refresh: [
      [appId, 'webhooks'],
      [appId, 'overview'],
    ],
    tellErrors: true,
  };
  const test = useAction(async () => (await client.testWebhookOfApp({ webhookId })).data, { tellErrors: true });
  const toggle = useAction(
    () => (isPaused ? client.resumeWebhookOfApp({ webhookId }) : client.pauseWebhookOfApp({ webhookId })),
    { ...options, done: isPaused ? 'It goes on.' : 'It is paused.' },
  );
  const rotate = useAction(() => client.rotateWebhookSecretOfApp({ webhookId, body: {} }), {
    ...options,
    onDone: ({ data }) => onSecret(data.secret),
  });
  const remove = useAction(() => client.deleteWebhookOfApp({ webhookId }), {
    ...options,
    done: `${webhookId} is removed.`,
  });
  return (
    <RecordCard
      label={`Webhook ${webhookId}`}
      title={hook.id}
      about={
        <>
          <div>{hook.url}</div>
          {hook.description !== '' && <div>{hook.description}</div>}
          <div>{hears(hook)}</div>
        </>
      }
      badges={
        isPaused ? (
          <Badge color="red.9" variant="filled">
            Paused
          </Badge>
        ) : (
          <Badge color={hook.failingSince === undefined ? 'teal.9' : 'yellow'} variant="filled">
            {hook.failingSince === undefined ? 'Well' : 'Failing'}
          </Badge>
        )
      }
    >
      {hook.pausedReason !== undefined && <Alert color="orange">{hook.pausedReason}</Alert>}
      {hook.failingSince !== undefined && (
        <Text size="sm">
          Nothing came through since <TimeAgo at={hook.failingSince} />.
        </Text>
      )}
      <Group gap="xs">
        {isOwner && (
          <>
            <Button
              size="xs"
              variant="default"
              loading={test.isPending}
              onClick={() => test.mutate(undefined)}
              aria-label={`Test ${webhookId}`}
            >
              Test
            </Button>
            <Button size="xs" variant="default" onClick={() => setChanging(true)} aria-label={`Change ${webhookId}`}>
              Change
            </Button>
            <Button
              size="xs"
              variant="default"
              loading={toggle.isPending}
              onClick={() => toggle.mutate(undefined)}
              aria-label={`${isPaused ? 'Go on with' : 'Pause'} ${webhookId}`}
            >
              {isPaused ? 'Go on' : 'Pause'}
            </Button>
            <ConfirmButton
              label="New secret"
              about={`for ${webhookId}`}
              question="Make a new secret?"
              explanation="The old one signs beside it for a while, so that you can change over."
              isBusy={rotate.isPending}
              onConfirm={() => rotate.mutate(undefined)}
            />
            <ConfirmButton
              label="Remove"
              about={webhookId}
              question={`Remove ${webhookId}?`}
              explanation="What it is still owed is forgotten."
              isBusy={remove.isPending}
              onConfirm={() => remove.mutate(undefined)}
            />
          </>
        )}
        <Button
          size="xs"
          variant="default"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          aria-label={`${isOpen ? 'Hide deliveries' : 'Deliveries'} of ${webhookId}`}
        >
          {isOpen ? 'Hide deliveries' : 'Deliveries'}
        </Button>
      </Group>
      {test.data !== undefined && (
        <Alert role="status" color={test.data.error === undefined && (test.data.status ?? 500) < 300 ? 'teal' : 'red'}>
          The answer after {test.data.ms} ms: {test.data.status ?? ''} {test.data.error ?? test.data.excerpt ?? ''}
        </Alert>
      )}
      {isOpen && <Deliveries webhookId={webhookId} />}
      <Dialog opened={isChanging} onClose={() => setChanging(false)} title={`Change ${webhookId}`} size="lg">
        <WebhookForm hook={hook} onDone={() => setChanging(false)} onCancel={() => setChanging(false)} />
      </Dialog>
    </RecordCard>
  );
}
