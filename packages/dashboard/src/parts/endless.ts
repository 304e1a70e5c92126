import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

interface Page<T> {
  data: readonly T[];
  meta: { next?: { cursor: string } };
}

/** A listing that is read page by page, as far as one scrolls. */
export function useEndless<T>(key: readonly unknown[], read: (cursor: string | undefined) => Promise<Page<T>>) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.next?.cursor,
  });
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data]);
  return {
    data: rows,
    error: query.error,
    isPending: query.isPending,
    refetch: query.refetch,
    more: {
      hasMore: query.hasNextPage,
      isLoadingMore: query.isFetchingNextPage,
      moreError: query.isFetchNextPageError ? query.error : null,
      /** By itself, as one scrolls: a page that failed is not asked for again and again. */
      onMore: () => {
        if (!query.isFetchingNextPage && !query.isFetchNextPageError) void query.fetchNextPage();
      },
      /** By hand. */
      onMoreAgain: () => void query.fetchNextPage(),
    },
  };
}
