import { Alert, Box, Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { messageOf } from '../client.ts';

interface ScreenProps {
  title: string;
  /** One sentence that says what this is for. */
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of the dashboard: its heading, what it is for, what one can do. */
export function Screen({ title, about, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box maw={720}>
          <Title order={1} size="h2">
            {title}
          </Title>
          {about !== undefined && (
            <Text c="dimmed" mt={4} component="div">
              {about}
            </Text>
          )}
        </Box>
        {actions !== undefined && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Stack>
  );
}

export interface QueryLike<T> {
  data: T | undefined;
  error: Error | null;
  isPending: boolean;
  refetch(): unknown;
}

/** Waits, fails in words with a way out, or shows what came. */
export function Loaded<T>({ query, children }: { query: QueryLike<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null)
    return (
      <Failed error={query.error}>
        <Button size="xs" variant="default" onClick={() => query.refetch()}>
          Try again
        </Button>
      </Failed>
    );
  return (
    <Center p="xl">
      <Loader role="status" aria-label="Loading" />
    </Center>
  );
}

export function Failed({ error, children }: { error: unknown; children?: ReactNode }) {
  return (
    <Alert color="red" title="That did not work" role="alert">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {children}
      </Stack>
    </Alert>
  );
}

/** A list without entries says what would be in it, and how it gets there. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center p="xl">
      <Stack gap="xs" align="center" maw={480} ta="center">
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Text c="dimmed" size="sm" component="div">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
