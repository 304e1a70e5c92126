import { Alert, Button, Center } from '@mantine/core';
import { messageOf } from '../client.ts';

export interface MoreProps {
  /** There is more where these came from. */
  hasMore: boolean;
  isLoadingMore: boolean;
  /** Why the next page did not come. */
  moreError: Error | null;
  onMoreAgain: () => void;
}

/** Below a list that is read page by page: why the rest is missing, and the way to ask for it by hand. */
export function More({ hasMore, isLoadingMore, moreError, onMoreAgain }: MoreProps) {
  return (
    <>
      {moreError !== null && (
        <Alert color="red" role="alert" title="The rest could not be read">
          {messageOf(moreError)}
        </Alert>
      )}
      {hasMore && (
        <Center>
          <Button size="xs" variant="default" loading={isLoadingMore} onClick={onMoreAgain}>
            More
          </Button>
        </Center>
      )}
    </>
  );
}
