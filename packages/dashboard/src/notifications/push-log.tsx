import { Anchor, Badge, Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useHere } from '../client.ts';
import { useEndless } from '../parts/endless.ts';
import { TextField } from '../parts/fields.tsx';
import { Empty, Loaded } from '../parts/screen.tsx';
import { ClearFilters, type Filters, SearchField, typingMs, useFilters } from '../parts/search-filters.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { outcomeWord, platformWord, reasonWord } from '../push-words.ts';
import { localMinute } from '../time.ts';
import { kindWords } from '../words.ts';

const kinds = ['apns', 'fcm', 'webpush', 'custom'] as const;

export function PushLog() {
  const { client, appId } = useHere();
  const filters = useFilters();
  const { params, set } = filters;
  const provider = kinds.find((kind) => kind === params.get('provider'));
  const success = params.get('success');
  const notificationId = params.get('notification');
  const [from, to] = [momentOf(params.get('from')), momentOf(params.get('to'))];
  const filter = {
    ...(provider !== undefined && { provider }),
    ...((success === 'true' || success === 'false') && { success: success === 'true' }),
    ...(params.get('receiver') && { receiver: params.get('receiver') ?? '' }),
    ...(params.get('reason') && { reason: params.get('reason') ?? '' }),
    ...(params.get('messageId') && { messageId: params.get('messageId') ?? '' }),
    ...(notificationId && { notificationId }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
  const logs = useEndless([appId, 'log', filter], async (cursor) => {
    const { data, meta } = await client.listNotificationLogs({
      ...filter,
      limit: 100,
      ...(cursor !== undefined && { logId: cursor }),
    });
    return { data, meta: meta.next === undefined ? {} : { next: { cursor: meta.next.logId } } };
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
        <SearchField label="Receiver" name="receiver" filters={filters} />
        <SearchField label="Reason" name="reason" filters={filters} placeholder="Unregistered" />
        <SearchField label="Message id" name="messageId" filters={filters} />
        <MomentField label="From" name="from" filters={filters} />
        <MomentField label="Until" name="to" filters={filters} />
        <ClearFilters filters={filters} />
      </Group>
      {notificationId && <OfOne id={notificationId} onAll={() => set('notification', '')} />}
      <Loaded query={logs}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={params.size > 0 ? 'No attempt fits these filters.' : 'No push was tried yet.'} />
          ) : (
            <VirtualTable
              label="Attempts"
              rows={found}
              keyOf={({ _id }) => _id}
              rowHeight={58}
              {...logs.more}
              columns={[
                { name: 'When', width: '150px', cell: (row) => <TimeAgo at={row.processingEndedAtMS} /> },
                { name: 'User', width: '1fr', cell: (row) => <bdi>{row.member}</bdi> },
                {
                  name: 'Device',
                  width: '1fr',
                  cell: (row) => (
                    <>
                      {platformWord(row.tokenType)}
                      <Text size="xs" c="dimmed">
                        {row.providerId}
                      </Text>
                    </>
                  ),
                },
                {
                  name: 'Outcome',
                  width: '130px',
                  cell: (row) => <Badge variant="default">{outcomeWord(row.outcome, row.reason)}</Badge>,
                },
                {
                  name: 'Answer',
                  width: '1.5fr',
                  cell: (row) => <Answer status={row.status} reason={row.reason} />,
                },
              ]}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}

/** In the address as milliseconds, so that who gets it sent sees the same, in whatever time zone. */
function momentOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,13}$/.test(text) ? Number(text) : undefined;
}

interface MomentFieldProps {
  label: string;
  name: string;
  filters: Filters;
}

/** Asked for when one stops typing. A year that is being typed is one of long ago: it stays in the field only. */
function MomentField({ label, name, filters: { params, set } }: MomentFieldProps) {
  const at = momentOf(params.get(name));
  const value = at === undefined ? '' : localMinute(at);
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    const moment = String(Date.parse(typed));
    if (typed === value || (typed !== '' && momentOf(moment) === undefined)) return;
    const timer = setTimeout(() => set(name, typed === '' ? '' : moment), typingMs);
    return () => clearTimeout(timer);
  }, [typed, value, name, set]);
  return <TextField label={label} type="datetime-local" value={typed} onValue={setTyped} />;
}

/** That only the attempts of one notification are shown must be seen, or the rest would seem lost. */
function OfOne({ id, onAll }: { id: string; onAll: () => void }) {
  return (
    <Group gap="sm">
      <Text size="sm">
        Only the attempts of{' '}
        <Anchor component={Link} href={`/notifications/sent?open=${id}`} underline="always">
          one notification
        </Anchor>{' '}
        are shown.
      </Text>
      <Button size="xs" variant="default" onClick={onAll}>
        Show those of all
      </Button>
    </Group>
  );
}

/** In words, with the vendor's own for who looks them up. */
function Answer({ status, reason }: { status: number; reason: string }) {
  const raw = `${status === 0 ? '' : status} ${reason}`.trim();
  const words = reasonWord(reason);
  if (words === reason) return raw || '–';
  return (
    <>
      {words}
      <Text size="xs" c="dimmed">
        {raw}
      </Text>
    </>
  );
}
