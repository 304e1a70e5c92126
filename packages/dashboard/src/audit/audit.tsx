import type { ListAuditItem } from '@gatehouse/client';
import { Button, Code, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { account, useHere } from '../client.ts';
import { useEndless } from '../parts/endless.ts';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { ClearFilters, SearchField, useFilters } from '../parts/search-filters.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { actorWord, operationWords } from '../words.ts';

export function Audit() {
  const { client, appId } = useHere();
  const filters = useFilters();
  const { params, set } = filters;
  const isAccount = params.get('of') === 'account';
  const action = params.get('action') ?? '';
  const target = params.get('target') ?? '';
  const filter = { ...(action !== '' && { action }), ...(target !== '' && { target }) };
  const entries = useEndless([appId, 'audit', isAccount, filter], (cursor) => {
    const input = { ...filter, limit: 200, cursor };
    return isAccount ? account.listAccountAudit(input) : client.listAudit(input);
  });
  return (
    <Screen title="Audit" about="Who changed what, and when. It is written in the same moment as the change itself.">
      <Group gap="sm" align="flex-end" role="search" aria-label="Filters">
        <SegmentedControl
          aria-label="Of what"
          value={isAccount ? 'account' : 'app'}
          onChange={(of) => set('of', of === 'account' ? 'account' : '')}
          data={[
            { value: 'app', label: 'This app' },
            { value: 'account', label: 'People and account' },
          ]}
        />
        <SearchField label="Operation" name="action" placeholder="replaceRule" filters={filters} />
        <SearchField label="Changed thing" name="target" filters={filters} />
        <ClearFilters filters={filters} />
      </Group>
      <Loaded query={entries}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing fits." />
          ) : (
            <VirtualTable
              label="Audit"
              rows={rows}
              keyOf={({ id }) => id}
              {...entries.more}
              columns={[
                { name: 'When', width: '150px', cell: (entry) => <TimeAgo at={entry.at} /> },
                {
                  name: 'Who',
                  width: '1fr',
                  cell: (entry) => <bdi title={entry.actor}>{actorWord(entry.actor, entry.actorName)}</bdi>,
                },
                { name: 'Did', width: '1fr', cell: (entry) => operationWords(entry.action) },
                { name: 'To', width: '1.2fr', cell: (entry) => <Code>{entry.target}</Code> },
                { name: 'What changed', width: '1.5fr', cell: (entry) => <Changed entry={entry} /> },
              ]}
            />
          )
        }
      </Loaded>
    </Screen>
  );
}

/** What differs, field by field; the whole records for who wants them. */
function Changed({ entry }: { entry: ListAuditItem }) {
  const [isOpen, setOpen] = useState(false);
  if (entry.before === undefined && entry.after === undefined) return <Text size="sm">–</Text>;
  return (
    <>
      <Button size="compact-xs" variant="default" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : differing(entry.before, entry.after)}
      </Button>
      {isOpen && (
        <Code block mt={4} fz="xs" mah={240} tabIndex={0} aria-label="Before and after" style={{ overflow: 'auto' }}>
          {entry.before !== undefined && `before ${JSON.stringify(entry.before, null, 1)}\n`}
          {entry.after !== undefined && `after ${JSON.stringify(entry.after, null, 1)}`}
        </Code>
      )}
    </>
  );
}

function differing(before: unknown, after: unknown): string {
  if (before === undefined) return 'New';
  if (after === undefined) return 'What it was';
  const [a, b] = [before, after].map((record) => new Map(Object.entries(record ?? {})));
  const names = [...new Set([...(a?.keys() ?? []), ...(b?.keys() ?? [])])];
  const changed = names.filter((name) => JSON.stringify(a?.get(name)) !== JSON.stringify(b?.get(name)));
  return changed.length === 0 ? 'Nothing' : changed.slice(0, 3).join(', ') + (changed.length > 3 ? '…' : '');
}
