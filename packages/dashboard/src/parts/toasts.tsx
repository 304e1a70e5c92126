import { Alert, CloseButton, Group, Stack } from '@mantine/core';
import { createContext, type ReactNode, useCallback, useContext, useState } from 'react';
import classes from './toasts.module.css';

interface Toast {
  kind: 'done' | 'failed';
  text: string;
}

type Show = (toast: Toast) => void;

const ToastContext = createContext<Show>(() => undefined);
const shownMs = 6000;
let lastId = 0;

export function useToast(): Show {
  return useContext(ToastContext);
}

/** Says what was done. A screen reader reads it out; a failure stays until it is closed. */
export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<(Toast & { id: number })[]>([]);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const show = useCallback<Show>(
    (toast) => {
      const id = ++lastId;
      setToasts((all) => [...all.slice(-3), { ...toast, id }]);
      if (toast.kind === 'done') setTimeout(() => close(id), shownMs);
    },
    [close],
  );
  return (
    <ToastContext value={show}>
      {children}
      <Stack className={classes.toasts ?? ''} gap="xs" role="status" aria-live="polite">
        {toasts.map(({ id, kind, text }) => (
          <Alert key={id} variant="filled" color={kind === 'done' ? 'dark' : 'red.9'} p="xs" pl="md">
            <Group gap="sm" wrap="nowrap" justify="space-between">
              <span>{text}</span>
              <CloseButton aria-label="Close this message" variant="transparent" c="white" onClick={() => close(id)} />
            </Group>
          </Alert>
        ))}
      </Stack>
    </ToastContext>
  );
}
