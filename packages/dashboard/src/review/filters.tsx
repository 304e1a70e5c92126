import { Button, Group, NativeSelect } from '@mantine/core';
import { useHere } from '../client.ts';
import { ClearFilters, SearchField, useFilters } from '../parts/search-filters.tsx';
import { useRules } from '../rules/rule-queries.ts';
import type { Queue, ReviewFilter } from './entries.ts';

const statuses = ['pending', 'approved', 'rejected', 'disapproved'] as const;

/** What the address asks for. */
export function filterOf(params: URLSearchParams, queue: Queue): ReviewFilter {
  const filter: ReviewFilter = {};
  for (const name of ['text', 'sender', 'receiver', 'ruleId'] as const) {
    const value = params.get(name);
    if (value !== null && value !== '') filter[name] = value;
  }
  const asked = params.get('status');
  const status = statuses.find((one) => one === asked);
  // The same choice goes along from queue to queue, though each has a word of its own for it.
  if (status === 'rejected' && queue === 'flagged') filter.status = 'disapproved';
  else if (status === 'disapproved' && queue === 'blocked') filter.status = 'rejected';
  // Of what was decided nothing waits.
  else if (status !== undefined && (status !== 'pending' || queue !== 'reviewed')) filter.status = status;
  // What waits comes first to who names nothing else.
  else if (asked === null && queue !== 'reviewed') filter.status = 'pending';
  return filter;
}

const waiting = { value: 'pending', label: 'Waiting' };
const approved = { value: 'approved', label: 'Approved' };
const stateChoices = {
  blocked: [waiting, approved, { value: 'rejected', label: 'Rejected' }],
  flagged: [waiting, approved, { value: 'disapproved', label: 'Rejected' }],
  reviewed: [
    approved,
    { value: 'rejected', label: 'Rejected (blocked)' },
    { value: 'disapproved', label: 'Rejected (flagged)' },
  ],
};

export function Filters({ queue }: { queue: Queue }) {
  const { appId } = useHere();
  const filters = useFilters();
  const { params, set } = filters;
  const rules = useRules();
  const filter = filterOf(params, queue);
  const exported = new URLSearchParams(Object.entries(filter));
  return (
    <Group gap="sm" align="flex-end" mb="md" role="search" aria-label="Filters">
      <SearchField label="Text" name="text" filters={filters} />
      <SearchField label="Sender" name="sender" filters={filters} />
      <SearchField label="Receiver" name="receiver" isExtra filters={filters} />
      <NativeSelect
        label="Rule"
        w={180}
        value={params.get('ruleId') ?? ''}
        onChange={(event) => set('ruleId', event.currentTarget.value)}
        data={[
          { value: '', label: 'Any rule' },
          ...(rules.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <NativeSelect
        label="State"
        w={150}
        value={filter.status ?? 'any'}
        onChange={(event) => set('status', event.currentTarget.value)}
        data={[...stateChoices[queue], { value: 'any', label: 'Any' }]}
      />
      <ClearFilters filters={filters} />
      <Button
        component="a"
        variant="default"
        visibleFrom="sm"
        href={`/apps/${appId}/moderation/${queue}-messages/export?${exported}`}
        download={`${queue}-messages.csv`}
      >
        Save as CSV
      </Button>
    </Group>
  );
}
