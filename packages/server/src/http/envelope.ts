import { Type } from '#typebox';
import { catalogue, type ErrorCode, type ErrorDetails } from '../errors.ts';

export const errorEnvelope = Type.Object(
  {
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      devMessage: Type.String(),
      details: Type.Record(Type.String(), Type.Array(Type.String())),
      source: Type.String(),
    }),
  },
  { $id: 'Error', description: 'What went wrong, and what to mend. On 400 details maps each field to sentences.' },
);

export function errorBody(code: ErrorCode, message: string, requestId: string, details: ErrorDetails = {}) {
  return { error: { code, message, devMessage: `${message} (request ${requestId})`, details, source: 'gatehouse' } };
}

/** One response a status, with every code that has it. */
export function errorResponses(codes: readonly ErrorCode[]): Record<number, object> {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes)
    byStatus.set(catalogue[code].status, [...(byStatus.get(catalogue[code].status) ?? []), code]);
  const responses: Record<number, object> = {};
  for (const [status, group] of [...byStatus].sort(([a], [b]) => a - b)) {
    const [first] = group;
    if (first === undefined) continue;
    responses[status] = {
      description: group.map((code) => `${code}: ${catalogue[code].message}`).join('\n\n'),
      content: {
        'application/json': {
          schema: { $ref: 'Error#' },
          example: errorBody(first, catalogue[first].message, 'a1b2c3'),
        },
      },
    };
  }
  return responses;
}

export const success = Type.Object({
  data: Type.Object({ success: Type.Boolean(), message: Type.Optional(Type.String()) }),
});
