import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'wouter';
import { TextField } from './fields.tsx';

/** The address holds the filters: it can be reloaded, kept and sent to somebody. */
export function useFilters() {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (name: string, value: string): void => {
      setParams((before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      });
    },
    [setParams],
  );
  return { params, set, clear: () => setParams({}) };
}

export type Filters = ReturnType<typeof useFilters>;

interface SearchFieldProps {
  label: string;
  name: string;
  filters: Filters;
  placeholder?: string;
  /** Left out where there is little room. */
  isExtra?: boolean;
}

export const typingMs = 300;

/** Asked for when one stops typing, not with every letter. */
export function SearchField({ label, name, filters: { params, set }, isExtra = false, ...rest }: SearchFieldProps) {
  const value = params.get(name) ?? '';
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => set(name, typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed, value, name, set]);
  return (
    <TextField
      {...rest}
      label={label}
      type="search"
      w={150}
      {...(isExtra && { visibleFrom: 'sm' as const })}
      value={typed}
      onValue={setTyped}
    />
  );
}

export function ClearFilters({ filters: { params, clear } }: { filters: Filters }) {
  if (params.size === 0) return null;
  return (
    <Button variant="default" onClick={clear}>
      Clear
    </Button>
  );
}
