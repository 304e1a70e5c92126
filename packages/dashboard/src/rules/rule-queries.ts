import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useHere } from '../client.ts';
import type { Rule } from './rule-draft.ts';

export function useRules() {
  const { client, appId } = useHere();
  return useQuery({
    queryKey: [appId, 'rules'],
    queryFn: async () => {
      const rules: Rule[] = [];
      for await (const rule of client.all('listRulesOfApp', { limit: 100 })) rules.push(rule);
      return rules;
    },
  });
}

export function useLists() {
  const { client, appId } = useHere();
  return useQuery({
    queryKey: [appId, 'lists'],
    queryFn: async () => {
      const lists = [];
      for await (const list of client.all('listKeywordListsOfApp', { limit: 100, terms: false })) lists.push(list);
      return lists;
    },
  });
}

export function useListNames(): ReadonlyMap<string, string> {
  const { data } = useLists();
  return useMemo(() => new Map(data?.map(({ id, name }) => [id, name])), [data]);
}
