import { Button, Checkbox, NativeSelect, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { fieldErrors, useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { Columns } from '../parts/columns.tsx';
import { TextField } from '../parts/fields.tsx';
import { Confirm, Form } from '../parts/form.tsx';
import { counted, timeZone } from '../time.ts';
import { useAction } from '../use-action.ts';
import { bodyOf, type Draft, isOfReceivers, mistakesOf, receiverErrors } from './draft.ts';
import { Preview } from './preview.tsx';
import { type Letter, useDraft } from './use-draft.ts';

const fields = ['title', 'subtitle', 'body', 'badge', 'sendAt', 'localTime'];

export function Compose() {
  const { client, appId } = useHere();
  const [, go] = useLocation();
  const { letter, change, clear } = useDraft(appId);
  const { draft } = letter;
  const [isTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const send = useAction(
    ({ draft: sent, idempotencyKey }: Letter) => client.sendNotification({ body: bodyOf(sent) }, { idempotencyKey }),
    {
      refresh: [
        [appId, 'notifications'],
        [appId, 'overview'],
      ],
      done: (_, sent) => (sent.draft.when === 'now' ? 'It is on its way.' : 'It is scheduled.'),
      onDone: ({ data }, sent) => {
        if (clear(sent)) go('id' in data ? `/notifications/sent?open=${data.id}` : '/notifications/sent');
      },
    },
  );
  const dryRun = useAction(() => client.sendNotification({ body: { ...bodyOf(draft), dryRun: true } }));
  const set = (part: Partial<Draft>): void => {
    change(part);
    // What was counted or refused was another draft.
    dryRun.reset();
    if (!send.isPending) send.reset();
  };
  const error = send.error ?? dryRun.error;
  const errors = { ...fieldErrors(error), ...(isTried && mistakesOf(draft)) };
  const devices = dryRun.data !== undefined && 'devices' in dryRun.data.data ? dryRun.data.data.devices : undefined;
  const countDevices = (then?: () => void): void => {
    if (mistakesOf(draft).to !== undefined) {
      setTried(true);
      return;
    }
    send.reset();
    dryRun.mutate(undefined, { onSuccess: () => then?.() });
  };
  const submit = (): void => {
    setTried(true);
    if (Object.keys(mistakesOf(draft)).length > 0) return;
    // To everybody, and never by a slip of the finger: one sees first how many that are.
    if (draft.to === 'all') countDevices(() => setAsking(true));
    else {
      dryRun.reset();
      send.mutate(letter);
    }
  };
  const verb = draft.when === 'now' ? 'Send' : 'Schedule';
  return (
    <Columns from="md">
      <Card title="The notification">
        <Form
          error={error}
          fields={[...fields, ...Object.keys(errors).filter(isOfReceivers)]}
          isBusy={send.isPending}
          submit={verb}
          onSubmit={submit}
        >
          <Receivers draft={draft} errors={errors} set={set} />
          <Words draft={draft} errors={errors} set={set} />
          <When draft={draft} errors={errors} set={set} />
          <Checkbox
            label="Also to who asked not to be disturbed"
            checked={draft.ignorePreferences}
            onChange={(event) => set({ ignorePreferences: event.currentTarget.checked })}
          />
          <Stack gap={4} align="flex-start">
            <Button size="xs" variant="default" loading={dryRun.isPending} onClick={() => countDevices()}>
              Count the devices, send nothing
            </Button>
            {devices !== undefined && (
              <Text size="sm" role="status">
                It would go to {counted(devices, 'device')}.
              </Text>
            )}
          </Stack>
        </Form>
        <Confirm
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          label={`${verb} to ${counted(devices ?? 0, 'device')}`}
          question="To every device of the app?"
          explanation={
            draft.when === 'now'
              ? 'It leaves at once, and what has left cannot be called back.'
              : 'So many devices are registered now. Until its time comes it can be cancelled.'
          }
          onConfirm={() => send.mutate(letter)}
        />
      </Card>
      <Card title="As it will look">
        <Preview title={draft.title} subtitle={draft.subtitle} body={draft.body} />
      </Card>
    </Columns>
  );
}

interface PartProps {
  draft: Draft;
  errors: Readonly<Record<string, string>>;
  set: (change: Partial<Draft>) => void;
}

function Receivers({ draft, errors, set }: PartProps) {
  const error = receiverErrors(errors, draft);
  return (
    <>
      <NativeSelect
        label="To"
        value={draft.to}
        onChange={(event) => set({ to: event.currentTarget.value === 'all' ? 'all' : 'uids' })}
        data={[
          { value: 'uids', label: 'These users' },
          { value: 'all', label: 'Every device of the app' },
        ]}
        error={draft.to === 'all' && error}
      />
      {draft.to === 'uids' && (
        <Textarea
          label="User ids"
          description="Separated by spaces, commas or lines."
          required
          autosize
          minRows={1}
          maxRows={6}
          value={draft.uids}
          onChange={(event) => set({ uids: event.currentTarget.value })}
          error={error}
        />
      )}
    </>
  );
}

function Words({ draft, errors, set }: PartProps) {
  return (
    <>
      <TextField label="Title" value={draft.title} onValue={(value) => set({ title: value })} error={errors.title} />
      <TextField
        label="Subtitle (Apple only)"
        value={draft.subtitle}
        onValue={(value) => set({ subtitle: value })}
        error={errors.subtitle}
      />
      <Textarea
        label="Text"
        autosize
        minRows={2}
        maxRows={8}
        value={draft.body}
        onChange={(event) => set({ body: event.currentTarget.value })}
        error={errors.body}
      />
      <NumberInput
        label="Badge"
        description="The number on the app's icon. Empty leaves it as it is."
        min={0}
        allowDecimal={false}
        value={draft.badge}
        onChange={(value) => set({ badge: typeof value === 'number' ? value : '' })}
        error={errors.badge}
      />
      <Checkbox
        label="With a sound"
        checked={draft.sound}
        onChange={(event) => set({ sound: event.currentTarget.checked })}
      />
    </>
  );
}

function When({ draft, errors, set }: PartProps) {
  return (
    <>
      <NativeSelect
        label="When"
        value={draft.when}
        onChange={(event) => {
          const { value } = event.currentTarget;
          set({ when: value === 'later' || value === 'local' ? value : 'now' });
        }}
        data={[
          { value: 'now', label: 'Now' },
          { value: 'later', label: 'At a time' },
          { value: 'local', label: "At an hour on each user's own clock" },
        ]}
      />
      {draft.when === 'later' && (
        <TextField
          label="At"
          description={`In your own time zone, ${timeZone}.`}
          type="datetime-local"
          required
          value={draft.at}
          onValue={(value) => set({ at: value })}
          error={errors.sendAt}
        />
      )}
      {draft.when === 'local' && (
        <TextField
          label="Hour"
          type="time"
          required
          value={draft.localTime}
          onValue={(value) => set({ localTime: value })}
          error={errors.localTime}
        />
      )}
    </>
  );
}
