import { Anchor, Badge, Button, Group, NativeSelect, Stack, Table, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { fieldErrors, useHere } from '../client.ts';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { type Rule, refersToLists } from '../rules/rule-draft.ts';
import { useLists, useRules } from '../rules/rule-queries.ts';
import { count } from '../time.ts';
import { useAction } from '../use-action.ts';
import { type Category, categories, categoryOf, categoryWords, linesOf } from './list-words.ts';

export function rulesUsing(rules: readonly Rule[] | undefined, listId: string): Rule[] {
  return (rules ?? []).filter(({ conditions }) =>
    conditions.some((condition) => refersToLists(condition) && condition.value.includes(listId)),
  );
}

export function Lists() {
  const { isOwner } = useHere();
  const lists = useLists();
  const rules = useRules();
  const [isMaking, setMaking] = useState(false);
  return (
    <Screen
      title="Lists"
      about="Words, patterns or sentences that rules look for. A list can be used by many rules."
      actions={isOwner && <Button onClick={() => setMaking(true)}>New list</Button>}
    >
      <Loaded query={lists}>
        {(found) =>
          found.length === 0 ? (
            <Empty title="No lists yet" />
          ) : (
            <Table.ScrollContainer
              minWidth={560}
              scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Lists' } }}
            >
              <Table verticalSpacing="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>List</Table.Th>
                    <Table.Th>Entries</Table.Th>
                    <Table.Th>Used by</Table.Th>
                    <Table.Th>Changed</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {found.map((list) => (
                    <Table.Tr key={list.id}>
                      <Table.Td>
                        <Group gap="xs">
                          <Anchor component={Link} href={`/lists/${list.id}`} fw={600}>
                            {list.name}
                          </Anchor>
                          {list.default === true && (
                            <Badge variant="default" size="sm">
                              Built in
                            </Badge>
                          )}
                        </Group>
                        <Text size="sm" c="dimmed">
                          {list.description}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        {count(list.searchTermsCount ?? list.searchTerms.length)}{' '}
                        <Text span size="sm" c="dimmed">
                          {(categoryWords[list.category] ?? list.category).toLowerCase()}
                        </Text>
                      </Table.Td>
                      <Table.Td>
                        <Stack gap={2} align="flex-start">
                          {rulesUsing(rules.data, list.id).map(({ id, name }) => (
                            <Anchor key={id} component={Link} href={`/rules/${id}`} size="sm">
                              {name}
                            </Anchor>
                          ))}
                        </Stack>
                      </Table.Td>
                      <Table.Td>
                        <Text size="sm" c="dimmed">
                          <TimeAgo at={list.updatedAt} />
                        </Text>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
      <Dialog opened={isMaking} onClose={() => setMaking(false)} title="New list">
        <NewList onCancel={() => setMaking(false)} />
      </Dialog>
    </Screen>
  );
}

function NewList({ onCancel }: { onCancel: () => void }) {
  const { client, appId } = useHere();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [category, setCategory] = useState<Category>('word');
  const [terms, setTerms] = useState('');
  const make = useAction(
    () => client.createKeywordListOfApp({ body: { name, category, searchTerms: linesOf(terms) } }),
    { refresh: [[appId, 'lists']], done: `“${name}” is made.`, onDone: ({ data }) => go(`/lists/${data.id}`) },
  );
  const errors = fieldErrors(make.error);
  return (
    <Form
      error={make.error}
      fields={['name', 'category', 'searchTerms']}
      isBusy={make.isPending}
      submit="Make this list"
      onSubmit={() => make.mutate(undefined)}
      onCancel={onCancel}
    >
      <TextField label="Name" required data-autofocus value={name} onValue={setName} error={errors.name} />
      <NativeSelect
        label="It holds"
        value={category}
        onChange={(event) => setCategory(categoryOf(event.currentTarget.value))}
        data={categories.map((value) => ({ value, label: categoryWords[value] ?? value }))}
        error={errors.category}
      />
      <Textarea
        label="Entries, one a line"
        description="A CSV file can be brought in afterwards."
        autosize
        minRows={3}
        maxRows={10}
        value={terms}
        onChange={(event) => setTerms(event.currentTarget.value)}
        error={errors.searchTerms}
      />
    </Form>
  );
}
