import { Button, Group, NativeSelect } from '@mantine/core';
import { TextField } from '../parts/fields.tsx';
import type { FilterDraft } from './rule-draft.ts';
import { operandWords, operatorWords } from './rule-words.ts';

interface FilterEditorProps {
  filter: FilterDraft;
  index: number;
  error: string | undefined;
  onChange: (filter: FilterDraft) => void;
  onRemove: () => void;
}

const operands = Object.keys(operandWords) as FilterDraft['operand'][];
const operators = Object.keys(operatorWords) as FilterDraft['operator'][];

/** "The sender, a user, whose role is …". */
export function FilterEditor({ filter, index, error, onChange, onRemove }: FilterEditorProps) {
  const isMany = filter.operator === 'in' || filter.operator === 'notIn';
  const typed = Array.isArray(filter.value) ? filter.value.join(', ') : String(filter.value);
  const who = `${filter.type} ${filter.entity}`;
  return (
    <Group gap="xs" align="flex-end">
      <NativeSelect
        label="Who"
        value={who}
        onChange={(event) => {
          const isSender = event.currentTarget.value.startsWith('sender');
          const isGroup = event.currentTarget.value.endsWith('group');
          onChange({ ...filter, type: isSender ? 'sender' : 'receiver', entity: isGroup ? 'group' : 'user' });
        }}
        data={[
          { value: 'sender user', label: 'The sender' },
          { value: 'receiver user', label: 'The receiver' },
          { value: 'receiver group', label: 'The group' },
        ]}
      />
      <NativeSelect
        label="Whose"
        value={filter.operand}
        onChange={(event) => {
          const operand = operands.find((name) => name === event.currentTarget.value);
          if (operand !== undefined) onChange({ ...filter, operand });
        }}
        data={operands.map((value) => ({ value, label: operandWords[value] }))}
      />
      <NativeSelect
        label="Compared"
        value={filter.operator}
        onChange={(event) => {
          const operator = operators.find((name) => name === event.currentTarget.value);
          if (operator !== undefined)
            onChange({ ...filter, operator, value: typedValue(typed, operator, filter.operand) });
        }}
        data={operators.map((value) => ({ value, label: operatorWords[value] }))}
      />
      <TextField
        label={isMany ? 'Values, separated by commas' : 'Value'}
        value={typed}
        onValue={(value) => onChange({ ...filter, value: typedValue(value, filter.operator, filter.operand) })}
        error={error}
      />
      <Button variant="default" onClick={onRemove} aria-label={`Remove “only for” ${index + 1}`}>
        Remove
      </Button>
    </Group>
  );
}

function typedValue(
  typed: string,
  operator: FilterDraft['operator'],
  operand: FilterDraft['operand'],
): FilterDraft['value'] {
  if (operator === 'in' || operator === 'notIn') return typed.split(',').map((part) => part.trim());
  return operand === 'createdAt' && typed !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed;
}
