import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

interface Page<T> {
  data: readonly T[];
  meta: { next?: { cursor: string } };
}

const pagesLookedAtAgain = 5;

/** A listing that is read page by page, as far as one scrolls. */
export function useEndless<T>(
  key: readonly unknown[],
  read: (cursor: string | undefined) => Promise<Page<T>>,
  /** In how many milliseconds to look again, by what is there; for lists whose entries change by themselves. */
  lookAgain: (rows: readonly T[]) => number | false = () => false,
) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.meta.next?.cursor,
    refetchInterval: ({ state: { data } }) => {
      // Who has scrolled far looks at what is long over, and every page would be read again.
      if (data === undefined || data.pages.length > pagesLookedAtAgain) return false;
      return lookAgain(data.pages.flatMap((page) => page.data));
    },
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
      /**
       * By itself, as one scrolls: a page that failed is not asked for again and again, and what is being read again is read
       * to its end, since asking for a page would stop it.
       */
      onMore: () => {
        if (!query.isFetching && !query.isError) void query.fetchNextPage();
      },
      /** By hand. */
      onMoreAgain: () => void query.fetchNextPage(),
    },
  };
}
