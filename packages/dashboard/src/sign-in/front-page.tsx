import { Box, Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Mark } from '../parts/icons.tsx';

/** What one sees from outside: one thing to do. */
export function FrontPage({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420} shadow="sm">
        <Stack gap="lg">
          <Group gap="sm">
            <Mark />
            <Text fw={700} size="lg">
              Gatehouse
            </Text>
          </Group>
          <Box>
            <Title order={1} size="h3">
              {title}
            </Title>
            {about !== undefined && (
              <Text c="dimmed" size="sm" mt={4} component="div">
                {about}
              </Text>
            )}
          </Box>
          {children}
        </Stack>
      </Paper>
    </Center>
  );
}
