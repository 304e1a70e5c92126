import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useHere } from '../client.ts';
import { Loaded } from '../parts/screen.tsx';
import { TimeAgo } from '../parts/time-ago.tsx';
import { useAction } from '../use-action.ts';
import { type DiffLine, diffLines } from './diff.ts';
import classes from './revisions.module.css';
import { bodyOf, draftOf, type Rule } from './rule-draft.ts';

function numberOf({ revisionId }: Rule): string {
  return revisionId.slice(revisionId.lastIndexOf('_') + 1);
}

/** Every state the rule ever had, what differs from now, and the way back. */
export function Revisions({ rule }: { rule: Rule }) {
  const { client, appId } = useHere();
  const [shown, setShown] = useState<string>();
  const revisions = useQuery({
    queryKey: [appId, 'rules', rule.id, 'revisions', rule.revisionId],
    queryFn: async () => (await client.listRuleRevisionsOfApp({ ruleId: rule.id, limit: 100 })).data,
  });
  return (
    <Loaded query={revisions}>
      {(found) => (
        <Stack gap="xs" component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
          {found.map((revision) => {
            const isNow = revision.revisionId === rule.revisionId;
            const isShown = shown === revision.revisionId;
            return (
              <li key={revision.revisionId}>
                <Group justify="space-between" gap="xs">
                  <Text size="sm">
                    Revision {numberOf(revision)}
                    {isNow && ' (now)'}, <TimeAgo at={revision.updatedAt} />
                  </Text>
                  {!isNow && (
                    <Group gap="xs">
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-expanded={isShown}
                        onClick={() => setShown(isShown ? undefined : revision.revisionId)}
                      >
                        {isShown ? 'Hide' : 'What differs'}
                      </Button>
                      <Restore rule={rule} revision={revision} />
                    </Group>
                  )}
                </Group>
                {isShown && <Difference lines={diffLines(textOf(revision), textOf(rule))} />}
              </li>
            );
          })}
        </Stack>
      )}
    </Loaded>
  );
}

function textOf(rule: Rule): string {
  return JSON.stringify(bodyOf(draftOf(rule)), null, 2);
}

function Restore({ rule, revision }: { rule: Rule; revision: Rule }) {
  const { client, appId, isOwner } = useHere();
  const restore = useAction(
    () => client.restoreRuleOfApp({ ruleId: rule.id, revision: numberOf(revision) }, { ifMatch: rule.revisionId }),
    {
      refresh: [[appId, 'rules']],
      done: `“${rule.name}” is as it was in revision ${numberOf(revision)}.`,
      tellErrors: true,
    },
  );
  return (
    <Button
      size="compact-sm"
      variant="default"
      disabled={!isOwner}
      loading={restore.isPending}
      onClick={() => restore.mutate(undefined)}
      aria-label={`Roll back to revision ${numberOf(revision)}`}
    >
      Roll back
    </Button>
  );
}

const marks = { same: ' ', gone: '−', new: '+' } as const;

function Difference({ lines }: { lines: readonly DiffLine[] }) {
  if (lines.every(({ kind }) => kind === 'same'))
    return (
      <Text size="sm" c="dimmed">
        Nothing differs from now.
      </Text>
    );
  return (
    <Code block mt="xs" fz="xs" tabIndex={0} aria-label="What differs: − then, + now">
      {lines.map(({ kind, text, at }) => (
        <div key={at} className={classes[kind] ?? ''}>
          {marks[kind]} {text}
        </div>
      ))}
    </Code>
  );
}
