import { Badge, Button, Text } from '@mantine/core';
import { useHere } from '../client.ts';
import { useEndless } from '../parts/endless.ts';
import { Empty, Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { counted } from '../time.ts';
import { useAction } from '../use-action.ts';
import { triggerWord } from './webhook-form.tsx';

const statusWords: Readonly<Record<string, string>> = { pending: 'Waiting', delivered: 'Taken', failed: 'Given up' };

/** What the endpoint was told, and what it answered. */
export function Deliveries({ webhookId }: { webhookId: string }) {
  const { client, appId, isOwner } = useHere();
  const key = [appId, 'deliveries', webhookId];
  const list = useEndless(key, (cursor) => client.listWebhookDeliveriesOfApp({ webhookId, limit: 100, cursor }));
  const again = useAction((eventId: string) => client.redeliverWebhookOfApp({ webhookId, eventId }), {
    refresh: [key],
    done: 'It is sent again.',
    tellErrors: true,
  });
  return (
    <Loaded query={list}>
      {(rows) =>
        rows.length === 0 ? (
          <Empty title="Nothing was owed to it yet." />
        ) : (
          <VirtualTable
            label={`Deliveries to ${webhookId}`}
            rows={rows}
            keyOf={({ eventId }) => eventId}
            rowHeight={58}
            {...list.more}
            columns={[
              { name: 'When', width: '150px', cell: (row) => <TimeAgo at={row.createdAt} /> },
              {
                name: 'Event',
                width: '1.4fr',
                cell: ({ trigger }) => (
                  <>
                    {triggerWord(trigger)}
                    <Text size="xs" c="dimmed">
                      {trigger}
                    </Text>
                  </>
                ),
              },
              {
                name: 'State',
                width: '110px',
                cell: (row) => <Badge variant="default">{statusWords[row.status] ?? row.status}</Badge>,
              },
              {
                name: 'Last answer',
                width: '1.6fr',
                cell: ({ answers, tries, nextTryAt }) => {
                  const last = answers.at(-1);
                  return (
                    <>
                      {last === undefined
                        ? '–'
                        : `${last.status ?? ''} ${last.error ?? last.excerpt?.slice(0, 80) ?? ''}`}
                      <Text size="xs" c="dimmed">
                        {counted(tries, 'try', 'tries')}
                        {nextTryAt !== undefined && (
                          <>
                            , next <TimeAgo at={nextTryAt} />
                          </>
                        )}
                      </Text>
                    </>
                  );
                },
              },
              ...(isOwner
                ? [
                    {
                      name: 'Action',
                      width: '120px',
                      cell: (row: { eventId: string }) => (
                        <Button
                          size="compact-xs"
                          variant="default"
                          onClick={() => again.mutate(row.eventId)}
                          aria-label={`Send event ${row.eventId} again`}
                        >
                          Send again
                        </Button>
                      ),
                    },
                  ]
                : []),
            ]}
          />
        )
      }
    </Loaded>
  );
}
