import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useHere } from '../client.ts';
import { useRules } from '../rules/rule-queries.ts';
import type { Queue, ReviewFilter } from './entries.ts';

const statuses = ['pending', 'approved', 'rejected', 'disapproved'] as const;

/** The address holds the filters: it can be reloaded, kept and sent to somebody. */
export function filterOf(params: URLSearchParams, queue: Queue): ReviewFilter {
  const filter: ReviewFilter = {};
  for (const name of ['text', 'sender', 'receiver', 'ruleId'] as const) {
    const value = params.get(name);
    if (value !== null && value !== '') filter[name] = value;
  }
  const asked = params.get('status');
  const status = statuses.find((one) => one === asked);
  if (status !== undefined) filter.status = status;
  // What waits comes first to who names nothing else.
  else if (asked === null && queue !== 'reviewed') filter.status = 'pending';
  return filter;
}

export function Filters({ queue }: { queue: Queue }) {
  const { appId } = useHere();
  const [params, setParams] = useSearchParams();
  const rules = useRules();
  const set = (name: string, value: string): void => {
    setParams((before) => {
      const next = new URLSearchParams(before);
      if (value === '' && name !== 'status') next.delete(name);
      else next.set(name, value);
      return next;
    });
  };
  const exported = new URLSearchParams(params);
  exported.delete('status');
  return (
    <Group gap="sm" align="flex-end" mb="md" role="search" aria-label="Filters">
      <Typed label="Text" name="text" value={params.get('text') ?? ''} onSet={set} />
      <Typed label="Sender" name="sender" value={params.get('sender') ?? ''} onSet={set} />
      <Typed label="Receiver" name="receiver" isExtra value={params.get('receiver') ?? ''} onSet={set} />
      <NativeSelect
        label="Rule"
        value={params.get('ruleId') ?? ''}
        onChange={(event) => set('ruleId', event.currentTarget.value)}
        data={[
          { value: '', label: 'Any rule' },
          ...(rules.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <NativeSelect
        label="State"
        value={params.get('status') ?? (queue === 'reviewed' ? '' : 'pending')}
        onChange={(event) => set('status', event.currentTarget.value)}
        data={[
          { value: 'pending', label: 'Waiting' },
          { value: 'approved', label: 'Approved' },
          { value: queue === 'flagged' ? 'disapproved' : 'rejected', label: 'Rejected' },
          { value: '', label: 'Any' },
        ]}
      />
      {params.size > 0 && (
        <Button variant="default" onClick={() => setParams({})}>
          Clear
        </Button>
      )}
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

interface TypedProps {
  label: string;
  name: string;
  value: string;
  onSet: (name: string, value: string) => void;
  /** Left out where there is little room. */
  isExtra?: boolean;
}

/** Asked for when one stops typing, not with every letter. */
function Typed({ label, name, value, onSet, isExtra = false }: TypedProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSet(name, typed), 300);
    return () => clearTimeout(timer);
  }, [typed, value, name, onSet]);
  return (
    <TextInput
      label={label}
      type="search"
      w={150}
      {...(isExtra && { visibleFrom: 'sm' as const })}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
    />
  );
}
