/** What an error says. One that stands for several addresses tried at once says nothing itself. */
export function wordsOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '')
    return [...new Set(error.errors.map(wordsOf))].join('; ');
  return error instanceof Error ? error.message : String(error);
}
