import { GatehouseError } from '@gatehouse/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import { messageOf, useHere } from '../client.ts';
import { Marked } from '../parts/marked.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { counted } from '../time.ts';
import { useAction } from '../use-action.ts';
import { isBare, type RuleDraft, trialOf } from './rule-draft.ts';

/** What the rule would have caught, had it been there. It does not act. */
export function Backtest({ draft }: { draft: RuleDraft }) {
  const { client, mayReview } = useHere();
  const run = useAction(
    async () =>
      (await client.backtestRuleOfApp({ ruleId: draft.id || 'new-rule', body: { rule: trialOf(draft), examples: 5 } }))
        .data,
  );
  const isOff = run.error instanceof GatehouseError && run.error.code === 'ERR_BACKTEST_OFF';
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        Run the rule, as it stands in the form, over the messages that are kept.
      </Text>
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        loading={run.isPending}
        disabled={!mayReview || isBare(draft)}
        onClick={() => run.mutate(undefined)}
      >
        Run it
      </Button>
      {run.error !== null && (
        <Alert color={isOff ? 'blue' : 'red'} role="alert">
          {messageOf(run.error)}
        </Alert>
      )}
      {run.data !== undefined && <Result data={run.data} />}
    </Stack>
  );
}

interface ResultProps {
  data: {
    judged: number;
    caught: number;
    newlyCaught: number;
    isComplete: boolean;
    examples: readonly {
      messageId: string;
      sender: string;
      sentAt: number;
      text: string;
      matches: readonly unknown[];
    }[];
  };
}

function Result({ data }: ResultProps) {
  return (
    <Stack gap="sm" aria-live="polite">
      <Text size="sm">
        Of {counted(data.judged, 'message')} it would have caught <b>{counted(data.caught, 'message')}</b>,{' '}
        {counted(data.newlyCaught, 'of them', 'of them')} let through then.
        {!data.isComplete && ' There were more messages than one run looks at.'}
      </Text>
      {data.examples.map((example) => (
        <div key={example.messageId}>
          <Text size="xs" c="dimmed">
            {example.sender}, <TimeAgo at={example.sentAt} />
          </Text>
          <Marked text={example.text} spans={example.matches.filter(isSpan)} />
        </div>
      ))}
    </Stack>
  );
}

/** What the document says only loosely is looked at before it is used. */
export function isSpan(match: unknown): match is { start: number; end: number } {
  return (
    typeof match === 'object' &&
    match !== null &&
    'start' in match &&
    'end' in match &&
    typeof match.start === 'number' &&
    typeof match.end === 'number' &&
    (!('field' in match) || match.field === 'text')
  );
}
