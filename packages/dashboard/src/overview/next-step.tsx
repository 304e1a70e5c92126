import { Anchor, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useHere } from '../client.ts';
import { CopyLine } from '../parts/copy.tsx';
import type { Overview } from './overview.tsx';

interface Step {
  title: string;
  about: string;
  href: string;
  where: string;
  /** With <...> where a secret goes: the page does not know any. */
  curl: string;
}

function stepOf(setup: Overview['setup'], appId: string): Step | undefined {
  const origin = location.origin;
  if (!setup.hasJudged)
    return {
      title: 'Judge your first message',
      about: 'Send one from your back end, with an API key of the app, or try it on the Rules screen.',
      href: '/keys/api',
      where: 'Make an API key',
      curl: `curl ${origin}/v3/moderation/messages -H 'apikey: <API key>' -H 'appId: ${appId}' -H 'Content-Type: application/json' \\\n  -d '{"sender":"ada","receiver":"grace","receiverType":"user","type":"text","data":{"text":"The butler did it"}}'`,
    };
  if (!setup.hasProviders)
    return {
      title: 'Add a push provider',
      about: 'Drop the key file of Apple or Google. Without an account there, gatehouse simulate stands in for them.',
      href: '/providers',
      where: 'Add a provider',
      curl: `npx gatehouse simulate`,
    };
  if (!setup.hasTokens)
    return {
      title: 'Register a device',
      about: "Your app does this when a user allows notifications, with the user's own auth token.",
      href: '/tokens',
      where: 'See the tokens',
      curl: `curl ${origin}/v3/notifications/push/v1/tokens -H 'authToken: <auth token>' -H 'appId: ${appId}' -H 'Content-Type: application/json' \\\n  -d '{"platform":"apns_ios_device","providerId":"<provider>","deviceToken":"<device token>"}'`,
    };
  if (!setup.hasSent)
    return {
      title: 'Send your first push',
      about: 'To a user, a device or everybody.',
      href: '/notifications/compose',
      where: 'Compose it here',
      curl: `curl ${origin}/v3/notifications/push/v1/notifications -H 'apikey: <API key>' -H 'appId: ${appId}' -H 'Content-Type: application/json' \\\n  -d '{"to":{"uids":["grace"]},"title":"Hello","body":"It works"}'`,
    };
  return undefined;
}

/** For who has just begun: the one thing to do next, here or from a terminal. */
export function NextStep({ setup }: { setup: Overview['setup'] }) {
  const { appId, isOwner } = useHere();
  const step = stepOf(setup, appId);
  if (step === undefined || !isOwner) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label="Next step">
      <Stack gap="xs">
        <Title order={2} size="h4">
          Next: {step.title}
        </Title>
        <Text size="sm">
          {step.about}{' '}
          <Anchor component={Link} href={step.href} size="sm" underline="always">
            {step.where}
          </Anchor>
        </Text>
        <CopyLine label="From a terminal" value={step.curl} />
      </Stack>
    </Paper>
  );
}
