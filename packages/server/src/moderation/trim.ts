import type { Match, Verdict } from '@gatehouse/judge';

/** A message can hold a word ten thousand times; the first hundred matches of each rule say all there is to say. */
const matchesPerRule = 100;

export function trimmed(verdict: Verdict): Verdict {
  if (verdict.matches.length <= matchesPerRule && verdict.shadow.length <= matchesPerRule) return verdict;
  return { ...verdict, matches: firstOfEach(verdict.matches), shadow: firstOfEach(verdict.shadow) };
}

function firstOfEach(matches: readonly Match[]): Match[] {
  const counts = new Map<string, number>();
  return matches.filter(({ ruleId }) => {
    const count = (counts.get(ruleId) ?? 0) + 1;
    counts.set(ruleId, count);
    return count <= matchesPerRule;
  });
}
