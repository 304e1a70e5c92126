import { Badge, Code, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { account } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { Columns } from '../parts/columns.tsx';
import { Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { count } from '../time.ts';

const words: Readonly<Record<string, string>> = {
  ratePerMinute: 'Requests a minute for each key',
  ownRulesMax: 'Rules of its own that an app may have',
  ownListsMax: 'Lists of its own that an app may have',
  ownReasonsMax: 'Reasons of its own that an app may have',
  webhooksMax: 'Webhooks that an app may have',
  reviewDays: 'Days that entries of Review are kept',
  approvedHours: 'Hours that delivered messages are kept',
  backtestDays: 'Days of messages kept to try rules on',
  pushLogDays: 'Days that push logs are kept',
  webhookKeepDays: 'Days that events and their deliveries are kept',
};
/** Where 0 does not mean "none". */
const endless = new Set(['reviewDays', 'ratePerMinute']);
const offWhenZero = new Set(['backtestDays', 'approvedHours']);

interface Setting {
  name: string;
  value: number;
  variable: string;
}

export function Service() {
  const service = useQuery({ queryKey: ['service'], queryFn: async () => (await account.getService()).data });
  const ready = useQuery({
    queryKey: ['ready'],
    // Its own operation of the service, for machines that watch; here for people.
    queryFn: async () => (await fetch('/readyz')).ok,
    refetchInterval: 15_000,
  });
  return (
    <Loaded query={service}>
      {(data) => (
        <Columns>
          <Card title="Version and health">
            <Stack gap="xs">
              <Group gap="xs">
                <Text>Gatehouse {data.version}</Text>
                {!ready.isPending && <Health isReady={ready.data === true && !ready.isError} />}
              </Group>
              <Text size="sm">
                On {data.store === 'sqlite' ? 'the embedded store' : 'PostgreSQL'} (schema {data.schema}), Node{' '}
                {data.node.replace('v', '')}, region {data.region}. Started <TimeAgo at={data.startedAt} />.
              </Text>
              <Text size="sm">
                {data.classifier === 'none'
                  ? 'No classifier: pictures and videos are not looked at.'
                  : data.mediaProblems.join(' ') || `Pictures are looked at by the ${data.classifier} classifier.`}
              </Text>
              <Text size="sm" c="dimmed">
                These are read from the environment when the process starts. Change a variable and start again.
              </Text>
            </Stack>
          </Card>
          <Stack>
            <Values title="Limits" settings={data.limits} />
            <Values title="How long things are kept" settings={data.retention} />
          </Stack>
        </Columns>
      )}
    </Loaded>
  );
}

function Health({ isReady }: { isReady: boolean }) {
  return (
    <Badge color={isReady ? 'teal.9' : 'red.9'} variant="filled">
      {isReady ? 'Ready' : 'Not ready'}
    </Badge>
  );
}

function Values({ title, settings }: { title: string; settings: readonly Setting[] }) {
  return (
    <Card title={title}>
      <Table aria-label={title}>
        <Table.Tbody>
          {settings.map(({ name, value, variable }) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400}>
                {words[name] ?? name}
                <br />
                <Code fz="xs">{variable}</Code>
              </Table.Th>
              <Table.Td ta="end" fw={600} style={{ whiteSpace: 'nowrap' }}>
                {value === 0 && endless.has(name)
                  ? 'No limit'
                  : value === 0 && offWhenZero.has(name)
                    ? 'Off'
                    : count(value)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Card>
  );
}
