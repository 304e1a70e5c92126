import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isSignedOut, messageOf } from './client.ts';
import { useToast } from './parts/toasts.tsx';

interface ActionOptions<I, O> {
  /** The first parts of the query keys that are stale afterwards. */
  refresh?: readonly (readonly string[])[];
  /** What to tell when it is done. */
  done?: string | ((answer: O, input: I) => string);
  onDone?: (answer: O, input: I) => void;
  /** A form shows its errors beside its fields; what has no form tells them here. */
  tellErrors?: boolean;
}

/** Something that changes the world: it is told when it is done, and what it made stale is read again. */
export function useAction<I, O>(act: (input: I) => Promise<O>, options: ActionOptions<I, O> = {}) {
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer, input) => {
      if (options.done !== undefined)
        toast({ kind: 'done', text: typeof options.done === 'string' ? options.done : options.done(answer, input) });
      options.onDone?.(answer, input);
      await Promise.all((options.refresh ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    onError: (error) => {
      if (options.tellErrors === true && !isSignedOut(error)) toast({ kind: 'failed', text: messageOf(error) });
    },
  });
}
