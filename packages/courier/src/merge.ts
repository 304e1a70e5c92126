import type { JsonObject, JsonValue } from './notification.ts';

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `over` on top of `base`, object by object; arrays and plain values replace. */
export function mergeJson(base: JsonObject, over: JsonObject | undefined): JsonObject {
  if (over === undefined) return base;
  const merged: { [key: string]: JsonValue } = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const joined = isObject(value) && isObject(below) ? mergeJson(below, value) : value;
    // A key such as __proto__ must become a field, not a prototype.
    Object.defineProperty(merged, key, { value: joined, enumerable: true, writable: true, configurable: true });
  }
  return merged;
}

/** A copy without the fields that are undefined. */
export function defined(fields: { readonly [key: string]: JsonValue | undefined }): JsonObject {
  const kept: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) kept[key] = value;
  return kept;
}
