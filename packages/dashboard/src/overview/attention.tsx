import { Alert, Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { TimeAgo } from '../parts/time-ago.tsx';
import { answerWords } from '../push-words.ts';
import { counted } from '../time.ts';
import { kindWords } from '../words.ts';
import type { Overview } from './overview.tsx';

type Item = Overview['attention'][number];

function providerWords(id = ''): string {
  const [kind = '', ...name] = id.split('/');
  return `${name.join('/')} (${kindWords[kind] ?? kind})`;
}

/** What each kind of trouble means, and where it is mended. */
function wordsOf(item: Item): { text: string; href: string; where: string } {
  switch (item.kind) {
    case 'providerPaused':
      return {
        text: `Nothing is sent through ${providerWords(item.id)}: ${answerWords(item.reason || 'it is paused')}.`,
        href: '/providers',
        where: 'Mend it',
      };
    case 'providerFailing':
      return {
        text: `The last push through ${providerWords(item.id)} failed: ${answerWords(item.reason || 'no reason given')}.`,
        href: '/notifications/log?success=false',
        where: 'See the log',
      };
    case 'webhookPaused':
      return {
        text: `The webhook ${item.id ?? ''} is paused and hears nothing.`,
        href: '/settings/webhooks',
        where: 'Look at it',
      };
    case 'webhookFailing':
      return {
        text: `The webhook ${item.id ?? ''} does not answer as it should.`,
        href: '/settings/webhooks',
        where: 'Look at it',
      };
    case 'ruleInShadow':
      return {
        text: `The rule "${item.name ?? item.id ?? ''}" looks on and does not act.`,
        href: `/rules/${item.id ?? ''}`,
        where: 'Look at it',
      };
    case 'reviewOld':
      return {
        text: 'Messages have waited for a decision for more than a day.',
        href: '/review/blocked',
        where: 'Decide',
      };
    case 'queueOld':
      return { text: 'Pushes have waited for more than a minute.', href: '/providers', where: 'See why' };
  }
}

export function Attention({ data }: { data: Overview }) {
  const { review, queue, attention } = data;
  const waiting = review.pendingBlocked + review.pendingFlagged;
  return (
    <Stack gap="xs" component="section" aria-label="What needs attention">
      {attention.map((item) => {
        const { text, href, where } = wordsOf(item);
        return (
          <Alert key={`${item.kind} ${item.id ?? ''}`} color={item.kind === 'ruleInShadow' ? 'blue' : 'orange'} p="sm">
            <Group justify="space-between" gap="xs">
              <Text size="sm">
                {text}{' '}
                {item.since !== undefined && (
                  <>
                    (Since <TimeAgo at={item.since} />
                    .)
                  </>
                )}
              </Text>
              <Anchor component={Link} href={href} size="sm" underline="always" c="var(--mantine-color-text)">
                {where}
              </Anchor>
            </Group>
          </Alert>
        );
      })}
      <Text size="sm" c="dimmed">
        {waiting === 0 ? (
          'Nothing waits for review'
        ) : (
          <>
            <Anchor component={Link} href="/review/blocked" size="sm" underline="always">
              {counted(waiting, 'message waits', 'messages wait')} for review
            </Anchor>
            {review.oldestPendingAt !== undefined && (
              <>
                , the oldest since <TimeAgo at={review.oldestPendingAt} />
              </>
            )}
          </>
        )}
        .{' '}
        {queue.waiting === 0
          ? 'No push waits to be sent.'
          : `${counted(queue.waiting, 'push waits', 'pushes wait')} to be sent.`}
        {queue.oldestAt !== undefined && (
          <>
            {' '}
            The oldest could have left <TimeAgo at={queue.oldestAt} />.
          </>
        )}
      </Text>
    </Stack>
  );
}
