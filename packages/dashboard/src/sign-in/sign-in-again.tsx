import { Stack, Text } from '@mantine/core';
import { Dialog } from '../parts/dialog.tsx';
import { SignInForm } from './sign-in.tsx';

/**
 * Over the page, which stays as it is: a session that ends costs nobody what they were writing. Nothing of it is seen
 * meanwhile, since somebody else may sit there now.
 */
export function SignInAgain({ email }: { email: string }) {
  return (
    <Dialog
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
      title="Sign in again"
    >
      <Stack>
        <Text size="sm">Your session has ended. What you were doing stays as it is.</Text>
        <SignInForm knownEmail={email} />
      </Stack>
    </Dialog>
  );
}
