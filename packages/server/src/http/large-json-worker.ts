/** The entry of the thread that parses large bodies. */
import { parentPort } from 'node:worker_threads';
import { ApiError, type ErrorDetails } from '../errors.ts';
import { parseBody } from './json.ts';

/** Texts of an array, many to a piece and one a line: a million of them one by one would take the receiver as long as parsing. */
export interface PackedTexts {
  key: string;
  pieces: string[];
}
export type LargeJsonAnswer = { id: number } & (
  | { value: unknown; packed: PackedTexts[] }
  | { refused: ErrorDetails }
  | { broken: string }
);

const textsPerPiece = 1000;

if (parentPort === null) throw new Error('large-json-worker.ts is the entry of a worker thread.');
const port = parentPort;
port.on('message', ({ id, body }: { id: number; body: Uint8Array }) => port.postMessage(answerTo(id, body)));

function answerTo(id: number, body: Uint8Array): LargeJsonAnswer {
  try {
    const value = parseBody(body);
    return { id, value, packed: pack(value) };
  } catch (error) {
    if (error instanceof ApiError && error.details !== undefined) return { id, refused: error.details };
    return { id, broken: error instanceof Error ? error.message : String(error) };
  }
}

/** Takes the long arrays of texts out of an object, leaving their places. */
function pack(value: unknown): PackedTexts[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const fields = value as Record<string, unknown>;
  return Object.keys(fields).flatMap((key) => {
    const texts = fields[key];
    if (!Array.isArray(texts) || texts.length <= textsPerPiece || !texts.every(isOneLine)) return [];
    const pieces: string[] = [];
    for (let i = 0; i < texts.length; i += textsPerPiece) pieces.push(texts.slice(i, i + textsPerPiece).join('\n'));
    fields[key] = [];
    return [{ key, pieces }];
  });
}

function isOneLine(text: unknown): boolean {
  return typeof text === 'string' && !text.includes('\n');
}
