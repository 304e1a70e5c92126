import { Button, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import type { Entry } from './entries.ts';

/** What the sender wrote before, as far as it is kept: a word alone says little. */
export function Context({ entry }: { entry: Entry }) {
  const { client, appId } = useHere();
  const [isOpen, setOpen] = useState(false);
  const around = useQuery({
    queryKey: [appId, 'context', entry.id],
    enabled: isOpen,
    queryFn: async () => {
      const { data } = await client.listMessagesOfApp({ sender: entry.sender, limit: 10, affix: 'prepend' });
      return data.filter(({ id }) => id !== entry.id);
    },
  });
  return (
    <div>
      {!isOpen ? (
        <Button size="xs" variant="default" onClick={() => setOpen(true)}>
          What else they wrote
        </Button>
      ) : (
        <>
          <Title order={3} size="h5" mb={4}>
            What else they wrote
          </Title>
          <Loaded query={around}>
            {(messages) => (
              <Stack gap={4}>
                {messages.length === 0 && (
                  <Text size="sm" c="dimmed">
                    Nothing else of them is kept.
                  </Text>
                )}
                {messages.map((message) => (
                  <Text key={message.id} size="sm" dir="auto" lineClamp={3}>
                    <Text span size="xs" c="dimmed">
                      <TimeAgo at={message.sentAt} />
                    </Text>{' '}
                    {message.data?.text?.slice(0, 500) ?? '(no text)'}
                  </Text>
                ))}
              </Stack>
            )}
          </Loaded>
        </>
      )}
    </div>
  );
}
