import { Anchor, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { account, useHere } from '../client.ts';
import { Marked } from '../parts/marked.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { actorWord, doneWord } from '../words.ts';
import { Attachments, attachmentName } from './attachments.tsx';
import { Context } from './context.tsx';
import type { Decision, Entry } from './entries.ts';
import classes from './review.module.css';

interface EntryViewProps {
  entry: Entry;
  isBusy: boolean;
  onDecide: (decision: Decision) => void;
}

const customShownMax = 4000;
const statusWords: Readonly<Record<string, string>> = {
  approved: 'Approved',
  rejected: 'Rejected',
  disapproved: 'Rejected',
};

const failureWords: Readonly<Record<string, string>> = {
  image: 'A picture',
  video: 'A video',
  'custom-api': 'By the custom API',
};

export function EntryView({ entry, isBusy, onDecide }: EntryViewProps) {
  const { mayReview } = useHere();
  return (
    <Paper withBorder p="md" component="section" aria-label="The message">
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            Message of <bdi>{entry.sender}</bdi>
          </Title>
          {mayReview && (
            <Group gap="xs">
              <Button size="sm" loading={isBusy} onClick={() => onDecide('approve')}>
                Approve
              </Button>
              <Button size="sm" color="red.9" loading={isBusy} onClick={() => onDecide('reject')}>
                Reject
              </Button>
            </Group>
          )}
        </Group>
        {!entry.isContentKept && (
          <Text c="dimmed" size="sm">
            This message was dropped: that there was one is all that is kept.
          </Text>
        )}
        {entry.text !== '' && <Marked text={entry.text} spans={entry.matches} />}
        {entry.customData !== undefined && (
          <Code block tabIndex={0} aria-label="Custom data" mah={240} style={{ overflow: 'auto' }}>
            {JSON.stringify(entry.customData, null, 2).slice(0, customShownMax)}
          </Code>
        )}
        <Attachments messageId={entry.id} attachments={entry.attachments} />
        <Context entry={entry} />
        <Facts entry={entry} />
        {entry.flags.length > 0 && <Flags entry={entry} />}
      </Stack>
    </Paper>
  );
}

function Facts({ entry }: { entry: Entry }) {
  return (
    <dl className={classes.facts}>
      <dt>State</dt>
      <dd>{statusWords[entry.status] ?? 'Waits for you'}</dd>
      {entry.ruleId !== '' && (
        <>
          <dt>Caught by</dt>
          <dd>
            <Anchor component={Link} href={`/rules/${entry.ruleId}`} size="sm" underline="always">
              {entry.ruleName || entry.ruleId}
            </Anchor>
          </dd>
        </>
      )}
      {entry.seen.length > 0 && (
        <>
          <dt>Seen</dt>
          {entry.seen.map(({ label, score, attachment }) => (
            <dd key={`${attachment} ${label}`}>
              {label} ({score} of 100) in <bdi>{attachmentName(entry.attachments[attachment], attachment)}</bdi>
            </dd>
          ))}
        </>
      )}
      {entry.failures.length > 0 && (
        <>
          <dt>Not judged</dt>
          {entry.failures.map(({ what, reason }) => (
            <dd key={`${what} ${reason}`}>
              {failureWords[what] ?? what}: {reason}
            </dd>
          ))}
        </>
      )}
      {entry.reasons.length > 0 && (
        <>
          <dt>Reason</dt>
          <dd>{entry.reasons.join(' ')}</dd>
        </>
      )}
      {entry.actions.length > 0 && (
        <>
          <dt>What was done</dt>
          <dd>{entry.actions.map(doneWord).join(', ')}</dd>
        </>
      )}
      <dt>From</dt>
      <dd>
        <Anchor
          component={Link}
          href={`/review/blocked?sender=${encodeURIComponent(entry.sender)}`}
          size="sm"
          underline="always"
        >
          <bdi>{entry.sender}</bdi>
        </Anchor>
      </dd>
      <dt>To</dt>
      <dd>
        <bdi>{entry.receiver}</bdi> {entry.receiverType === 'group' && '(group)'}
      </dd>
      <dt>When</dt>
      <dd>
        <TimeAgo at={entry.at} />
      </dd>
      <dt>Message id</dt>
      <dd>
        <Code>{entry.id}</Code>
      </dd>
      {entry.reviewedBy !== undefined && (
        <>
          <dt>Decided by</dt>
          <dd>
            <Who actor={entry.reviewedBy} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Who({ actor }: { actor: string }) {
  const people = useQuery({ queryKey: ['people'], queryFn: async () => (await account.listPeople()).data });
  const person = people.data?.find(({ id }) => actor.endsWith(`:${id}`));
  return <bdi title={actor}>{actorWord(actor, person?.name)}</bdi>;
}

function Flags({ entry }: { entry: Entry }) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        Told by users
      </Title>
      {entry.flags.map((flag) => (
        <Text key={flag.uid} size="sm">
          <bdi>{flag.name || flag.uid}</bdi>: {flag.reasonName}
          {flag.remark !== '' && (
            <>
              , <bdi>“{flag.remark}”</bdi>
            </>
          )}{' '}
          <Text span size="xs" c="dimmed">
            <TimeAgo at={flag.flaggedAt} />
          </Text>
        </Text>
      ))}
    </div>
  );
}
