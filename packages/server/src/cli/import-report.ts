/** What an import did, what it could not do, and what the reader must do now. */
export interface ImportReport {
  carried: Record<string, number>;
  /** Carried over before, and the same there since. */
  unchanged: number;
  notCarried: { what: string; reason: string }[];
  /** Carried over, but worth a look. */
  lookAt: { what: string; reason: string }[];
  /** Their keys are secret, and no platform tells them. */
  providersToAdd: { kind: string; providerId: string; file: string; command: string }[];
}

export function newReport(): ImportReport {
  return { carried: {}, unchanged: 0, notCarried: [], lookAt: [], providersToAdd: [] };
}

export function count(report: ImportReport, kind: string, more = 1): void {
  report.carried[kind] = (report.carried[kind] ?? 0) + more;
}

const linesShown = 20;

export function reportText(report: ImportReport): string {
  const carried = Object.entries(report.carried).map(([kind, n]) => `  ${kind.padEnd(10)} ${n}`);
  return [
    'Carried over:',
    ...(carried.length > 0 ? carried : ['  nothing new']),
    ...(report.unchanged > 0 ? [`  (${report.unchanged} were here already)`] : []),
    ...section('Not carried over:', report.notCarried),
    ...section('Look at these:', report.lookAt),
    ...(report.providersToAdd.length > 0
      ? ['Providers to add, with your own keys; then run the import again for their tokens:']
      : []),
    ...report.providersToAdd.map(({ command }) => `  ${command}`),
    '',
  ].join('\n');
}

function section(title: string, items: readonly { what: string; reason: string }[]): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, linesShown).map(({ what, reason }) => `  ${what}: ${reason}`);
  const rest = items.length - shown.length;
  return [title, ...shown, ...(rest > 0 ? [`  and ${rest} more; --report <file> has them all`] : [])];
}
