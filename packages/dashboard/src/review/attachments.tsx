import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useHere } from '../client.ts';
import type { Attachment } from './entries.ts';
import classes from './review.module.css';

/** Nobody has to see what they did not ask for: nothing is loaded until asked for, and it comes blurred and grey. */
export function Attachments({ messageId, attachments }: { messageId: string; attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <Stack gap="sm">
      {attachments.map((attachment, i) => (
        <One key={attachment.url} messageId={messageId} attachment={attachment} index={i} />
      ))}
    </Stack>
  );
}

export function attachmentName(attachment: Attachment | undefined, index: number): string {
  return attachment?.name || `Attachment ${index + 1}`;
}

function One({ messageId, attachment, index }: { messageId: string; attachment: Attachment; index: number }) {
  const [isAsked, setAsked] = useState(false);
  const name = attachmentName(attachment, index);
  const isSound = attachment.mimeType.startsWith('audio/');
  return (
    <div>
      <Text size="sm" fw={500}>
        <bdi>{name}</bdi>{' '}
        <Text span size="xs" c="dimmed">
          {attachment.mimeType}
        </Text>
      </Text>
      {isSound && (
        <Text size="xs" c="dimmed" component="div">
          Sound is not played here. Its address: <bdi>{attachment.url}</bdi>
        </Text>
      )}
      {!isSound && !isAsked && (
        <Button size="xs" variant="default" mt={4} onClick={() => setAsked(true)}>
          Load it, blurred
        </Button>
      )}
      {isAsked && <Fetched messageId={messageId} index={index} name={name} />}
    </div>
  );
}

/**
 * The service fetches it, up to a size, and this browser asks nobody else. What it is, the service says by its bytes: a
 * sender may call a film a picture. It is held here whole, so looking at it twice asks nobody twice.
 */
function useMedia(messageId: string, index: number) {
  const { appId } = useHere();
  const media = useQuery({
    queryKey: [appId, 'attachment', messageId, index],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const path = `/apps/${appId}/moderation/review-attachments/${encodeURIComponent(messageId)}?index=${index}`;
      const answer = await fetch(path, { signal });
      return answer.ok ? await answer.blob() : null;
    },
  });
  const [url, setUrl] = useState<string>();
  const blob = media.data;
  useEffect(() => {
    if (blob === undefined || blob === null) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return { url, isVideo: blob?.type.startsWith('video/') === true, isFailed: media.error !== null || blob === null };
}

function Fetched({ messageId, index, name }: { messageId: string; index: number; name: string }) {
  const { url, isVideo, isFailed } = useMedia(messageId, index);
  const [isClear, setClear] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const film = useRef<HTMLVideoElement>(null);
  const toggle = (): void => {
    film.current?.pause();
    setClear(!isClear);
  };
  if (isFailed || isBroken)
    return (
      <Text size="sm" c="dimmed" role="status">
        It could not be fetched, is too large, or is neither a picture nor a film that can be shown.
      </Text>
    );
  if (url === undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        It is being fetched…
      </Text>
    );
  const shown = {
    className: classes.blurred,
    'data-hidden': !isClear,
    src: url,
    onError: () => setBroken(true),
  };
  return (
    <Stack gap="xs" align="flex-start">
      {isVideo ? (
        <video
          {...shown}
          ref={film}
          controls={isClear}
          muted
          playsInline
          aria-label={isClear ? name : `${name}, blurred`}
        />
      ) : (
        <img {...shown} alt={isClear ? name : `${name}, blurred`} />
      )}
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={toggle}>
          {isClear ? 'Blur it again' : 'Show it clearly'}
        </Button>
        {isVideo && !isClear && (
          <Text size="xs" c="dimmed">
            A film: it can be played once it is clear, and begins without sound.
          </Text>
        )}
      </Group>
    </Stack>
  );
}
