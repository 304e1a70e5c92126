// biome-ignore-all lint/a11y/useSemanticElements: rows that are placed one by one cannot be rows of a <table>.
// biome-ignore-all lint/a11y/useFocusableInteractive: cells are read, not used.
import { Center, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';
import { count } from '../time.ts';
import { More, type MoreProps } from './more.tsx';
import classes from './virtual-table.module.css';

export interface Column<T> {
  name: string;
  /** A share of the width, as CSS grid knows it. */
  width: string;
  cell: (row: T) => ReactNode;
}

interface VirtualTableProps<T> extends Partial<MoreProps> {
  label: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  keyOf: (row: T) => string;
  rowHeight?: number;
  /** Below this the table scrolls sideways. */
  minWidth?: number;
  onMore?: () => void;
}

/** Draws only the rows one sees: ten thousand scroll like ten. */
export function VirtualTable<T>(props: VirtualTableProps<T>) {
  const { rows, columns, hasMore = false, isLoadingMore = false, onMore, moreError = null } = props;
  const box = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => props.rowHeight ?? 44,
    overscan: 10,
    getItemKey: (i) => {
      const row = rows[i];
      return row === undefined ? i : props.keyOf(row);
    },
  });
  const items = virtual.getVirtualItems();
  const lastSeen = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && !isLoadingMore && lastSeen >= rows.length - 20) onMore?.();
  }, [hasMore, isLoadingMore, lastSeen, rows.length, onMore]);
  const gridTemplateColumns = columns.map(({ width }) => width).join(' ');
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={box} className={classes.box} aria-label={props.label} tabIndex={0}>
        <div
          role="table"
          aria-label={props.label}
          aria-rowcount={hasMore ? -1 : rows.length + 1}
          style={{ minWidth: props.minWidth ?? 680 }}
        >
          <div role="rowgroup" className={classes.head}>
            <div role="row" className={classes.row} style={{ gridTemplateColumns }} aria-rowindex={1}>
              {columns.map(({ name }) => (
                <div key={name} role="columnheader" className={classes.cell}>
                  {name}
                </div>
              ))}
            </div>
          </div>
          <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
            {items.map((item) => {
              const row = rows[item.index];
              return row === undefined ? null : (
                <div
                  key={item.key}
                  role="row"
                  aria-rowindex={item.index + 2}
                  data-index={item.index}
                  ref={virtual.measureElement}
                  className={`${classes.row} ${classes.placed}`}
                  style={{ gridTemplateColumns, transform: `translateY(${item.start}px)` }}
                >
                  {columns.map(({ name, cell }) => (
                    <div key={name} role="cell" className={classes.cell}>
                      {cell(row)}
                    </div>
                  ))}
                </div>
              );
            })}
          </div>
        </div>
      </section>
      <More
        hasMore={hasMore}
        isLoadingMore={isLoadingMore}
        moreError={moreError}
        onMoreAgain={() => props.onMoreAgain?.()}
      />
      {!hasMore && (
        <Center>
          <Text size="xs" c="dimmed">
            {count(rows.length)} in all
          </Text>
        </Center>
      )}
    </>
  );
}
