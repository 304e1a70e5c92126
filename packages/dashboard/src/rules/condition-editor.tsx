import { Button, Checkbox, Group, NativeSelect, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useHere } from '../client.ts';
import { TextField } from '../parts/fields.tsx';
import { type ConditionDraft, type ConditionKind, conditionKinds } from './rule-draft.ts';
import { useLists } from './rule-queries.ts';

interface ConditionEditorProps {
  condition: ConditionDraft;
  index: number;
  errors: Readonly<Record<string, string>>;
  canRemove: boolean;
  onChange: (condition: ConditionDraft) => void;
  onRemove: () => void;
}

const kindNames = Object.keys(conditionKinds) as ConditionKind[];

export function ConditionEditor({ condition, index, errors, canRemove, onChange, onRemove }: ConditionEditorProps) {
  const set = (change: Partial<ConditionDraft>): void => onChange({ ...condition, ...change });
  const error =
    errors[`conditions.${index}.value`] ??
    errors[`conditions[${index}].value`] ??
    errors[`conditions.${index}`] ??
    errors[`conditions.${index}.operand`] ??
    errors[`conditions.${index}.category`];
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label={index === 0 ? 'It' : 'Or it'}
          flex={1}
          value={condition.kind}
          onChange={(event) => set(kindChange(kindNames.find((kind) => kind === event.currentTarget.value) ?? 'words'))}
          data={kindNames.map((kind) => ({ value: kind, label: conditionKinds[kind] }))}
        />
        {condition.kind === 'media' ? (
          <NativeSelect
            label="Where"
            value={condition.operand === 'video' ? 'video' : 'image'}
            onChange={(event) => set({ operand: event.currentTarget.value === 'video' ? 'video' : 'image' })}
            data={[
              { value: 'image', label: 'Pictures' },
              { value: 'video', label: 'Videos' },
            ]}
          />
        ) : (
          <NativeSelect
            label="Where"
            value={condition.operand === 'custom' ? 'custom' : 'text'}
            onChange={(event) => set({ operand: event.currentTarget.value === 'custom' ? 'custom' : 'text' })}
            data={[
              { value: 'text', label: 'In its text' },
              { value: 'custom', label: 'In its custom data' },
            ]}
          />
        )}
        {canRemove && (
          <Button variant="default" onClick={onRemove} aria-label={`Remove condition ${index + 1}`}>
            Remove
          </Button>
        )}
      </Group>
      <Value condition={condition} error={error} set={set} />
      {(condition.kind === 'words' || condition.kind === 'lists') && (
        <Checkbox
          label="Only when it is the whole message"
          checked={condition.operator === 'equals'}
          onChange={(event) => set({ operator: event.currentTarget.checked ? 'equals' : 'contains' })}
        />
      )}
      <TextField
        label="What moderators are told (optional)"
        placeholder="The text gives the ending away."
        value={condition.reason}
        onValue={(value) => set({ reason: value })}
        error={errors[`conditions.${index}.message`]}
      />
    </Stack>
  );
}

function kindChange(kind: ConditionKind): Partial<ConditionDraft> {
  return kind === 'media'
    ? { kind, operand: 'image', values: 'AnyOf_greaterThan_80' }
    : { kind, operand: 'text', values: '' };
}

interface ValueProps {
  condition: ConditionDraft;
  error: string | undefined;
  set: (change: Partial<ConditionDraft>) => void;
}

const valueWords: Readonly<Partial<Record<ConditionKind, { label: string; description: string }>>> = {
  words: {
    label: 'Words, one a line',
    description:
      'Whole words; disguises such as b.u.t.l.e.r are seen through. A * at either end stands for more letters.',
  },
  pattern: {
    label: 'Patterns, one a line',
    description: 'Regular expressions (RE2). They run in linear time, whatever the text.',
  },
  similar: { label: 'Sentences, one a line', description: 'What is said in other words is found too.' },
  toxicity: { label: 'Thresholds, one a line', description: 'Such as toxicity_greaterThan_80.' },
};

function Value({ condition, error, set }: ValueProps) {
  if (condition.kind === 'lists') return <ListChoice condition={condition} error={error} set={set} />;
  if (condition.kind === 'media') return <Threshold condition={condition} error={error} set={set} />;
  if (condition.kind === 'api')
    return (
      <Text size="sm" c={error === undefined ? 'dimmed' : 'red'}>
        {error ?? 'Set the address of your API under Settings, Moderation.'}
      </Text>
    );
  const words = valueWords[condition.kind];
  return (
    <Textarea
      label={words?.label}
      description={words?.description}
      autosize
      minRows={2}
      maxRows={10}
      value={condition.values}
      onChange={(event) => set({ values: event.currentTarget.value })}
      error={error}
      styles={condition.kind === 'pattern' ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : {}}
    />
  );
}

function ListChoice({ condition, error, set }: ValueProps) {
  const { data: lists = [] } = useLists();
  return (
    <Checkbox.Group label="Lists" value={condition.lists} onChange={(chosen) => set({ lists: chosen })} error={error}>
      <Stack gap={6} mt={4}>
        {lists.map(({ id, name }) => (
          <Checkbox key={id} value={id} label={name} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

const thresholdPattern = /^(.+)_greaterThan_(\d+(?:\.\d+)?)$/;

/** One label and how sure the classifier must be; more of them can be written one a line. */
function Threshold({ condition, error, set }: ValueProps) {
  const { client, appId } = useHere();
  const settings = useQuery({
    queryKey: [appId, 'moderation-settings'],
    queryFn: async () => (await client.getModerationSettingsOfApp()).data,
  });
  const labels = settings.data?.media.labels ?? [];
  const [, label = 'AnyOf', percent = '80'] = thresholdPattern.exec(condition.values) ?? [];
  const isOne = condition.values === '' || thresholdPattern.test(condition.values);
  if (!isOne)
    return (
      <Textarea
        label="Thresholds, one a line"
        autosize
        value={condition.values}
        onChange={(event) => set({ values: event.currentTarget.value })}
        error={error}
      />
    );
  const write = (name: string, n: string | number): void => set({ values: `${name}_greaterThan_${n}` });
  return (
    <>
      <Group gap="xs" align="flex-end">
        <NativeSelect
          label="Looks like"
          flex={1}
          value={label}
          onChange={(event) => write(event.currentTarget.value, percent)}
          data={[
            { value: 'AnyOf', label: 'anything unsafe' },
            ...[...new Set([...labels, label])].filter((name) => name !== 'AnyOf'),
          ]}
          error={error}
        />
        <NumberInput
          label="Surer than (%)"
          w={130}
          min={0}
          max={100}
          value={Number(percent)}
          onChange={(n) => write(label, n)}
        />
      </Group>
      {settings.data !== undefined && !settings.data.media.configured && (
        <Text size="sm" c="dimmed">
          No classifier is set up on this server, so pictures are not looked at yet: see GATEHOUSE_CLASSIFIER.
        </Text>
      )}
    </>
  );
}
