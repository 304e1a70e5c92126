import { Alert, Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core';
import { Dialog } from './dialog.tsx';

/** A line to paste elsewhere. */
export function CopyLine({ label, value }: { label: string; value: string }) {
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {label}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block flex={1} fz="sm" tabIndex={0} aria-label={label} style={{ whiteSpace: 'pre-wrap' }}>
          {value}
        </Code>
        <CopyButton value={value}>
          {({ copied, copy }) => (
            <Button size="xs" variant="default" onClick={copy} aria-label={`Copy ${label}`}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}

interface SecretProps {
  title: string;
  secrets: readonly { label: string; value: string }[] | undefined;
  onClose: () => void;
}

/** A secret is shown this once. */
export function SecretOnce({ title, secrets, onClose }: SecretProps) {
  return (
    <Dialog
      opened={secrets !== undefined}
      onClose={onClose}
      title={title}
      size="lg"
      // Nothing but the button closes it: it would be lost.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">Copy it now: it is shown once, and nobody can read it again.</Alert>
        {secrets?.map(({ label, value }) => (
          <CopyLine key={label} label={label} value={value} />
        ))}
        <Group>
          <Button onClick={onClose}>I have it</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
