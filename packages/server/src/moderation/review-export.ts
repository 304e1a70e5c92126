import { csvCell } from './csv.ts';
import { captionsOf, type MessageData } from './message.ts';
import type { ReviewAnswer } from './review.ts';

const head =
  'createdAt,messageId,sender,receiver,receiverType,ruleId,ruleName,action,status,reviewed,flaggedCount,text\r\n';

/** The entries of a queue as lines, as they are read. */
export async function* exportLines(
  entries: AsyncIterable<readonly ReviewAnswer[]>,
  format: 'csv' | 'jsonl',
): AsyncGenerator<string> {
  if (format === 'csv') yield head;
  for await (const some of entries)
    yield some.map((entry) => (format === 'csv' ? csvLine(entry) : `${JSON.stringify(entry)}\n`)).join('');
}

function csvLine(entry: ReviewAnswer): string {
  const message = 'message' in entry ? entry.message : entry;
  const data = 'data' in message ? message.data : undefined;
  const cells = [
    new Date(entry.createdAt * 1000).toISOString(),
    message.id,
    message.sender,
    message.receiver,
    message.receiverType,
    entry.ruleId ?? '',
    entry.ruleName ?? '',
    'action' in entry ? entry.action.join(' ') : 'flagMessage',
    entry.status,
    String(entry.reviewed),
    String(entry.flaggedCount ?? 0),
    textOf(data),
  ];
  return `${cells.map((cell) => csvCell(cell)).join(',')}\r\n`;
}

function textOf(data: MessageData | undefined): string {
  const written = data?.text ?? (data?.customData === undefined ? '' : JSON.stringify(data.customData));
  return [written, ...captionsOf(data)].filter((one) => one !== '').join('\n');
}
