import { Badge, Checkbox, Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { More, type MoreProps } from '../parts/more.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { doneWord } from '../words.ts';
import type { Entry } from './entries.ts';
import classes from './review.module.css';

interface EntryListProps extends MoreProps {
  entries: readonly Entry[];
  at: number;
  chosen: ReadonlySet<string>;
  mayChoose: boolean;
  onGo: (key: string) => void;
  onToggle: (key: string) => void;
  onMore: () => void;
}

const rowHeight = 76;

/** Draws only the rows one sees. */
export function EntryList({ entries, at, onMore, ...rest }: EntryListProps) {
  const { hasMore, isLoadingMore, moreError, onMoreAgain, ...row } = rest;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastSeen >= entries.length - 20) onMore();
  }, [hasMore, isLoadingMore, lastSeen, entries.length, onMore]);
  useEffect(() => virtual.scrollToIndex(at, { align: 'auto' }), [virtual, at]);
  return (
    <Stack gap="xs">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={box} className={classes.list} aria-label="Messages" tabIndex={0}>
        <ul className={classes.entries} style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const entry = entries[item.index];
            return entry === undefined ? null : (
              <li
                key={entry.key}
                className={classes.entry}
                style={{ transform: `translateY(${item.start}px)`, height: rowHeight }}
                data-current={item.index === at}
              >
                <Row entry={entry} isCurrent={item.index === at} {...row} />
              </li>
            );
          })}
        </ul>
      </section>
      <More hasMore={hasMore} isLoadingMore={isLoadingMore} moreError={moreError} onMoreAgain={onMoreAgain} />
    </Stack>
  );
}

interface RowProps extends Pick<EntryListProps, 'chosen' | 'mayChoose' | 'onGo' | 'onToggle'> {
  entry: Entry;
  isCurrent: boolean;
}

function Row({ entry, isCurrent, chosen, mayChoose, onGo, onToggle }: RowProps) {
  return (
    <Group gap="sm" wrap="nowrap" h="100%" px="sm">
      {mayChoose && (
        <Checkbox
          aria-label={`Mark the message of ${entry.sender}`}
          checked={chosen.has(entry.key)}
          onChange={() => onToggle(entry.key)}
        />
      )}
      <UnstyledButton className={classes.go ?? ''} onClick={() => onGo(entry.key)} aria-current={isCurrent}>
        <Text size="sm" truncate dir="auto" component="span" display="block">
          {entry.isContentKept ? shortOf(entry) : '(dropped: nothing of it is kept)'}
        </Text>
        <Group gap="xs" wrap="nowrap" component="span" mt={2}>
          <Text size="xs" c="dimmed" truncate component="span">
            {entry.sender}, <TimeAgo at={entry.at} />
          </Text>
          <Badge size="xs" variant="default" component="span" style={{ flexShrink: 0 }}>
            {doneOf(entry)}
          </Badge>
        </Group>
      </UnstyledButton>
    </Group>
  );
}

function shortOf({ text, attachments, customData }: Entry): string {
  if (text !== '') return text.slice(0, 200);
  if (attachments.length > 0) return attachments[0]?.name || 'An attachment';
  return customData === undefined ? '(no text)' : 'Custom data';
}

const toMessages = ['dropMessage', 'blockMessage', 'flagMessage'];

/** What became of it, in one word. */
function doneOf(entry: Entry): string {
  if (entry.status === 'approved') return 'Approved';
  if (entry.status === 'rejected' || entry.status === 'disapproved') return 'Rejected';
  return doneWord(toMessages.find((action) => entry.actions.includes(action)) ?? 'flagMessage');
}
