import { Button, Checkbox, Fieldset, Group, Stack, Switch, Text, Textarea } from '@mantine/core';
import { fieldErrors, useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { Form } from '../parts/form.tsx';
import { useAction } from '../use-action.ts';
import { actionNames, actionWords } from '../words.ts';
import { ConditionEditor } from './condition-editor.tsx';
import { FilterEditor } from './filter-editor.tsx';
import { bodyOf, newCondition, type Rule, type RuleDraft } from './rule-draft.ts';

interface RuleEditorProps {
  rule: Rule | undefined;
  draft: RuleDraft;
  onChange: (draft: RuleDraft) => void;
  onSaved: (id: string) => void;
}

const conditionsMax = 10;
const filtersMax = 10;

export function RuleEditor({ rule, draft, onChange, onSaved }: RuleEditorProps) {
  const { client, appId, isOwner } = useHere();
  const save = useAction(
    () =>
      rule === undefined
        ? client.createRuleOfApp({ body: { ...bodyOf(draft), ...(draft.id !== '' && { id: draft.id }) } })
        : client.replaceRuleOfApp({ ruleId: rule.id, body: bodyOf(draft) }, { ifMatch: rule.revisionId }),
    {
      refresh: [
        [appId, 'rules'],
        [appId, 'overview'],
        [appId, 'check'],
      ],
      done: `“${draft.name}” is saved and acts from the next message on.`,
      onDone: ({ data }) => onSaved(data.id),
    },
  );
  const errors = fieldErrors(save.error);
  const set = <K extends keyof RuleDraft>(name: K, value: RuleDraft[K]): void => onChange({ ...draft, [name]: value });
  const shown = [
    'name',
    'description',
    'id',
    'action',
    ...Object.keys(errors).filter((field) => /^(conditions|filters)\b/.test(field)),
  ];
  return (
    <fieldset disabled={!isOwner} style={{ border: 0, padding: 0, margin: 0, minWidth: 0 }}>
      <Form
        error={save.error}
        fields={shown}
        isBusy={save.isPending}
        submit={rule === undefined ? 'Make this rule' : 'Save'}
        onSubmit={() => save.mutate(undefined)}
      >
        <TextField
          label="Name"
          required
          value={draft.name}
          onValue={(value) => set('name', value)}
          error={errors.name ?? errors.id}
        />
        <Textarea
          label="What it is for"
          autosize
          minRows={1}
          value={draft.description}
          onChange={(event) => set('description', event.currentTarget.value)}
          error={errors.description}
        />
        <Fieldset legend="When a message…">
          <Stack gap="md">
            {draft.conditions.map((condition, i) => (
              <ConditionEditor
                key={condition.key}
                condition={condition}
                index={i}
                errors={errors}
                canRemove={draft.conditions.length > 1}
                onChange={(changed) =>
                  set(
                    'conditions',
                    draft.conditions.map((one) => (one.key === changed.key ? changed : one)),
                  )
                }
                onRemove={() =>
                  set(
                    'conditions',
                    draft.conditions.filter((one) => one.key !== condition.key),
                  )
                }
              />
            ))}
            {draft.conditions.length < conditionsMax && (
              <Button
                size="xs"
                variant="default"
                style={{ alignSelf: 'flex-start' }}
                onClick={() => set('conditions', [...draft.conditions, newCondition()])}
              >
                Or when…
              </Button>
            )}
          </Stack>
        </Fieldset>
        <Fieldset legend="Only for…">
          <Stack gap="sm">
            {draft.filters.length === 0 && (
              <Text size="sm" c="dimmed">
                Everybody, everywhere.
              </Text>
            )}
            {draft.filters.map((filter, i) => (
              <FilterEditor
                // biome-ignore lint/suspicious/noArrayIndexKey: a filter has no name of its own; only its place tells it.
                key={i}
                filter={filter}
                index={i}
                error={errors[`filters.${i}.value`] ?? (i === 0 ? errors.filters : undefined)}
                onChange={(changed) =>
                  set(
                    'filters',
                    draft.filters.map((one, j) => (j === i ? changed : one)),
                  )
                }
                onRemove={() =>
                  set(
                    'filters',
                    draft.filters.filter((_, j) => j !== i),
                  )
                }
              />
            ))}
            {draft.filters.length < filtersMax && (
              <Button
                size="xs"
                variant="default"
                style={{ alignSelf: 'flex-start' }}
                onClick={() =>
                  set('filters', [
                    ...draft.filters,
                    { type: 'sender', entity: 'user', operand: 'role', operator: 'equals', value: '' },
                  ])
                }
              >
                Add who it is about
              </Button>
            )}
          </Stack>
        </Fieldset>
        <Checkbox.Group
          label="Then"
          value={draft.action}
          onChange={(chosen) =>
            set(
              'action',
              actionNames.filter((name) => chosen.includes(name)),
            )
          }
          error={errors.action}
        >
          <Stack gap="xs" mt="xs">
            {actionNames.map((name) => (
              <Checkbox key={name} value={name} label={actionWords[name].name} description={actionWords[name].about} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group gap="xl">
          <Switch
            label="On"
            checked={draft.enabled}
            onChange={(event) => set('enabled', event.currentTarget.checked)}
          />
          <Switch
            label="Shadow: look on, do not act"
            description="See what it would catch before it catches anything."
            checked={draft.shadow}
            onChange={(event) => set('shadow', event.currentTarget.checked)}
          />
        </Group>
      </Form>
    </fieldset>
  );
}
