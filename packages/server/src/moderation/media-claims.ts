import type { MediaKind } from './evidence.ts';
import type { Medium } from './media.ts';
import type { MessageRequest } from './message.ts';

type Claiming = Pick<MessageRequest, 'type' | 'data'>;
type Attachment = NonNullable<NonNullable<MessageRequest['data']>['attachments']>[number];

/** The attachments that a client would show as a picture or play as a film, of the kinds that are asked for. */
export function claimedMedia({ type, data }: Claiming, wanted: readonly MediaKind[]): Medium[] {
  const media: Medium[] = [];
  for (const attachment of data?.attachments ?? []) {
    const kind = claimedKindsOf(attachment, type).find((claimed) => wanted.includes(claimed));
    if (kind !== undefined) media.push({ kind, url: attachment.url });
  }
  return media;
}

const extensions = new Map<string, MediaKind>([
  ...['jpg', 'jpeg', 'jpe', 'jfif', 'png', 'gif', 'webp', 'avif', 'heic', 'heif', 'bmp', 'tif', 'tiff', 'svg'].map(
    (name) => [name, 'image'] as const,
  ),
  ...['mp4', 'm4v', 'mov', 'qt', 'webm', 'mkv', 'avi', 'flv', 'ogv', 'mpg', 'mpeg', 'ts', '3gp', '3g2'].map(
    (name) => [name, 'video'] as const,
  ),
]);

/** What the message says an attachment is, the surest first; it may say two things. */
function claimedKindsOf({ mimeType, extension, name, url }: Attachment, messageType?: string): MediaKind[] {
  const kinds: MediaKind[] = [];
  const claim = (text: string | undefined): void => {
    if (text === 'image' || text === 'video') kinds.push(text);
  };
  claim(mimeType?.toLowerCase().split('/')[0]);
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname : url;
  for (const text of [extension, name, path])
    claim(extensions.get(/[a-z0-9]+$/.exec(text?.toLowerCase() ?? '')?.[0] ?? ''));
  claim(messageType);
  return kinds;
}
