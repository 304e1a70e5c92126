import type { MediaKind } from './evidence.ts';
import type { Medium } from './media.ts';
import type { MessageRequest } from './message.ts';

type Claiming = Pick<MessageRequest, 'type' | 'data'>;
type Attachment = NonNullable<NonNullable<MessageRequest['data']>['attachments']>[number];

const noKinds: ReadonlySet<MediaKind> = new Set();

/** Everything that the message says its attachments are. */
export function claimedKinds({ type, data }: Claiming): ReadonlySet<MediaKind> {
  const attachments = data?.attachments;
  if (attachments === undefined || attachments.length === 0) return noKinds;
  return new Set(attachments.flatMap((attachment) => claimedKindsOf(attachment, type)));
}

/** The attachments that a client would show as a picture or play as a film, of the kinds that are asked for. */
export function claimedMedia({ type, data }: Claiming, wanted: readonly MediaKind[]): Medium[] {
  const media: Medium[] = [];
  for (const [index, attachment] of (data?.attachments ?? []).entries()) {
    const claimed = claimedKindsOf(attachment, type).filter((kind) => wanted.includes(kind));
    const [kind, ...alsoClaimed] = new Set(claimed);
    if (kind !== undefined) media.push({ index, kind, alsoClaimed, url: attachment.url });
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
  claim(mimeType?.toLowerCase().split('/')[0]?.trim());
  const path = url !== undefined && URL.canParse(url) ? new URL(url).pathname : url;
  for (const text of [extension, name, path])
    claim(extensions.get(/[a-z0-9]+$/.exec(text?.toLowerCase().trim() ?? '')?.[0] ?? ''));
  claim(messageType);
  return kinds;
}
