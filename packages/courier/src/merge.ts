import type { JsonObject, JsonValue } from './notification.ts';

/** JSON in the making: fields that are undefined are left out when it is written. */
export type Draft = { readonly [key: string]: JsonValue | Draft | undefined };

function isObject(value: JsonValue | Draft | undefined): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `over` on top of `base`, object by object; arrays and plain values replace. */
export function mergeJson(base: Draft, over: JsonObject | undefined): Draft {
  if (over === undefined) return base;
  const merged: { [key: string]: JsonValue | Draft | undefined } = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const joined = isObject(value) && isObject(below) ? mergeJson(below, value) : value;
    // A key such as __proto__ must become a field, not a prototype.
    Object.defineProperty(merged, key, { value: joined, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

/** The draft, or undefined if nothing in it would be written. */
export function unlessEmpty(draft: Draft): Draft | undefined {
  for (const key in draft) if (draft[key] !== undefined) return draft;
  return undefined;
}
