import type { ErrorCode } from './generated/types.ts';

interface ErrorBody {
  error?: { code?: unknown; message?: unknown; details?: unknown };
}

/** The service answered, and the answer was no. `code` says why, `details` what to mend in which field. */
export class GatehouseError extends Error {
  readonly status: number;
  readonly code: ErrorCode | (string & {});
  readonly details: Record<string, string[]>;
  /** Find it in the service's log. */
  readonly requestId: string | undefined;
  /** How often the request was sent before this answer was final. */
  readonly tries: number;

  constructor(response: Response, text: string, tries: number) {
    const { code, message, details } = partsOf(text);
    super([message ?? `The service answered ${response.status}.`, ...sentencesOf(details)].join(' '));
    this.name = 'GatehouseError';
    this.status = response.status;
    this.code = code ?? `HTTP_${response.status}`;
    this.details = details;
    this.requestId = response.headers.get('x-request-id') ?? undefined;
    this.tries = tries;
  }
}

/** No answer came: the service cannot be reached, or took too long. `cause` has what fetch said. */
export class GatehouseUnreachable extends Error {
  readonly tries: number;

  constructor(url: string, tries: number, cause: unknown) {
    const reason = cause instanceof Error ? (cause.name === 'TimeoutError' ? 'no answer in time' : cause.message) : '';
    super(`${new URL(url).origin} cannot be reached${reason === '' ? '' : `: ${reason}`}`, { cause });
    this.name = 'GatehouseUnreachable';
    this.tries = tries;
  }
}

/** So that a log line says what to mend, without anybody looking into `details`. */
function sentencesOf(details: Record<string, string[]>): string[] {
  return Object.entries(details).map(([field, sentences]) => `${field}: ${sentences.join(' ')}`);
}

/** What stands between us and the service (a proxy) may answer anything. */
function partsOf(text: string) {
  let body: ErrorBody | null;
  try {
    body = JSON.parse(text) as ErrorBody | null;
  } catch {
    body = null;
  }
  const { code, message, details } = body?.error ?? {};
  return {
    code: typeof code === 'string' ? code : undefined,
    message: typeof message === 'string' ? message : undefined,
    details: typeof details === 'object' && details !== null ? (details as Record<string, string[]>) : {},
  };
}
