import { useEffect, useState } from 'react';
import { keptUntilSignOut } from '../parts/kept.ts';
import { type Draft, emptyDraft } from './draft.ts';

export interface Letter {
  draft: Draft;
  /**
   * One for each content: sending the same again after an answer got lost sends nothing twice, since the service knows the
   * key. What was changed is another notification.
   */
  idempotencyKey: string;
}

const letters = keptUntilSignOut<Letter>();

function letterOf(draft: Draft): Letter {
  return { draft, idempotencyKey: crypto.getRandomValues(new Uint32Array(4)).join('-') };
}

/** What is being written to the users of an app. It stays while one looks at another tab. */
export function useDraft(appId: string) {
  const [letter, setLetter] = useState(() => letters.get(appId) ?? letterOf(emptyDraft));
  useEffect(() => {
    letters.set(appId, letter);
  }, [appId, letter]);
  return {
    letter,
    change: (part: Partial<Draft>): void => setLetter(({ draft }) => letterOf({ ...draft, ...part })),
    /** After it was sent: whether it was still the one that is being written. What was begun meanwhile stays. */
    clear: (sent: Letter): boolean => {
      if (letters.get(appId)?.idempotencyKey !== sent.idempotencyKey) return false;
      letters.delete(appId);
      setLetter(letterOf(emptyDraft));
      return true;
    },
  };
}
