import { Alert, Badge, Button, Group, SimpleGrid, Stack, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { RecordCard } from '../parts/record-card.tsx';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { answerWords } from '../push-words.ts';
import { counted } from '../time.ts';
import { useAction } from '../use-action.ts';
import { kindWords } from '../words.ts';
import { ApnsForm } from './apns-form.tsx';
import { CustomForm } from './custom-form.tsx';
import { FcmForm } from './fcm-form.tsx';
import { type Kind, makeDefault, type Provider, removeProvider, useProviders } from './provider-queries.ts';
import classes from './providers.module.css';
import { TestSend } from './test-send.tsx';
import { WebPushForm } from './web-push-form.tsx';

export function Providers() {
  const { isOwner } = useHere();
  const providers = useProviders();
  const [isAdding, setAdding] = useState(false);
  return (
    <Screen
      title="Providers"
      about="The ways a push leaves: Apple, Google, browsers, or a server of your own. Keys are sealed and never shown again."
      actions={isOwner && <Button onClick={() => setAdding(true)}>Add a provider</Button>}
    >
      <Loaded query={providers}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No provider yet">
              Drop the key file of Apple or Google here. To try without an account, run <code>gatehouse simulate</code>.
            </Empty>
          ) : (
            <SimpleGrid cols={{ base: 1, lg: 2 }}>
              {found.map((provider) => (
                <ProviderCard key={`${provider.kind} ${provider.id}`} provider={provider} />
              ))}
            </SimpleGrid>
          )
        }
      </Loaded>
      <Dialog opened={isAdding} onClose={() => setAdding(false)} title="Add a provider" size="lg">
        <AddProvider onDone={() => setAdding(false)} />
      </Dialog>
    </Screen>
  );
}

function AddProvider({ onDone }: { onDone: () => void }) {
  return (
    <Tabs defaultValue="apns" keepMounted={false}>
      <Tabs.List mb="md">
        <Tabs.Tab value="apns">Apple</Tabs.Tab>
        <Tabs.Tab value="fcm">Google</Tabs.Tab>
        <Tabs.Tab value="webpush">Browsers</Tabs.Tab>
        <Tabs.Tab value="custom">Your own server</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="apns">
        <ApnsForm onDone={onDone} />
      </Tabs.Panel>
      <Tabs.Panel value="fcm">
        <FcmForm onDone={onDone} />
      </Tabs.Panel>
      <Tabs.Panel value="webpush">
        <WebPushForm onDone={onDone} />
      </Tabs.Panel>
      <Tabs.Panel value="custom">
        <CustomForm onDone={onDone} />
      </Tabs.Panel>
    </Tabs>
  );
}

function ProviderCard({ provider }: { provider: Provider }) {
  const { isOwner } = useHere();
  const [open, setOpen] = useState<'change' | 'test'>();
  const close = (): void => setOpen(undefined);
  return (
    <RecordCard
      label={`${provider.id}, ${kindWords[provider.kind] ?? ''}`}
      title={provider.id}
      about={kindWords[provider.kind]}
      badges={
        <>
          {provider.isDefault && <Badge variant="default">Default</Badge>}
          <State provider={provider} />
        </>
      }
    >
      <Trouble provider={provider} />
      <dl className={classes.facts}>
        {provider.facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Last sent</dt>
          <dd>{provider.health?.lastSuccessAt ? <TimeAgo at={provider.health.lastSuccessAt} /> : 'Never'}</dd>
        </div>
      </dl>
      {isOwner && (
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setOpen('test')} aria-label={`Test ${provider.id}`}>
            Test
          </Button>
          <Button size="xs" variant="default" onClick={() => setOpen('change')} aria-label={`Change ${provider.id}`}>
            Change
          </Button>
          <MakeDefault provider={provider} />
          <Remove provider={provider} />
        </Group>
      )}
      <Dialog opened={open === 'test'} onClose={close} title={`Test ${provider.id}`}>
        <TestSend provider={provider} />
      </Dialog>
      <Dialog opened={open === 'change'} onClose={close} title={`Change ${provider.id}`} size="lg">
        <ChangeProvider provider={provider} onDone={close} />
      </Dialog>
    </RecordCard>
  );
}

