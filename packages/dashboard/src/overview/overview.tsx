import type { GetOverviewAnswer } from '@gatehouse/client';
import { Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'wouter';
import { useHere } from '../client.ts';
import { Loaded, Screen } from '../parts/screen.tsx';
import { count } from '../time.ts';
import { Attention } from './attention.tsx';
import { NextStep } from './next-step.tsx';
import { ProviderHealth } from './provider-health.tsx';
import { TimeChart } from './time-chart.tsx';

export type Overview = GetOverviewAnswer['data'];

const ranges = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
];

export function Overview() {
  const { client, appId } = useHere();
  const [params, setParams] = useSearchParams();
  const asked = params.get('hours') ?? '';
  const hours = ranges.some(({ value }) => value === asked) ? Number(asked) : 24;
  const overview = useQuery({
    queryKey: [appId, 'overview', hours],
    queryFn: async () => (await client.getOverview({ hours })).data,
    refetchInterval: 15_000,
    refetchOnMount: 'always',
  });
  return (
    <Screen
      title="Overview"
      about="What was judged and sent, and what needs you."
      actions={
        <SegmentedControl
          aria-label="Time range"
          data={ranges}
          value={String(hours)}
          onChange={(value) => setParams({ hours: value }, { replace: true })}
        />
      }
    >
      <Loaded query={overview}>{(data) => <Contents data={data} />}</Loaded>
    </Screen>
  );
}

function Contents({ data }: { data: Overview }) {
  return (
    <Stack gap="md">
      <NextStep setup={data.setup} />
      <Attention data={data} />
      <Totals data={data} />
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <TimeChart
          title="Messages caught"
          series={data.series}
          step={data.step}
          bars={[
            { name: 'blocked', label: 'Blocked', color: 'red' },
            { name: 'flagged', label: 'Flagged', color: 'yellow' },
            { name: 'dropped', label: 'Dropped', color: 'grape' },
          ]}
        />
        <TimeChart
          title="Messages judged"
          series={data.series}
          step={data.step}
          bars={[{ name: 'judged', label: 'Judged', color: 'indigo' }]}
        />
        <TimeChart
          title="Pushes"
          series={data.series}
          step={data.step}
          bars={[
            { name: 'sent', label: 'Sent', color: 'teal' },
            { name: 'failed', label: 'Failed', color: 'red' },
          ]}
        />
        <ProviderHealth data={data} />
      </SimpleGrid>
    </Stack>
  );
}

const totals = [
  ['judged', 'Judged'],
  ['blocked', 'Blocked'],
  ['flagged', 'Flagged'],
  ['dropped', 'Dropped'],
  ['sent', 'Pushes sent'],
  ['failed', 'Pushes failed'],
] as const;

function Totals({ data }: { data: Overview }) {
  return (
    <section aria-label="Totals">
      <SimpleGrid cols={{ base: 2, xs: 3, md: 6 }} component="dl" m={0}>
        {totals.map(([name, label]) => (
          <Paper key={name} withBorder p="sm">
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} fz={26} fw={650} lh={1.2}>
              {count(data.totals[name])}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
    </section>
  );
}
