import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
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

function One({ messageId, attachment, index }: { messageId: string; attachment: Attachment; index: number }) {
  const { appId } = useHere();
  const [step, setStep] = useState<'asked' | 'blurred' | 'clear' | 'failed'>('asked');
  const name = attachment.name || `Attachment ${index + 1}`;
  const source = `/apps/${appId}/moderation/review-attachments/${encodeURIComponent(messageId)}?index=${index}`;
  const isPicture = !attachment.mimeType.startsWith('video/') && !attachment.mimeType.startsWith('audio/');
  return (
    <div>
      <Text size="sm" fw={500}>
        <bdi>{name}</bdi>{' '}
        <Text span size="xs" c="dimmed">
          {attachment.mimeType}
        </Text>
      </Text>
      {step === 'asked' && isPicture && (
        <Button size="xs" variant="default" onClick={() => setStep('blurred')}>
          Load it, blurred
        </Button>
      )}
      {!isPicture && (
        <Text size="xs" c="dimmed" component="div">
          {attachment.url}
        </Text>
      )}
      {step === 'failed' && (
        <Text size="sm" c="dimmed">
          It could not be fetched, or it is not a picture that can be shown.
        </Text>
      )}
      {(step === 'blurred' || step === 'clear') && (
        <Stack gap="xs" align="flex-start">
          <img
            className={classes.blurred}
            data-hidden={step === 'blurred'}
            src={source}
            alt={step === 'blurred' ? `${name}, blurred` : name}
            onError={() => setStep('failed')}
          />
          <Button size="xs" variant="default" onClick={() => setStep(step === 'blurred' ? 'clear' : 'blurred')}>
            {step === 'blurred' ? 'Show it clearly' : 'Blur it again'}
          </Button>
        </Stack>
      )}
    </div>
  );
}
