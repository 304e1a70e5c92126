import { Button, Group, Kbd, SimpleGrid, Tabs, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useLocation, useParams, useSearchParams } from 'wouter';
import { useHere } from '../client.ts';
import { useEndless } from '../parts/endless.ts';
import type { MoreProps } from '../parts/more.tsx';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { counted } from '../time.ts';
import { useAction } from '../use-action.ts';
import { type Decision, decide, type Entry, type Queue, queues, type ReviewFilter, readQueue } from './entries.ts';
import { EntryList } from './entry-list.tsx';
import { EntryView } from './entry-view.tsx';
import { Filters, filterOf } from './filters.tsx';

const queueWords = { blocked: 'Blocked', flagged: 'Flagged', reviewed: 'Reviewed' } as const;
const emptyWords = {
  blocked: 'Nothing was blocked or dropped.',
  flagged: 'Nothing was flagged.',
  reviewed: 'Nothing was decided yet.',
} as const;

export function Review() {
  const { queue: named } = useParams();
  const [, go] = useLocation();
  const [params] = useSearchParams();
  const queue = queues.find((one) => one === named) ?? 'blocked';
  return (
    <Screen
      title="Review"
      about="What the rules caught and what users told you of. Decide, and the chat server is told."
    >
      <Tabs value={queue} onChange={(chosen) => go(`/review/${chosen ?? 'blocked'}?${params}`)}>
        <Tabs.List>
          {queues.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {queueWords[one]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {queues.map((one) => (
          <Tabs.Panel key={one} value={one} pt="md">
            {one === queue && <QueueView key={queue} queue={queue} />}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Screen>
  );
}

function QueueView({ queue }: { queue: Queue }) {
  const { client, appId } = useHere();
  const [params] = useSearchParams();
  const filter = filterOf(params, queue);
  const entries = useEndless([appId, 'review', queue, filter], (cursor) => readQueue(client, queue, filter, cursor));
  const isFiltered = Object.keys(filter).some((name) => name !== 'status');
  return (
    <>
      <Filters queue={queue} />
      <Loaded query={entries}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={isFiltered || params.size > 0 ? 'Nothing fits these filters.' : emptyWords[queue]} />
          ) : (
            <Deciding queue={queue} entries={found} more={entries.more} filter={filter} />
          )
        }
      </Loaded>
    </>
  );
}

interface DecidingProps {
  queue: Queue;
  entries: readonly Entry[];
  more: MoreProps & { onMore: () => void };
  filter: ReviewFilter;
}

/** The list on one side, the message on the other; by mouse or by keys, one by one or many at once. */
function Deciding({ queue, entries, more }: DecidingProps) {
  const { client, appId, mayReview } = useHere();
  const [atKey, setAtKey] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const at = Math.max(
    0,
    entries.findIndex(({ key }) => key === atKey),
  );
  const current = entries[at];
  const marked = useMemo(() => entries.filter(({ key }) => chosen.has(key)), [entries, chosen]);

  const move = (step: number): void => {
    const next = entries[Math.min(entries.length - 1, Math.max(0, at + step))];
    if (next !== undefined) setAtKey(next.key);
  };
  const act = useAction(
    async ({ decision, about }: { decision: Decision; about: readonly Entry[] }) => {
      for (const entry of about) await decide(client, entry, queue === 'flagged' || entry.flags.length > 0, decision);
    },
    {
      refresh: [
        [appId, 'review'],
        [appId, 'overview'],
      ],
      done: (_, { decision, about }) =>
        `${counted(about.length, 'message is', 'messages are')} ${decision === 'approve' ? 'approved' : 'rejected'}.`,
      onDone: () => setChosen(new Set()),
      tellErrors: true,
    },
  );
  const run = (decision: Decision): void => {
    const about = marked.length > 0 ? marked : current === undefined ? [] : [current];
    if (!mayReview || about.length === 0 || act.isPending) return;
    // Whoever decides goes on with the next one, wherever this one goes.
    const rest =
      entries.slice(at).find((entry) => !about.includes(entry)) ?? entries.findLast((entry) => !about.includes(entry));
    setAtKey(rest?.key);
    act.mutate({ decision, about });
  };
  const toggle = (key: string): void => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    setChosen(next);
  };
  useHotkeys([
    ['j', () => move(1)],
    ['k', () => move(-1)],
    ['a', () => run('approve')],
    ['r', () => run('reject')],
    ['x', () => current !== undefined && toggle(current.key)],
  ]);

  return (
    <>
      <Group justify="space-between" mb="sm" gap="xs">
        <Text size="sm" c="dimmed" visibleFrom="sm">
          <Kbd>j</Kbd> next, <Kbd>k</Kbd> previous, <Kbd>a</Kbd> approve, <Kbd>r</Kbd> reject, <Kbd>x</Kbd> mark for
          doing many at once
        </Text>
        {marked.length > 0 && (
          <Group gap="xs" role="group" aria-label="All that are marked">
            <Text size="sm">{counted(marked.length, 'message')} marked</Text>
            <Button size="xs" onClick={() => run('approve')} loading={act.isPending}>
              Approve all
            </Button>
            <Button size="xs" color="red.9" onClick={() => run('reject')} loading={act.isPending}>
              Reject all
            </Button>
            <Button size="xs" variant="default" onClick={() => setChosen(new Set())}>
              Unmark
            </Button>
          </Group>
        )}
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
        <EntryList
          entries={entries}
          at={at}
          chosen={chosen}
          mayChoose={mayReview}
          onGo={setAtKey}
          onToggle={toggle}
          {...more}
        />
        {current !== undefined && (
          <EntryView
            key={current.key}
            entry={current}
            isBusy={act.isPending}
            onDecide={(decision) => act.mutate({ decision, about: [current] })}
          />
        )}
      </SimpleGrid>
    </>
  );
}
