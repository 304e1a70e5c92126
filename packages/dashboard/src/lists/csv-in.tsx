import { Alert, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { messageOf, useHere } from '../client.ts';
import { FileDrop } from '../parts/file-drop.tsx';
import { counted } from '../time.ts';
import { useAction } from '../use-action.ts';
import { cellsOf } from './csv.ts';

const termsPerStep = 2000;

/** Adds every cell of a file, step by step: what is in is in, and one sees how far it is. */
export function CsvIn({ listId, category }: { listId: string; category: string }) {
  const { client, appId } = useHere();
  const [done, setDone] = useState(0);
  const [total, setTotal] = useState(0);
  const bring = useAction(
    async (file: File) => {
      const terms = [...cellsOf(await file.text(), category)];
      setTotal(terms.length);
      let added = 0;
      for (let at = 0; at < terms.length; at += termsPerStep) {
        setDone(at);
        const searchTerms = terms.slice(at, at + termsPerStep);
        added += (await client.addKeywordTermsOfApp({ id: listId, body: { searchTerms } })).data.changed;
      }
      setDone(terms.length);
      return added;
    },
    {
      refresh: [
        [appId, 'lists'],
        [appId, 'check'],
      ],
      done: (added) => `${counted(added, 'entry is', 'entries are')} new.`,
    },
  );
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {category === 'pattern' ? 'Every line' : 'Every cell'} becomes an entry. Entries that are there already stay as
        they are.
      </Text>
      <FileDrop label="CSV file" accept=".csv,.txt,text/csv,text/plain" onFile={(file) => bring.mutate(file)} />
      {total > 0 && (
        <div aria-live="polite">
          <Progress.Root size="lg">
            <Progress.Section value={(done / total) * 100} aria-label="Progress of the file" />
          </Progress.Root>
          <Text size="sm">
            {done.toLocaleString()} of {total.toLocaleString()}
          </Text>
        </div>
      )}
      {bring.error !== null && (
        <Alert color="red" role="alert">
          {messageOf(bring.error)}
        </Alert>
      )}
    </Stack>
  );
}
