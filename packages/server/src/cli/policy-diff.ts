import type { GatehouseClient } from '@gatehouse/client';
import { kinds, type Policy, type PolicyKind, type PolicyRecord, policyKinds } from './policy.ts';

/** One step from the policy that is to the policy that should be. */
export type PolicyChange =
  | { kind: PolicyKind; id: string; does: 'create' | 'replace'; record: PolicyRecord; says: string[] }
  | { kind: PolicyKind; id: string; does: 'delete'; says: string[] };

/** In the order in which they can be made: no rule is without its list at any moment. */
export function compare(is: Policy, wanted: Policy, options: { prune: boolean }): PolicyChange[] {
  const changes: PolicyChange[] = [];
  for (const kind of policyKinds) {
    for (const [id, file] of wanted[kind]) {
      const record = kinds[kind].normal(file, id);
      const before = is[kind].get(id);
      if (before === undefined) changes.push({ kind, id, does: 'create', record, says: [] });
      else {
        const says = differences(before, record);
        if (says.length > 0) changes.push({ kind, id, does: 'replace', record, says });
      }
    }
  }
  if (options.prune)
    for (const kind of policyKinds.toReversed())
      for (const id of is[kind].keys())
        if (kind !== 'settings' && !wanted[kind].has(id) && !is.untouched.has(`${kind}/${id}`))
          changes.push({ kind, id, does: 'delete', says: [] });
  return changes;
}

/** For people: one line a change. */
export function describe(change: PolicyChange): string {
  const what = `${kinds[change.kind].one} ${change.id}`;
  const sign = { create: '+', replace: '~', delete: '-' }[change.does];
  return `${sign} ${what}${change.says.length > 0 ? `: ${change.says.join('; ')}` : ''}`;
}

export async function make(client: GatehouseClient, change: PolicyChange): Promise<void> {
  const kind = kinds[change.kind];
  if (change.does === 'delete') await kind.remove(client, change.id);
  else await kind[change.does](client, change.id, change.record);
}

function differences(before: PolicyRecord, after: PolicyRecord): string[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    const was = before[field];
    const is = after[field];
    if (JSON.stringify(sorted(was)) === JSON.stringify(sorted(is))) return [];
    if (field === 'searchTerms' && Array.isArray(was) && Array.isArray(is)) return [termDifference(was, is)];
    return [`${field} ${short(was)} -> ${short(is)}`];
  });
}

function termDifference(was: unknown[], is: unknown[]): string {
  const before = new Set(was);
  const after = new Set(is);
  const added = is.filter((term) => !before.has(term)).length;
  const removed = was.filter((term) => !after.has(term)).length;
  return `terms +${added} -${removed}`;
}

/** The order of keys says nothing. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
