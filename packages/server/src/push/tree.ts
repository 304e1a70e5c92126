import type { Problems } from '../errors.ts';

/** A tree of settings: objects all the way down to numbers, booleans and text. */
export type Leaf = string | number | boolean;
export type Tree = { [name: string]: Leaf | Tree };

/** Trees are changed by saying only what changes. The model is the tree of defaults: it knows every name and every kind of value. */
export const tree = { check, merge, only };

const wanted = { number: 'a number', boolean: 'true or false', string: 'text', object: 'an object' } as const;

/** What is not in the model is ignored, as the platform does; what is must be of the same kind. */
function check(model: object, patch: object, path: string, problems: Problems): void {
  for (const [name, standard] of Object.entries(model) as [string, unknown][]) {
    const value: unknown = Object.hasOwn(patch, name) ? (patch as Record<string, unknown>)[name] : undefined;
    if (value === undefined) continue;
    const field = path === '' ? name : `${path}.${name}`;
    const kind = typeof standard;
    if (typeof value !== kind || value === null || Array.isArray(value)) {
      if (kind in wanted) problems.add(field, `Must be ${wanted[kind as keyof typeof wanted]}.`);
    } else if (typeof value === 'object') check(standard as object, value, field, problems);
    else checkLeaf(name, value as Leaf, field, problems);
  }
}

/** Of these there are no mentions to choose: one is told or not. */
const offOrOn = /\bcall(?:Preferences)?\.|member|dnd|Edited|Deleted/i;

function checkLeaf(name: string, value: Leaf, field: string, problems: Problems): void {
  if (typeof value === 'string' && value.length > 2000) problems.add(field, 'Must have at most 2000 characters.');
  if (typeof value !== 'number') return;
  if (name === 'from' || name === 'to') {
    if (!Number.isInteger(value) || value < 0 || value > 2359 || value % 100 > 59)
      problems.add(field, 'Must be a time of day as HHMM, 0 to 2359.');
  } else if (offOrOn.test(field)) {
    if (![1, 2].includes(value)) problems.add(field, 'Must be 1 or 2.');
  } else if (![1, 2, 3].includes(value)) problems.add(field, 'Must be 1, 2 or 3.');
}

function merge<M extends object>(model: M, patch: Tree): M {
  const merged: Record<string, unknown> = Object.fromEntries(Object.entries(model));
  for (const [name, value] of Object.entries(patch)) {
    const old = merged[name];
    merged[name] = typeof value === 'object' && typeof old === 'object' && old !== null ? merge(old, value) : value;
  }
  return merged as M;
}

/** The part of the patch that the model knows. */
function only(model: object, patch: Tree): Tree {
  const known: Tree = {};
  for (const [name, standard] of Object.entries(model) as [string, unknown][]) {
    const value = Object.hasOwn(patch, name) ? patch[name] : undefined;
    if (value === undefined) continue;
    known[name] = typeof value === 'object' ? only(standard as object, value) : value;
  }
  return known;
}
