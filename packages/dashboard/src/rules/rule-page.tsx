import { Anchor, Badge, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { Columns } from '../parts/columns.tsx';
import { ConfirmButton } from '../parts/form.tsx';
import { Loaded, Screen } from '../parts/screen.tsx';
import { useAction } from '../use-action.ts';
import { Backtest } from './backtest.tsx';
import { Revisions } from './revisions.tsx';
import { draftOf, isBare, newDraft, type Rule, type RuleDraft, trialOf } from './rule-draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import { TryIt } from './try-it.tsx';

export function RulePage() {
  const { ruleId = '' } = useParams();
  return ruleId === 'new' ? <Editing rule={undefined} /> : <Existing ruleId={ruleId} />;
}

function Existing({ ruleId }: { ruleId: string }) {
  const { client, appId } = useHere();
  const rule = useQuery({
    queryKey: [appId, 'rules', ruleId],
    queryFn: async () => (await client.getRuleOfApp({ ruleId })).data,
  });
  return <Loaded query={rule}>{(found) => <Editing key={found.revisionId} rule={found} />}</Loaded>;
}

function Editing({ rule }: { rule: Rule | undefined }) {
  const { isOwner } = useHere();
  const [, go] = useLocation();
  const [draft, setDraft] = useState<RuleDraft>(() => (rule === undefined ? newDraft() : draftOf(rule)));
  return (
    <Screen
      title={rule === undefined ? 'New rule' : rule.name}
      about={
        <Group gap="xs">
          <Anchor component={Link} href="/rules" size="sm" underline="always">
            All rules
          </Anchor>
          {rule?.default === true && <Badge variant="default">Built in</Badge>}
          {rule?.shadow === true && (
            <Badge variant="outline" c="var(--mantine-color-text)">
              Shadow
            </Badge>
          )}
        </Group>
      }
      actions={rule !== undefined && isOwner && <RemoveRule rule={rule} onDone={() => go('/rules')} />}
    >
      <Columns>
        <Card title="The rule">
          <RuleEditor
            rule={rule}
            draft={draft}
            onChange={setDraft}
            onSaved={(id) => {
              if (rule === undefined) go(`/rules/${id}`);
            }}
          />
        </Card>
        <Stack gap="md">
          <Card title="Try it">
            <TryIt
              names={new Map([[draft.id || 'new-rule', draft.name || 'This rule']])}
              rule={isBare(draft) ? undefined : trialOf(draft)}
            />
          </Card>
          <Card title="On past messages">
            <Backtest draft={draft} />
          </Card>
          {rule !== undefined && (
            <Card title="Revisions">
              <Revisions rule={rule} />
            </Card>
          )}
        </Stack>
      </Columns>
    </Screen>
  );
}

function RemoveRule({ rule, onDone }: { rule: Rule; onDone: () => void }) {
  const { client, appId } = useHere();
  const remove = useAction(() => client.deleteRuleOfApp({ ruleId: rule.id }), {
    refresh: [[appId, 'rules']],
    done: rule.default === true ? `“${rule.name}” is as it came.` : `“${rule.name}” is deleted.`,
    tellErrors: true,
    onDone,
  });
  const isBuiltIn = rule.default === true;
  return (
    <ConfirmButton
      label={isBuiltIn ? 'Reset' : 'Delete'}
      size="sm"
      about={rule.name}
      question={isBuiltIn ? `Put “${rule.name}” back to how it came?` : `Delete “${rule.name}”?`}
      explanation={
        isBuiltIn ? 'Your changes stay in its revisions.' : 'It stops acting at once. Its revisions are kept.'
      }
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate(undefined)}
    />
  );
}
