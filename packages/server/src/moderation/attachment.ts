import { ApiError } from '../errors.ts';
import type { Reader } from '../store/store.ts';
import type { Outside } from '../webhooks/outside.ts';
import { mediaTypeOf } from './media-type.ts';
import type { Standing } from './message.ts';

export interface AttachmentOptions {
  bytesMax: number;
  timeoutMs: number;
}

/**
 * A picture or a film of a caught message, fetched for a moderator through the guard: their browser asks nobody but this
 * server, and whoever sent it does not learn who looks at it. It comes whole or not at all, up to a size, and is what its
 * bytes say, not what its sender calls it.
 */
export async function fetchAttachment(
  store: Reader,
  outside: Outside,
  options: AttachmentOptions,
  { appId, messageId, index }: { appId: string; messageId: string; index: number },
): Promise<{ mimeType: string; bytes: Buffer }> {
  const row = await store.get<{ content: string | null }>(
    'SELECT content FROM review_entries WHERE app_id = $1 AND message_id = $2 AND content IS NOT NULL ORDER BY created_at DESC LIMIT 1',
    [appId, messageId],
  );
  const message = row && (JSON.parse(row.content ?? '{}') as Standing);
  const url = message?.data?.attachments?.[index]?.url;
  if (url === undefined) throw new ApiError('ERR_ATTACHMENT_NOT_FOUND');
  const asked = await outside.ask({
    url,
    method: 'GET',
    timeoutMs: options.timeoutMs,
    answerBytesMax: options.bytesMax,
    isWholeNeeded: true,
    redirectsMax: 3,
    allowHttp: true,
  });
  if (asked.kind !== 'answered' || asked.status !== 200 || asked.isCut) throw new ApiError('ERR_ATTACHMENT_NOT_FOUND');
  const type = mediaTypeOf(asked.body);
  if (type === undefined) throw new ApiError('ERR_ATTACHMENT_NOT_FOUND');
  return { mimeType: type.mimeType, bytes: asked.body };
}
