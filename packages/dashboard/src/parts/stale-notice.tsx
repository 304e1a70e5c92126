import { GatehouseUnreachable } from '@gatehouse/client';
import { Alert, Button, Group, Text } from '@mantine/core';
import { type Query, type QueryState, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { isSignedOut, messageOf } from '../client.ts';
import { TimeAgo } from './time-ago.tsx';

const againMs = 15_000;

/** It is on the screen, it was read once, and the last attempt to read it again failed. */
function isStale({ state, observers }: Query): boolean {
  return (
    observers.length > 0 &&
    state.status === 'error' &&
    state.data !== undefined &&
    // A next page that did not come says so itself, and a session that ended asks to sign in.
    state.fetchMeta?.fetchMore?.direction !== 'forward' &&
    !isSignedOut(state.error)
  );
}

/** What was read before looks like what is now: when it cannot be read again, that is said on top. */
export function StaleNotice() {
  const client = useQueryClient();
  const watch = useCallback((onChange: () => void) => client.getQueryCache().subscribe(onChange), [client]);
  const state: QueryState<unknown, Error> | undefined = useSyncExternalStore(watch, () =>
    client
      .getQueryCache()
      .findAll({ predicate: isStale })
      .map((query) => query.state)
      .reduce<QueryState<unknown, Error> | undefined>(
        (oldest, one) => (oldest === undefined || one.dataUpdatedAt < oldest.dataUpdatedAt ? one : oldest),
        undefined,
      ),
  );
  const again = useCallback(() => void client.refetchQueries({ predicate: isStale }), [client]);
  const hasStale = state !== undefined;
  useEffect(() => {
    if (!hasStale) return;
    const timer = setInterval(again, againMs);
    return () => clearInterval(timer);
  }, [hasStale, again]);
  if (state === undefined) return null;
  const isAway = state.error instanceof GatehouseUnreachable || state.error instanceof TypeError;
  return (
    <Alert color="orange" p="sm" mb="md" role="alert">
      <Group justify="space-between" gap="xs">
        <Text size="sm">
          {isAway ? 'The service does not answer.' : `This could not be read again: ${messageOf(state.error)}`} What you
          see was read <TimeAgo at={state.dataUpdatedAt} /> and may have changed.
        </Text>
        <Button size="xs" variant="default" onClick={again}>
          Try again
        </Button>
      </Group>
    </Alert>
  );
}
