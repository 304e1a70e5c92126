import type { ListMessagesAroundOfAppAnswer } from '@gatehouse/client';
import { Alert, Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { counted } from '../time.ts';
import type { Entry } from './entries.ts';
import classes from './review.module.css';

type Around = ListMessagesAroundOfAppAnswer['data'];
type Message = Around['before'][number];

const fewShown = 10;
const manyShown = 100;

/** What was said before and after it in the same conversation: a word alone says little. */
export function Context({ entry }: { entry: Entry }) {
  const { client, appId } = useHere();
  const [count, setCount] = useState(0);
  const around = useQuery({
    queryKey: [appId, 'context', entry.id, count],
    enabled: count > 0,
    placeholderData: (before: Around | undefined) => before,
    queryFn: async () =>
      (await client.listMessagesAroundOfApp({ messageId: entry.id, before: count, after: count })).data,
  });
  if (count === 0)
    return (
      <div>
        <Button size="xs" variant="default" onClick={() => setCount(fewShown)}>
          Show the conversation around it
        </Button>
      </div>
    );
  const where = entry.receiverType === 'group' ? `In the group ${entry.receiver}` : 'Between these two';
  return (
    <section aria-label="The conversation">
      <Title order={3} size="h5" mb={4}>
        {where}
      </Title>
      <Loaded query={around}>
        {(found) => (
          <Stack gap="xs">
            <Kept hours={found.deliveredKeptHours} />
            <ol className={classes.conversation}>
              {found.hasMoreBefore && count < manyShown && <More what="earlier" onMore={() => setCount(manyShown)} />}
              {found.before.map((message) => (
                <Line key={message.id} message={message} />
              ))}
              <li className={classes.said} data-current="true" aria-current="true">
                <Text size="sm" fw={600}>
                  {found.before.length + found.after.length === 0
                    ? 'This message. Nothing else of the conversation is kept.'
                    : 'This message'}
                </Text>
              </li>
              {found.after.map((message) => (
                <Line key={message.id} message={message} />
              ))}
              {found.hasMoreAfter && count < manyShown && <More what="later" onMore={() => setCount(manyShown)} />}
            </ol>
          </Stack>
        )}
      </Loaded>
    </section>
  );
}

/** What is missing is said, and who can change that. */
function Kept({ hours }: { hours: number }) {
  if (hours === 0)
    return (
      <Alert color="yellow" p="xs">
        Messages that were let through are not kept on this server, so only what was caught is shown. Whoever runs it
        can keep them: GATEHOUSE_APPROVED_HOURS, or GATEHOUSE_BACKTEST_DAYS to try rules on them too.
      </Alert>
    );
  const days = hours / 24;
  return (
    <Text size="xs" c="dimmed">
      Messages that were let through are kept for {days > 2 ? counted(Math.floor(days), 'day') : counted(hours, 'hour')}
      ; what was caught, for longer.
    </Text>
  );
}

const outcomeWords = { delivered: undefined, flagged: 'Flagged', blocked: 'Blocked', dropped: 'Dropped' } as const;

function Line({ message }: { message: Message }) {
  const outcome = outcomeWords[message.outcome];
  return (
    <li className={classes.said}>
      <Group gap={6} wrap="nowrap">
        <Text size="xs" fw={600} truncate>
          <bdi>{message.sender}</bdi>
        </Text>
        <Text size="xs" c="dimmed" style={{ flexShrink: 0 }}>
          <TimeAgo at={message.sentAt} />
        </Text>
        {outcome !== undefined && (
          <Badge size="xs" variant="default" style={{ flexShrink: 0 }}>
            {outcome}
          </Badge>
        )}
      </Group>
      <Text size="sm" dir="auto" lineClamp={4}>
        {wordsOf(message)}
      </Text>
    </li>
  );
}

function wordsOf({ outcome, text, isCut, attachmentsCount, type }: Message): string {
  if (outcome === 'dropped') return '(nothing of it is kept)';
  const words = text === '' && attachmentsCount === 0 ? `(no text: ${type})` : `${text}${isCut ? ' …' : ''}`;
  return attachmentsCount === 0 ? words : `${words} (${counted(attachmentsCount, 'attachment')})`.trim();
}

function More({ what, onMore }: { what: string; onMore: () => void }) {
  return (
    <li className={classes.said}>
      <Button size="compact-xs" variant="default" onClick={onMore}>
        Show {what} ones
      </Button>
    </li>
  );
}
