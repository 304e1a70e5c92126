import { Anchor, Badge, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link, useLocation, useParams, useSearchParams } from 'wouter';
import { fieldErrors, useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { Columns } from '../parts/columns.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { ConfirmButton, Form } from '../parts/form.tsx';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { VirtualTable } from '../parts/virtual-table.tsx';
import { useRules } from '../rules/rule-queries.ts';
import { counted } from '../time.ts';
import { useAction } from '../use-action.ts';
import { CsvIn } from './csv-in.tsx';
import { type List, ListOptions } from './list-options.tsx';
import { categoryWords, linesOf } from './list-words.ts';
import { rulesUsing } from './lists.tsx';

export function ListPage() {
  const { listId = '' } = useParams();
  const { client, appId, isOwner } = useHere();
  const rules = useRules();
  const list = useQuery({
    queryKey: [appId, 'lists', listId],
    queryFn: async () => (await client.getKeywordListOfApp({ id: listId })).data,
  });
  const using = rulesUsing(rules.data, listId);
  const mayChange = isOwner && list.data?.default !== true;
  return (
    <Screen
      title={list.data?.name ?? 'List'}
      about={
        <Stack gap={4}>
          <Group gap="xs">
            <Anchor component={Link} href="/lists" size="sm" underline="always">
              All lists
            </Anchor>
            {list.data?.default === true && <Badge variant="default">Built in</Badge>}
          </Group>
          {list.data !== undefined && list.data.description !== '' && <span>{list.data.description}</span>}
          <Text size="sm">
            {using.length === 0 ? 'No rule uses it.' : 'Used by '}
            {using.map(({ id, name }, i) => (
              <span key={id}>
                {i > 0 && ', '}
                <Anchor component={Link} href={`/rules/${id}`} size="sm" underline="always">
                  {name}
                </Anchor>
              </span>
            ))}
          </Text>
        </Stack>
      }
      actions={
        <>
          <Button
            component="a"
            variant="default"
            href={`/apps/${appId}/moderation/keywords/${listId}/export?format=csv`}
            download={`${listId}.csv`}
          >
            Save as CSV
          </Button>
          {mayChange && list.data !== undefined && <ChangeList list={list.data} />}
          {mayChange && <RemoveList listId={listId} name={list.data?.name ?? listId} isUsed={using.length > 0} />}
        </>
      }
    >
      <Columns count={mayChange ? 2 : 1}>
        <Card title="Entries">
          <Loaded query={list}>
            {({ searchTerms, category }) => (
              <Terms listId={listId} terms={searchTerms} category={category} mayChange={mayChange} />
            )}
          </Loaded>
        </Card>
        {mayChange && (
          <Stack>
            <Card title="Add entries">
              <AddTerms listId={listId} />
            </Card>
            <Card title="Bring in a CSV file">
              {list.data !== undefined && <CsvIn listId={listId} category={list.data.category} />}
            </Card>
          </Stack>
        )}
      </Columns>
    </Screen>
  );
}

function ChangeList({ list }: { list: List }) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Options
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`Options of “${list.name}”`} size="lg">
        <ListOptions list={list} onDone={close} />
      </Dialog>
    </>
  );
}

interface TermsProps {
  listId: string;
  terms: readonly string[];
  category: string;
  mayChange: boolean;
}

function Terms({ listId, terms, category, mayChange }: TermsProps) {
  const { client, appId } = useHere();
  const [params, setParams] = useSearchParams();
  const search = params.get('search') ?? '';
  const found = useMemo(() => {
    const wanted = search.toLowerCase();
    return wanted === '' ? terms : terms.filter((term) => term.toLowerCase().includes(wanted));
  }, [terms, search]);
  const remove = useAction(
    (term: string) => client.removeKeywordTermsOfApp({ id: listId, body: { searchTerms: [term] } }),
    {
      refresh: [[appId, 'lists']],
      done: (_, term) => `“${term}” is removed.`,
      tellErrors: true,
    },
  );
  const action = {
    name: 'Action',
    width: '110px',
    cell: (term: string) => (
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => remove.mutate(term)}
        aria-label={`Remove ${term}`}
        disabled={remove.isPending}
      >
        Remove
      </Button>
    ),
  };
  return (
    <Stack gap="sm">
      <TextField
        label="Search"
        type="search"
        value={search}
        onValue={(value) => setParams(value === '' ? {} : { search: value }, { replace: true })}
      />
      <Text size="sm" c="dimmed" aria-live="polite">
        {search === ''
          ? counted(terms.length, 'entry', 'entries')
          : `${counted(found.length, 'entry', 'entries')} of ${terms.length}`}
      </Text>
      {found.length === 0 ? (
        <Empty title={search === '' ? 'No entries yet' : 'No entry holds this'} />
      ) : (
        <VirtualTable
          label={`${categoryWords[category] ?? 'Entries'} of the list`}
          rows={found}
          keyOf={(term) => term}
          minWidth={280}
          columns={[
            {
              name: categoryWords[category] ?? 'Entry',
              width: '1fr',
              cell: (term) => (
                <bdi style={category === 'pattern' ? { fontFamily: 'var(--mantine-font-family-monospace)' } : {}}>
                  {term}
                </bdi>
              ),
            },
            ...(mayChange ? [action] : []),
          ]}
        />
      )}
    </Stack>
  );
}

function AddTerms({ listId }: { listId: string }) {
  const { client, appId } = useHere();
  const [typed, setTyped] = useState('');
  const add = useAction(() => client.addKeywordTermsOfApp({ id: listId, body: { searchTerms: linesOf(typed) } }), {
    refresh: [
      [appId, 'lists'],
      [appId, 'check'],
    ],
    done: ({ data }) => `${counted(data.changed, 'entry is', 'entries are')} new.`,
    onDone: () => setTyped(''),
  });
  return (
    <Form
      error={add.error}
      fields={['searchTerms']}
      isBusy={add.isPending}
      submit="Add"
      onSubmit={() => add.mutate(undefined)}
    >
      <Textarea
        label="One a line"
        autosize
        minRows={3}
        maxRows={12}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={fieldErrors(add.error).searchTerms}
      />
    </Form>
  );
}

function RemoveList({ listId, name, isUsed }: { listId: string; name: string; isUsed: boolean }) {
  const { client, appId } = useHere();
  const [, go] = useLocation();
  const remove = useAction(() => client.deleteKeywordListOfApp({ id: listId }), {
    refresh: [[appId, 'lists']],
    done: `“${name}” is deleted.`,
    tellErrors: true,
    onDone: () => go('/lists'),
  });
  return (
    <ConfirmButton
      label="Delete"
      size="sm"
      about={name}
      question={`Delete “${name}”?`}
      explanation={isUsed ? 'Rules use it: change those first.' : 'It cannot be brought back.'}
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    />
  );
}
