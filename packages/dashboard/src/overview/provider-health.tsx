import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Card } from '../parts/card.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { kindWords } from '../words.ts';
import type { Overview } from './overview.tsx';

export function ProviderHealth({ data }: { data: Overview }) {
  return (
    <Card title="Providers">
      {data.providers.length === 0 ? (
        <Text size="sm" c="dimmed">
          No provider yet: no push can leave.{' '}
          <Anchor component={Link} href="/providers" size="sm" underline="always">
            Add one
          </Anchor>
        </Text>
      ) : (
        <Stack gap="sm">
          {data.providers.map((provider) => (
            <Group key={`${provider.kind} ${provider.providerId}`} justify="space-between" gap="xs">
              <div>
                <Text size="sm" fw={500}>
                  {provider.providerId}
                </Text>
                <Text size="xs" c="dimmed">
                  {kindWords[provider.kind] ?? provider.kind}
                </Text>
              </div>
              <Group gap="xs">
                <Text size="xs" c="dimmed">
                  {provider.lastSuccessAt === undefined ? (
                    'Never sent'
                  ) : (
                    <>
                      Sent <TimeAgo at={provider.lastSuccessAt} />
                    </>
                  )}
                </Text>
                <HealthBadge provider={provider} />
              </Group>
            </Group>
          ))}
        </Stack>
      )}
    </Card>
  );
}

function HealthBadge({ provider }: { provider: Overview['providers'][number] }) {
  const { isPaused, lastErrorAt, lastSuccessAt } = provider;
  if (isPaused)
    return (
      <Badge color="red.9" variant="filled">
        Paused
      </Badge>
    );
  if (lastErrorAt === undefined && lastSuccessAt === undefined) return <Badge variant="default">Not used yet</Badge>;
  const isFailing = lastErrorAt !== undefined && (lastSuccessAt === undefined || lastErrorAt > lastSuccessAt);
  return isFailing ? (
    <Badge color="yellow" variant="filled">
      Failing
    </Badge>
  ) : (
    <Badge color="teal.9" variant="filled">
      Well
    </Badge>
  );
}
