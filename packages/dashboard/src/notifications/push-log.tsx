import { Badge, Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'wouter';
import { useHere } from '../client.ts';
import { Empty, Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { kindWords, outcomeWords, platformWords } from '../words.ts';

const kinds = ['apns', 'fcm', 'webpush', 'custom'] as const;

export function PushLog() {
  const { client, appId } = useHere();
  const [params, setParams] = useSearchParams();
  const provider = kinds.find((kind) => kind === params.get('provider'));
  const success = params.get('success');
  const filter = {
    ...(provider !== undefined && { provider }),
    ...((success === 'true' || success === 'false') && { success: success === 'true' }),
    ...(params.get('receiver') && { receiver: params.get('receiver') ?? '' }),
    ...(params.get('reason') && { reason: params.get('reason') ?? '' }),
    ...(params.get('messageId') && { messageId: params.get('messageId') ?? '' }),
  };
  const query = useInfiniteQuery({
    queryKey: [appId, 'log', filter],
    queryFn: ({ pageParam }) =>
      client.listNotificationLogs({ ...filter, limit: 100, ...(pageParam !== undefined && { logId: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ meta }) => meta.next?.logId,
  });
  const notification = params.get('notification');
  const rows = useMemo(
    () =>
      query.data?.pages
        .flatMap(({ data }) => data)
        .filter(({ notificationId }) => notification === null || notificationId === notification),
    [query.data, notification],
  );
  const set = (name: string, value: string): void =>
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === '') next.delete(name);
      else next.set(name, value);
      return next;
    });
  return (
    <Stack gap="md">
      <Group gap="sm" align="flex-end" role="search" aria-label="Filters">
        <NativeSelect
          label="Outcome"
          value={success ?? ''}
          onChange={(event) => set('success', event.currentTarget.value)}
          data={[
            { value: '', label: 'Any' },
            { value: 'true', label: 'Sent' },
            { value: 'false', label: 'Not sent' },
          ]}
        />
        <NativeSelect
          label="Provider"
          value={provider ?? ''}
          onChange={(event) => set('provider', event.currentTarget.value)}
          data={[{ value: '', label: 'Any' }, ...kinds.map((value) => ({ value, label: kindWords[value] ?? value }))]}
        />
        <OnEnter label="Receiver" value={params.get('receiver') ?? ''} onSet={(value) => set('receiver', value)} />
        <OnEnter label="Reason" value={params.get('reason') ?? ''} onSet={(value) => set('reason', value)} />
        <OnEnter label="Message id" value={params.get('messageId') ?? ''} onSet={(value) => set('messageId', value)} />
        {params.size > 0 && (
          <Button variant="default" onClick={() => setParams({})}>
            Clear
          </Button>
        )}
      </Group>
      <Loaded query={{ data: rows, error: query.error, isPending: query.isPending, refetch: query.refetch }}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={params.size > 0 ? 'No attempt fits these filters.' : 'No push was tried yet.'} />
          ) : (
            <VirtualTable
              label="Attempts"
              rows={found}
              keyOf={({ _id }) => _id}
              rowHeight={58}
              hasMore={query.hasNextPage}
              isLoadingMore={query.isFetchingNextPage}
              onMore={() => {
                if (!query.isFetchingNextPage) void query.fetchNextPage();
              }}
              columns={[
                { name: 'When', width: '130px', cell: (row) => <TimeAgo at={row.processingEndedAtMS} /> },
                { name: 'User', width: '1fr', cell: (row) => <bdi>{row.member}</bdi> },
                {
                  name: 'Device',
                  width: '1fr',
                  cell: (row) => (
                    <>
                      {platformWords[row.tokenType] ?? row.tokenType}
                      <Text size="xs" c="dimmed">
                        {row.providerId}
                      </Text>
                    </>
                  ),
                },
                {
                  name: 'Outcome',
                  width: '130px',
                  cell: (row) => <Badge variant="default">{outcomeWords[row.outcome]?.name ?? row.outcome}</Badge>,
                },
                {
                  name: 'Answer',
                  width: '1.5fr',
                  cell: (row) => `${row.status === 0 ? '' : row.status} ${row.reason}`.trim() || '–',
                },
              ]}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}

/** Asked for with Enter, or when one leaves the field. */
function OnEnter({ label, value, onSet }: { label: string; value: string; onSet: (value: string) => void }) {
  return (
    <TextInput
      key={value}
      label={label}
      type="search"
      w={150}
      defaultValue={value}
      onBlur={(event) => event.currentTarget.value !== value && onSet(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Enter' && onSet(event.currentTarget.value)}
    />
  );
}
