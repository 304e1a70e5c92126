import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';

/** The numbers that OTLP gives to kinds of spans. */
export const spanKinds = { server: 2, client: 3, consumer: 5 } as const;

/** Bounded values only: never a path, an id of an app or a person, a token or a text. */
export type Attributes = Record<string, string | number>;

/** Something that took its time, as a part of something larger. */
export interface Span {
  readonly name: string;
  readonly kind: (typeof spanKinds)[keyof typeof spanKinds];
  /** 32 and 16 hex digits. */
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string | undefined;
  /** One that is not is handed on by its ids and told to nobody. */
  readonly isSampled: boolean;
  readonly attributes: Attributes;
  /** Milliseconds since 1970, with fractions. */
  readonly began: number;
  ended: number;
  /** Set when it failed, by a word of ours. */
  error: string | undefined;
}

/** What comes before a span: one of ours, or one of the caller's by its ids. */
export type Parent = Pick<Span, 'traceId' | 'id' | 'isSampled'>;

/** Makes spans and knows which one is being worked on. There is none where no collector is set: then nothing here runs. */
export class Tracer {
  private readonly ratio: number;
  private readonly tell: (span: Span) => void;
  private readonly context = new AsyncLocalStorage<Span>();

  /** `ratio` of the traces that begin here are told; one that began elsewhere is told if it is there. */
  constructor(ratio: number, tell: (span: Span) => void) {
    this.ratio = ratio;
    this.tell = tell;
  }

  get current(): Span | undefined {
    return this.context.getStore();
  }

  begin(name: string, kind: Span['kind'], attributes: Attributes, parent: Parent | undefined): Span {
    const random = randomBytes(24).toString('hex');
    const traceId = parent?.traceId ?? random.slice(16);
    return {
      name,
      kind,
      traceId,
      id: random.slice(0, 16),
      parentId: parent?.id,
      isSampled: parent?.isSampled ?? isChosen(traceId, this.ratio),
      attributes,
      began: performance.timeOrigin + performance.now(),
      ended: 0,
      error: undefined,
    };
  }

  end(span: Span): void {
    span.ended = performance.timeOrigin + performance.now();
    if (span.isSampled) this.tell(span);
  }

  /** What is begun inside belongs to the span. */
  within<T>(span: Span, work: () => T): T {
    return this.context.run(span, work);
  }

  /** The whole of `work` is one span, however it ends. */
  async around<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await this.context.run(span, work);
    } catch (error) {
      span.error = error instanceof Error ? error.name : 'thrown';
      throw error;
    } finally {
      this.end(span);
    }
  }
}

/** The same trace is chosen or not by every process: its own digits decide. */
function isChosen(traceId: string, ratio: number): boolean {
  return Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
}

const pattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** The W3C header. One that is damaged is as good as none. */
export function parseTraceparent(header: string | undefined): Parent | undefined {
  const [, traceId, id, flags] = pattern.exec(header ?? '') ?? [];
  if (traceId === undefined || id === undefined || flags === undefined) return undefined;
  return { traceId, id, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function toTraceparent({ traceId, id, isSampled }: Parent): string {
  return `00-${traceId}-${id}-${isSampled ? '01' : '00'}`;
}
