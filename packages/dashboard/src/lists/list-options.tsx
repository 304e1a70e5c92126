import type { GetKeywordListOfAppAnswer } from '@gatehouse/client';
import { Checkbox, Fieldset, SimpleGrid, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { fieldErrors, useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';
import { categoryOf, type Fold, foldNames, folds, linesOf } from './list-words.ts';

export type List = GetKeywordListOfAppAnswer['data'];

function exampleOf(fold: Fold): string {
  // Two of them nobody can tell by looking.
  if (fold === 'zeroWidth') return 'Invisible ones between the letters';
  if (fold === 'confusables') return 'butler with a Cyrillic е';
  return `${folds[fold].disguised} is read as butler`;
}

interface ListOptionsProps {
  list: List;
  onDone: () => void;
}

/** Everything of a list but its entries. They are sent along, and only if nobody changed the list meanwhile. */
export function ListOptions({ list, onDone }: ListOptionsProps) {
  const { client, appId } = useHere();
  const [name, setName] = useState(list.name);
  const [description, setDescription] = useState(list.description);
  const [allow, setAllow] = useState((list.allow ?? []).join('\n'));
  const [seen, setSeen] = useState(foldNames.filter((fold) => list.fold?.[fold] ?? folds[fold].standard));
  const hasWords = list.category === 'word';
  const save = useAction(
    () => {
      // Only what differs from what is usual is said: what becomes usual later holds for this list too.
      const differing = foldNames.filter((fold) => seen.includes(fold) !== folds[fold].standard);
      const fold = Object.fromEntries(differing.map((one) => [one, seen.includes(one)]));
      const category = categoryOf(list.category);
      const body = { name, description, category, searchTerms: list.searchTerms, allow: linesOf(allow), fold };
      return client.replaceKeywordListOfApp({ id: list.id, body }, { ifMatch: list.revisionId });
    },
    {
      refresh: [
        [appId, 'lists'],
        [appId, 'check'],
      ],
      done: `“${name}” is changed.`,
      onDone,
    },
  );
  const errors = fieldErrors(save.error);
  return (
    <Form
      error={save.error}
      fields={['name', 'description', 'allow']}
      isBusy={save.isPending}
      submit="Save"
      onSubmit={() => save.mutate(undefined)}
      onCancel={onDone}
    >
      <TextField label="Name" required data-autofocus value={name} onValue={setName} error={errors.name} />
      <TextField label="What it is for" value={description} onValue={setDescription} error={errors.description} />
      {hasWords && (
        <>
          <Textarea
            label="Never minded, one a line"
            description="A match inside one of these does not count: with “scunthorpe” here, the town can be named."
            autosize
            minRows={2}
            maxRows={10}
            value={allow}
            onChange={(event) => setAllow(event.currentTarget.value)}
            error={errors.allow}
          />
          <Fieldset legend="Disguises that it sees through">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={8}>
              {foldNames.map((fold) => (
                <Checkbox
                  key={fold}
                  label={folds[fold].label}
                  description={exampleOf(fold)}
                  checked={seen.includes(fold)}
                  onChange={() => setSeen(seen.includes(fold) ? seen.filter((one) => one !== fold) : [...seen, fold])}
                />
              ))}
            </SimpleGrid>
          </Fieldset>
        </>
      )}
      {!hasWords && (
        <Text size="sm" c="dimmed">
          Exceptions and disguises are for lists of words.
        </Text>
      )}
    </Form>
  );
}
