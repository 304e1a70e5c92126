import { Anchor, Badge, Button, Group, Stack, Switch, Table, Text } from '@mantine/core';
import { Link } from 'wouter';
import { useHere } from '../client.ts';
import { Card } from '../parts/card.tsx';
import { Columns } from '../parts/columns.tsx';
import { Empty, Loaded, Screen } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { useAction } from '../use-action.ts';
import { bodyOf, draftOf, type Rule } from './rule-draft.ts';
import { useListNames, useRules } from './rule-queries.ts';
import { ruleWords } from './rule-words.ts';
import { TryIt } from './try-it.tsx';

export function Rules() {
  const { isOwner } = useHere();
  const rules = useRules();
  return (
    <Screen
      title="Rules"
      about="What happens to a message, and when. The strongest action of all the rules that match wins."
      actions={
        isOwner && (
          <Button component={Link} href="/rules/new">
            New rule
          </Button>
        )
      }
    >
      <Columns>
        <Card title="Rules of this app">
          <Loaded query={rules}>{(found) => <RuleTable rules={found} />}</Loaded>
        </Card>
        {/* Stays beside the rules while one goes through them. */}
        <div style={{ position: 'sticky', top: 72 }}>
          <Card title="Try it">
            <TryIt names={new Map(rules.data?.map(({ id, name }) => [id, name]))} />
          </Card>
        </div>
      </Columns>
    </Screen>
  );
}

function RuleTable({ rules }: { rules: readonly Rule[] }) {
  const listNames = useListNames();
  if (rules.length === 0) return <Empty title="No rules yet">Make one to catch what should not be said.</Empty>;
  const ordered = rules.toSorted((a, b) => Number(b.enabled) - Number(a.enabled) || a.name.localeCompare(b.name));
  return (
    <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': 'Rules' } }}>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>On</Table.Th>
            <Table.Th>Rule</Table.Th>
            <Table.Th visibleFrom="xl">Changed</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {ordered.map((rule) => (
            <Table.Tr key={rule.id}>
              <Table.Td>
                <OnOff rule={rule} />
              </Table.Td>
              <Table.Td>
                <Stack gap={2}>
                  <Group gap="xs">
                    <Anchor component={Link} href={`/rules/${rule.id}`} fw={600}>
                      {rule.name}
                    </Anchor>
                    {rule.default === true && (
                      <Badge variant="default" size="sm">
                        Built in
                      </Badge>
                    )}
                    {rule.shadow === true && (
                      <Badge variant="outline" size="sm" c="var(--mantine-color-text)">
                        Shadow
                      </Badge>
                    )}
                  </Group>
                  <Text size="sm" c="dimmed" lineClamp={2}>
                    {ruleWords(rule, listNames)}
                  </Text>
                </Stack>
              </Table.Td>
              <Table.Td visibleFrom="xl">
                <Text size="sm" c="dimmed">
                  <TimeAgo at={rule.updatedAt} />
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** A switch acts at once. It names the revision it saw, so that nobody's change is lost unseen. */
function OnOff({ rule }: { rule: Rule }) {
  const { client, appId, isOwner } = useHere();
  const change = useAction(
    (enabled: boolean) =>
      client.replaceRuleOfApp(
        { ruleId: rule.id, body: { ...bodyOf(draftOf(rule)), enabled } },
        { ifMatch: rule.revisionId },
      ),
    {
      refresh: [
        [appId, 'rules'],
        [appId, 'check'],
      ],
      done: (_, enabled) => `“${rule.name}” is ${enabled ? 'on' : 'off'}.`,
      tellErrors: true,
    },
  );
  return (
    <Switch
      aria-label={rule.name}
      checked={change.isPending ? !rule.enabled : rule.enabled}
      disabled={!isOwner || change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
