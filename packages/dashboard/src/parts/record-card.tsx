import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface RecordCardProps {
  label: string;
  title: string;
  about: ReactNode;
  /** How it is, in a word or two. */
  badges: ReactNode;
  children: ReactNode;
}

/** One of several records that are too rich for a row: its name, how it is, what can be done. */
export function RecordCard({ label, title, about, badges, children }: RecordCardProps) {
  return (
    <Paper withBorder p="md" component="section" aria-label={label}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs" align="flex-start">
          <div style={{ minWidth: 0 }}>
            <Title order={2} size="h4">
              {title}
            </Title>
            <Text size="sm" c="dimmed" component="div">
              {about}
            </Text>
          </div>
          <Group gap="xs">{badges}</Group>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}
