import type { Filter, Message, Party, Scalar } from './types.ts';

/**
 * Whether a filter holds. A filter about a party that the message does not have (a group filter on a direct message)
 * does not hold, whatever its operator: such a rule is about other messages.
 */
export function filterHolds(filter: Filter, message: Message): boolean {
  const party = partyOf(filter, message);
  if (party === undefined) return false;
  const actual: unknown = party[filter.operand];
  const wanted = Array.isArray(filter.value) ? (filter.value as readonly Scalar[]) : [filter.value as Scalar];
  const values = Array.isArray(actual) ? (actual as readonly unknown[]) : actual === undefined ? [] : [actual];
  const equal = values.some((value) => wanted.some((want) => String(value) === String(want)));
  const some = (test: (value: unknown, want: Scalar) => boolean): boolean =>
    values.some((value) => wanted.some((want) => test(value, want)));
  switch (filter.operator) {
    case 'equals':
    case 'in':
      return equal;
    case 'notEquals':
    case 'notIn':
      return !equal;
    case 'startsWith':
      return some((value, want) => String(value).startsWith(String(want)));
    case 'endsWith':
      return some((value, want) => String(value).endsWith(String(want)));
    case 'lessThan':
      return some((value, want) => Number(value) < Number(want));
    case 'greaterThan':
      return some((value, want) => Number(value) > Number(want));
  }
}

/**
 * Why a filter can never hold, or nothing. Asked when a rule is written and not by `compile`: a rule that was taken once
 * must not keep the others from judging.
 */
export function whyNeverHolds({ operand, operator, value }: Filter): string | undefined {
  const wanted = [value].flat();
  const [odd] = wanted;
  if (odd === undefined || wanted.some(isNumber) || operator === 'notEquals' || operator === 'notIn') return undefined;
  const shown = JSON.stringify(odd).slice(0, 60);
  if (operand === 'createdAt')
    return `createdAt is a time in seconds since 1970, such as 1767225600, and ${shown} is none`;
  if (operator === 'lessThan' || operator === 'greaterThan')
    return `${operator} compares numbers, and ${shown} is none: such a filter can never hold`;
  return undefined;
}

/** Clients send numbers as texts too. */
function isNumber(value: Scalar): boolean {
  if (typeof value === 'string') return value.trim() !== '' && Number.isFinite(Number(value));
  return typeof value === 'number';
}

function partyOf(filter: Filter, message: Message): Party | undefined {
  if (filter.type === 'sender') return filter.entity === 'user' ? message.sender : undefined;
  return filter.entity === 'user' ? message.receiverUser : message.receiverGroup;
}
