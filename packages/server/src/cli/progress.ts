/** A bar on standard error for work that takes long; nothing where nobody watches, so that logs stay readable. */
export interface Progress {
  /** `total` may become known, or grow, on the way. */
  at(done: number, total: number | undefined): void;
  end(): void;
}

const barWidth = 24;
const redrawMs = 100;

export function startProgress(label: string, out: NodeJS.WriteStream = process.stderr): Progress {
  if (!out.isTTY) return { at: () => {}, end: () => {} };
  const startedAt = Date.now();
  let drawnAt = 0;
  return {
    at(done, total) {
      const now = Date.now();
      if (now - drawnAt < redrawMs) return;
      drawnAt = now;
      const line = `${label} ${barOf(done, total)} ${Math.round((now - startedAt) / 1000)} s`;
      out.write(`\r${line.slice(0, Math.max(20, (out.columns || 80) - 1))}\u001b[K`);
    },
    end() {
      if (drawnAt > 0) out.write('\r\u001b[K');
    },
  };
}

function barOf(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return done.toLocaleString('en');
  const part = Math.min(1, done / total);
  const filled = Math.round(part * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}] ${Math.floor(part * 100)} %`;
}
