const forgetters: (() => void)[] = [];

/** What was begun stays while one looks elsewhere in the page; whoever signs in next does not find it. */
export function keptUntilSignOut<T>(): Map<string, T> {
  const kept = new Map<string, T>();
  forgetters.push(() => kept.clear());
  return kept;
}

export function forgetKept(): void {
  for (const forget of forgetters) forget();
}