function ChangeProvider({ provider, onDone }: { provider: Provider; onDone: () => void }) {
  switch (provider.kind) {
    case 'apns':
      return <ApnsForm record={provider.record} onDone={onDone} />;
    case 'fcm':
      return <FcmForm record={provider.record} onDone={onDone} />;
    case 'webpush':
      return <WebPushForm record={provider.record} onDone={onDone} />;
    case 'custom':
      return <CustomForm record={provider.record} onDone={onDone} />;
  }
}

function State({ provider: { health } }: { provider: Provider }) {
  if (health?.isPaused === true)
    return (
      <Badge color="red.9" variant="filled">
        Paused
      </Badge>
    );
  if (health?.lastSuccessAt === undefined && health?.lastErrorAt === undefined)
    return <Badge variant="default">Not used yet</Badge>;
  const isFailing = (health.lastErrorAt ?? '') > (health.lastSuccessAt ?? '');
  return (
    <Badge color={isFailing ? 'yellow' : 'teal.9'} variant="filled">
      {isFailing ? 'Failing' : 'Well'}
    </Badge>
  );
}

/** Why nothing leaves, in the vendor's words, and the way on. */
function Trouble({ provider }: { provider: Provider }) {
  const { client, appId, isOwner } = useHere();
  const { health, kind, id } = provider;
  const resume = useAction(() => client.resumeProvider({ kind, providerId: id }), {
    refresh: [
      [appId, 'providers'],
      [appId, 'overview'],
    ],
    done: `${id} goes on.`,
    tellErrors: true,
  });
  if (health === undefined) return null;
  if (health.isPaused)
    return (
      <Alert color="red" title={`Paused: ${answerWords(health.pausedReason ?? '')}`}>
        <Stack gap="xs" align="flex-start">
          <Text size="sm">
            {counted(health.waiting, 'push waits', 'pushes wait')}. Mend the cause, then go on; replacing the key goes
            on by itself.
          </Text>
          {isOwner && (
            <Button size="xs" variant="default" loading={resume.isPending} onClick={() => resume.mutate(undefined)}>
              Go on
            </Button>
          )}
        </Stack>
      </Alert>
    );
  if (health.lastErrorAt === undefined || health.lastErrorAt <= (health.lastSuccessAt ?? '')) return null;
  return (
    <Alert color="yellow">
      <Text size="sm">The last push failed: {answerWords(`${health.lastStatus ?? 0} ${health.lastError ?? ''}`)}</Text>
    </Alert>
  );
}

function MakeDefault({ provider }: { provider: Provider }) {
  const { client, appId } = useHere();
  const { kind, id, isDefault } = provider;
  const act = useAction((chosen: Exclude<Kind, 'custom'>) => makeDefault(client, chosen, id), {
    refresh: [[appId, 'providers']],
    done: `${id} is the default now.`,
    tellErrors: true,
  });
  if (isDefault || kind === 'custom') return null;
  return (
    <Button
      size="xs"
      variant="default"
      loading={act.isPending}
      onClick={() => act.mutate(kind)}
      aria-label={`Make ${id} the default`}
    >
      Make default
    </Button>
  );
}

function Remove({ provider }: { provider: Provider }) {
  const { client, appId } = useHere();
  const remove = useAction(() => removeProvider(client, provider), {
    refresh: [
      [appId, 'providers'],
      [appId, 'overview'],
    ],
    done: `${provider.id} is removed.`,
    tellErrors: true,
  });
  return (
    <ConfirmButton
      label="Remove"
      about={provider.id}
      question={`Remove ${provider.id}?`}
      explanation="Its sealed key is gone for good. Devices that use it get nothing until they are registered with another."
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    />
  );
}
