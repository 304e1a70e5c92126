import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { otherErrors } from '../client.ts';
import { Dialog } from './dialog.tsx';

interface FormProps {
  /** What the last attempt came to. */
  error: unknown;
  /** The fields that show their own errors. */
  fields: readonly string[];
  isBusy: boolean;
  submit: string;
  onSubmit: () => void;
  onCancel?: (() => void) | undefined;
  children: ReactNode;
}

/** A form whose mistakes are shown where they belong: beside their fields, the rest on top. */
export function Form({ error, fields, isBusy, submit, onSubmit, onCancel, children }: FormProps) {
  const other = otherErrors(error, fields);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack gap="md">
        {other !== undefined && (
          <Alert color="red" role="alert">
            {other}
          </Alert>
        )}
        {children}
        <Group gap="xs">
          <Button type="submit" loading={isBusy}>
            {submit}
          </Button>
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

interface ConfirmButtonProps {
  label: string;
  /** For who hears only the button: what it is about. */
  about?: string;
  question: string;
  explanation?: ReactNode;
  isBusy?: boolean;
  isDisabled?: boolean;
  /** Small among others of its kind, as large as its neighbours at the head of a screen. */
  size?: 'xs' | 'sm';
  onConfirm: () => void;
}

/** For what cannot be taken back. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button
        size={props.size ?? 'xs'}
        variant="default"
        loading={props.isBusy ?? false}
        disabled={props.isDisabled ?? false}
        onClick={() => setOpen(true)}
        aria-label={props.about === undefined ? props.label : `${props.label} ${props.about}`}
      >
        {props.label}
      </Button>
      <Confirm {...props} isOpen={isOpen} onClose={close} />
    </>
  );
}

interface ConfirmProps extends Pick<ConfirmButtonProps, 'label' | 'question' | 'explanation' | 'onConfirm'> {
  isOpen: boolean;
  onClose: () => void;
}

/** The question alone, for what is not asked by a button of its own. */
export function Confirm({ label, question, explanation, isOpen, onClose, onConfirm }: ConfirmProps) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={question}>
      <Stack>
        {explanation !== undefined && (
          <Text size="sm" component="div">
            {explanation}
          </Text>
        )}
        <Group gap="xs">
          <Button
            color="red.9"
            onClick={() => {
              onClose();
              onConfirm();
            }}
          >
            {label}
          </Button>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
