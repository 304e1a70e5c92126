import type { CheckMessagesAnswer, CreateRuleBody } from '@gatehouse/client';
import { Alert, Badge, Group, Stack, Text, Textarea } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messageOf, useHere } from '../client.ts';
import { Marked } from '../parts/marked.tsx';
import { verdictWords } from '../words.ts';

type Verdict = Exclude<CheckMessagesAnswer['data'], readonly unknown[]>;
type Match = Verdict['matches'][number];

/** What comes together is asked about once; more of a wait would be felt, and a question costs the service next to nothing. */
const typingMs = 20;

interface TryItProps {
  names: ReadonlyMap<string, string>;
  /** Tried instead of the rules that are stored. */
  rule?: CreateRuleBody | undefined;
}

/** Type a message and see what would happen to it. Nothing is stored. */
export function TryIt({ names, rule }: TryItProps) {
  const { client, appId } = useHere();
  const [text, setText] = useState('');
  // Compared by what it says: the form makes a rule anew each time it is drawn.
  const ruleNow = JSON.stringify(rule) ?? '';
  const [askedText] = useDebouncedValue(text, typingMs);
  const [askedRule] = useDebouncedValue(ruleNow, typingMs);
  const check = useQuery({
    queryKey: [appId, 'check', askedText, askedRule],
    // Whoever types on no longer waits for the answer before: it is called off, and never shown should it come.
    queryFn: async ({ signal }) => {
      const body = {
        sender: 'somebody',
        receiver: 'somebody-else',
        receiverType: 'user' as const,
        type: 'text',
        data: { text: askedText },
        ...(askedRule !== '' && { rules: [JSON.parse(askedRule) as CreateRuleBody] }),
      };
      const { data } = await client.checkMessagesOfApp({ body }, { signal });
      return { text: askedText, verdict: Array.isArray(data) ? data[0] : data };
    },
    enabled: askedText !== '',
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  });
  return (
    <Stack gap="sm">
      <Textarea
        label="A message"
        description={
          rule === undefined
            ? 'Judged by the rules as they are now. Nothing is stored.'
            : 'Judged by this rule as it stands in the form, saved or not. Nothing is stored.'
        }
        autosize
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div aria-live="polite" aria-busy={check.isPlaceholderData}>
        {text !== '' && check.error !== null && <Alert color="red">{messageOf(check.error)}</Alert>}
        {text !== '' && check.data?.verdict !== undefined && (
          <VerdictOf text={check.data.text} verdict={check.data.verdict} names={names} />
        )}
      </div>
    </Stack>
  );
}

function VerdictOf({ text, verdict, names }: { text: string; verdict: Verdict; names: ReadonlyMap<string, string> }) {
  const { name, color } = verdictWords[verdict.verdict];
  const spans = [
    ...verdict.matches.filter(inText),
    ...verdict.shadow.filter(inText).map((match) => ({ ...match, kind: 'shadow' as const })),
  ];
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Badge size="lg" variant="filled" color={color} data-verdict={verdict.verdict}>
          {name}
        </Badge>
        {verdict.matches.length === 0 && verdict.shadow.length === 0 && (
          <Text size="sm" c="dimmed">
            No rule matches.
          </Text>
        )}
      </Group>
      <Marked text={text} spans={spans} />
      {[...byRule(verdict.matches)].map(([ruleId, matches]) => (
        <Why key={ruleId} name={names.get(ruleId) ?? ruleId} matches={matches} />
      ))}
      {[...byRule(verdict.shadow)].map(([ruleId, matches]) => (
        <Why key={`shadow ${ruleId}`} name={`${names.get(ruleId) ?? ruleId} (shadow: looks on)`} matches={matches} />
      ))}
      {verdict.failures?.map(({ what, reason }) => (
        <Alert key={`${what} ${reason}`} color="orange" p="xs">
          Could not ask {what}: {reason}
        </Alert>
      ))}
    </Stack>
  );
}

function inText({ field }: Match): boolean {
  return field === 'text';
}

function byRule(matches: readonly Match[]): Map<string, Match[]> {
  const groups = new Map<string, Match[]>();
  for (const match of matches) groups.set(match.ruleId, [...(groups.get(match.ruleId) ?? []), match]);
  return groups;
}

function Why({ name, matches }: { name: string; matches: readonly Match[] }) {
  const shown = matches.slice(0, 5);
  return (
    <div>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      {shown.map((match) => (
        <Text key={`${match.conditionId} ${match.field} ${match.start}`} size="sm" c="dimmed">
          <bdi>“{match.text.slice(0, 200)}”</bdi>
          {match.entry !== undefined && match.entry !== match.text && ` matches “${match.entry.slice(0, 200)}”`}
          {match.listId !== undefined && ` of the list ${match.listId}`}
          {match.reason !== undefined && `. ${match.reason}`}
        </Text>
      ))}
      {matches.length > shown.length && (
        <Text size="sm" c="dimmed">
          and {matches.length - shown.length} more
        </Text>
      )}
    </div>
  );
}
