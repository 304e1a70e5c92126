/** Upper bounds in seconds. */
const bounds = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const name = 'gatehouse_http_request_seconds';

/** Requests of one method, route and status: what their log lines have in common, and how long they took. */
class RequestKind {
  readonly method: string;
  readonly status: number;
  readonly text: string;
  private readonly labels: string;
  /** How many ended within each bound and not within the one before; the last one counts those beyond all. */
  private readonly counts = bounds.map(() => 0).concat(0);
  private seconds = 0;

  constructor(method: string, route: string, status: number) {
    this.method = method;
    this.status = status;
    this.text = `"method":${JSON.stringify(method)},"route":${JSON.stringify(route)},"status":${status}`;
    this.labels = `method=${JSON.stringify(method)},route=${JSON.stringify(route)},status="${status}"`;
  }

  took(ms: number): void {
    const seconds = ms / 1000;
    this.seconds += seconds;
    let at = 0;
    while (at < bounds.length && seconds > (bounds[at] ?? 0)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
  }

  metrics(): string {
    let sum = 0;
    const lines = this.counts.map((count, at) => {
      sum += count;
      return `${name}_bucket{le="${bounds[at] ?? '+Inf'}",${this.labels}} ${sum}\n`;
    });
    return `${lines.join('')}${name}_sum{${this.labels}} ${this.seconds}\n${name}_count{${this.labels}} ${sum}\n`;
  }
}

/**
 * Every request is counted here, so that it costs next to nothing: prom-client puts the labels together again for each one,
 * which took longer than writing the log line.
 */
export class RequestKinds {
  private readonly byRoute = new Map<string, RequestKind[]>();

  of(method: string, route: string, status: number): RequestKind {
    let kinds = this.byRoute.get(route);
    if (kinds === undefined) {
      kinds = [];
      this.byRoute.set(route, kinds);
    }
    for (const kind of kinds) if (kind.method === method && kind.status === status) return kind;
    const kind = new RequestKind(method, route, status);
    kinds.push(kind);
    return kind;
  }

  /** In the text format of Prometheus. */
  metrics(): string {
    const kinds = [...this.byRoute.values()].flat();
    return `# HELP ${name} Time to answer a request, by route and status.\n# TYPE ${name} histogram\n${kinds.map((kind) => kind.metrics()).join('')}`;
  }
}
