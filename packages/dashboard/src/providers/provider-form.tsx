import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';

interface ProviderFormProps {
  providerId: string;
  /** Undefined for one that is there already, and for the one of which there is only one: its name stays. */
  onProviderId?: ((providerId: string) => void) | undefined;
  isChange: boolean;
  /** What a change can leave out, where that is not everything. */
  changeHint?: string;
  /** The fields that show their own errors. */
  fields: readonly string[];
  save: () => Promise<unknown>;
  /** Why nothing can be sent yet. */
  missing?: string | undefined;
  onDone: () => void;
  children: (errors: Readonly<Record<string, string>>) => ReactNode;
}

/** What adding and changing a provider of any kind have in common. */
export function ProviderForm(props: ProviderFormProps) {
  const { providerId, onProviderId, isChange, changeHint, fields, save, missing, onDone, children } = props;
  const { appId } = useHere();
  const send = useAction(
    () => {
      if (missing !== undefined) throw new Error(missing);
      return save();
    },
    {
      refresh: [
        [appId, 'providers'],
        [appId, 'overview'],
      ],
      done: isChange ? `${providerId} is changed, and goes on if it was paused.` : `${providerId} is added.`,
      onDone,
    },
  );
  const errors = fieldErrors(send.error);
  return (
    <Form
      error={send.error}
      fields={['providerId', ...fields]}
      isBusy={send.isPending}
      submit={isChange ? 'Save' : 'Add it'}
      onSubmit={() => send.mutate(undefined)}
      onCancel={onDone}
    >
      {isChange && (
        <Text size="sm" c="dimmed">
          {changeHint ?? 'Secrets are never shown. What you leave empty stays as it is.'}
        </Text>
      )}
      {children(errors)}
      {onProviderId !== undefined && (
        <TextField
          label="Name of this provider"
          description="Devices name it when they register."
          required
          value={providerId}
          onValue={onProviderId}
          error={errors.providerId}
        />
      )}
    </Form>
  );
}
