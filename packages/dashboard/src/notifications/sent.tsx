import type { ListNotificationsItem } from '@gatehouse/client';
import { Anchor, Badge, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'wouter';
import { useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { useEndless } from '../parts/endless.ts';
import { ConfirmButton } from '../parts/form.tsx';
import { Empty, Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { reasonWord } from '../push-words.ts';
import { count, counted, zonedTime } from '../time.ts';
import { useAction } from '../use-action.ts';
import { stateWords } from '../words.ts';

type Item = ListNotificationsItem;

export function Sent() {
  const { client, appId, isOwner } = useHere();
  const [params, setParams] = useSearchParams();
  const open = params.get('open');
  const list = useEndless(
    [appId, 'notifications'],
    (cursor) => client.listNotifications({ limit: 100, cursor }),
    (rows) =>
      rows.some(({ state }) => state === 'sending') ? 3000 : rows.some(({ state }) => state === 'scheduled') && 15_000,
  );
  const close = (): void => {
    setParams({});
    // Back to where it was opened from.
    (document.getElementById(`open-${open}`) ?? document.getElementById('main'))?.focus();
  };
  return (
    <Stack gap="md">
      {open !== null && <One key={open} id={open} onClose={close} />}
      <Loaded query={list}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing was composed yet">
              {isOwner && (
                <Anchor component={Link} href="/notifications/compose" underline="always">
                  Write the first one
                </Anchor>
              )}
            </Empty>
          ) : (
            <VirtualTable
              label="Notifications"
              rows={rows}
              keyOf={({ id }) => id}
              rowHeight={60}
              {...list.more}
              columns={[
                {
                  name: 'Notification',
                  width: '2fr',
                  cell: (item) => (
                    <Anchor
                      id={`open-${item.id}`}
                      component="button"
                      type="button"
                      ta="start"
                      onClick={() => setParams({ open: item.id })}
                    >
                      <bdi>{nameOf(item)}</bdi>
                    </Anchor>
                  ),
                },
                { name: 'State', width: '120px', cell: (item) => <State state={item.state} /> },
                { name: 'Progress', width: '1.3fr', cell: (item) => <ProgressOf item={item} /> },
                { name: 'When', width: '230px', cell: (item) => <WhenOf item={item} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Stack>
  );
}

function nameOf({ title, body }: { title?: string; body?: string }): string {
  return title || body || '(no words)';
}

function State({ state }: { state: string }) {
  const words = stateWords[state];
  return <Badge variant="default">{words?.name ?? state}</Badge>;
}

/** What is still to come by the clock, with its zone; what is over by how long ago. */
function WhenOf({ item }: { item: Pick<Item, 'state' | 'sendAt' | 'localTime'> }) {
  const { state, sendAt, localTime } = item;
  if (state === 'cancelled') return 'Was called back';
  if (localTime !== undefined && state !== 'finished') return `At ${localTime} on each user's own clock`;
  if (state !== 'scheduled')
    return (
      <>
        Sent <TimeAgo at={sendAt} />
      </>
    );
  return (
    <>
      {zonedTime(sendAt)}
      <Text size="xs" c="dimmed">
        <TimeAgo at={sendAt} />
      </Text>
    </>
  );
}

function ProgressOf({ item }: { item: Pick<Item, 'counts' | 'state'> }) {
  // Pushes to devices that turned out to be gone are among the failed ones.
  const { sent, failed, skipped, queued, cancelled } = item.counts;
  const done = sent + failed + skipped + cancelled;
  const all = done + queued;
  const share = (n: number): number => (all === 0 ? 0 : (n / all) * 100);
  if (item.state === 'scheduled')
    return (
      <Text size="sm" c="dimmed">
        Waits for its time
      </Text>
    );
  if (item.state === 'cancelled' && sent + failed + skipped === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing was sent
      </Text>
    );
  return (
    <div>
      <Progress.Root size="sm" aria-hidden>
        <Progress.Section value={share(sent)} color="teal.8" />
        <Progress.Section value={share(failed)} color="red.8" />
        <Progress.Section value={share(skipped + cancelled)} color="gray.6" />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {count(sent)} sent{failed > 0 && `, ${count(failed)} failed`}
        {skipped > 0 && `, ${count(skipped)} skipped`}
        {cancelled > 0 && `, ${count(cancelled)} called back`}
        {queued > 0 && `, ${count(queued)} to go`}
      </Text>
    </div>
  );
}

/** One notification: how far it is, what became of it by reason, and the way to stop it. */
function One({ id, onClose }: { id: string; onClose: () => void }) {
  const { client, appId, isOwner } = useHere();
  const one = useQuery({
    queryKey: [appId, 'notifications', id],
    queryFn: async () => (await client.getNotification({ notificationId: id })).data,
    refetchInterval: ({ state }) =>
      state.data?.state === 'sending' || state.data?.state === 'scheduled' ? 1000 : false,
  });
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  const cancel = useAction(() => client.cancelNotification({ notificationId: id }), {
    refresh: [[appId, 'notifications']],
    done: 'What had not left stays here.',
    tellErrors: true,
  });
  return (
    <div ref={box} tabIndex={-1} style={{ outline: 'none' }}>
      <Card
        title="What became of it"
        actions={
          <Button size="xs" variant="default" onClick={onClose}>
            Close
          </Button>
        }
      >
        <Loaded query={one}>
          {(data) => (
            <Stack gap="sm">
              <Text fw={600} lineClamp={2}>
                <bdi>{nameOf(data)}</bdi>
              </Text>
              <Group gap="sm">
                <State state={data.state} />
                <Text size="sm" component="div">
                  <WhenOf item={data} />
                </Text>
                {isOwner && (data.state === 'scheduled' || data.state === 'sending') && (
                  <ConfirmButton
                    label="Cancel it"
                    question="Cancel this notification?"
                    explanation="What has left cannot be called back."
                    isBusy={cancel.isPending}
                    onConfirm={() => cancel.mutate(undefined)}
                  />
                )}
                <Anchor component={Link} href={`/notifications/log?notification=${id}`} size="sm" underline="always">
                  Its attempts in the log
                </Anchor>
              </Group>
              <ProgressOf item={data} />
              <Reasons title="Failed because" reasons={data.failedByReason} />
              <Reasons title="Skipped because" reasons={data.skippedByReason} />
              {data.counts.acknowledged > 0 && (
                <Text size="sm">
                  {counted(data.counts.acknowledged, 'device says', 'devices say')} that it arrived.
                </Text>
              )}
            </Stack>
          )}
        </Loaded>
      </Card>
    </div>
  );
}

function Reasons({ title, reasons }: { title: string; reasons: Readonly<Record<string, number>> }) {
  const byWords = new Map<string, number>();
  for (const [reason, n] of Object.entries(reasons).toSorted(([, a], [, b]) => b - a)) {
    const words = reasonWord(reason);
    byWords.set(words, (byWords.get(words) ?? 0) + n);
  }
  if (byWords.size === 0) return null;
  return (
    <Text size="sm" component="div">
      {title}: {[...byWords].map(([words, n]) => `${words} (${count(n)})`).join(', ')}
    </Text>
  );
}
