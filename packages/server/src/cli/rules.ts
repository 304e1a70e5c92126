import type { CreateRuleBody, GatehouseClient } from '@gatehouse/client';
import { Command } from 'commander';
import { CliError, print } from './output.ts';
import { emptyPolicy, kinds, readPolicy } from './policy.ts';
import { compare, describe, make } from './policy-diff.ts';
import { normalRule } from './policy-normal.ts';
import { onService, parseJson, readText, type ServiceOptions, withServiceOptions } from './service.ts';

export function rulesCommand(): Command {
  const command = new Command('rules')
    .description('Moderation rules: list, get, apply from a file, enable, disable.')
    .addHelpText(
      'before',
      `Examples:
  gatehouse rules list
  gatehouse rules get no-spoilers > no-spoilers.json
  gatehouse rules apply no-spoilers.json      make it, or replace it
  gatehouse rules disable no-spoilers
`,
    );
  withServiceOptions(command.command('list').description('list the rules')).action((options: ServiceOptions) =>
    onService(options, async (client) => {
      const rows: Record<string, unknown>[] = [];
      for await (const { id, name, enabled, shadow, action, default: builtIn } of client.all('listRules', {
        limit: 100,
      }))
        rows.push({
          id,
          name,
          state: enabled ? (shadow === true ? 'shadow' : 'on') : 'off',
          action,
          builtIn: builtIn === true,
        });
      print(options.json === true ? rows : rows.map((row) => ({ ...row, action: String(row.action) })), options);
    }),
  );
  withServiceOptions(command.command('get <ruleId>').description('print a rule as apply takes it')).action(
    (ruleId: string, options: ServiceOptions) =>
      onService(options, async (client) => {
        const { data } = await client.getRule({ ruleId });
        process.stdout.write(`${JSON.stringify({ id: data.id, ...normalRule({ ...data }, data.id) }, null, 2)}\n`);
      }),
  );
  withServiceOptions(
    command
      .command('apply <file>')
      .description('make or replace the rules of a JSON file (one, or an array; - for standard input)'),
  ).action((file: string, options: ServiceOptions) => onService(options, (client) => apply(client, file, options)));
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const)
    withServiceOptions(command.command(`${name} <ruleId>`).description(`${name} a rule`)).action(
      (ruleId: string, options: ServiceOptions) =>
        onService(options, async (client) => {
          const { data } = await client.getRule({ ruleId });
          // If-Match: what somebody else changes at this moment is not undone.
          const body = { ...normalRule({ ...data }, ruleId), enabled } as CreateRuleBody;
          await client.replaceRule({ ruleId, body }, { ifMatch: data.revisionId });
          print({ id: ruleId, enabled }, options);
        }),
    );
  return command;
}

async function apply(client: GatehouseClient, file: string, options: ServiceOptions): Promise<void> {
  const parsed = parseJson(readText(file), file === '-' ? 'Standard input' : file);
  const rules = new Map(
    (Array.isArray(parsed) ? parsed : [parsed]).map((rule: unknown): [string, Record<string, unknown>] => {
      if (typeof rule !== 'object' || rule === null || !('id' in rule) || typeof rule.id !== 'string')
        throw new CliError('Every rule in the file needs an id.');
      return [rule.id, kinds.rules.normal({ ...rule }, rule.id)];
    }),
  );
  const is = await readPolicy(client);
  const wanted = { ...emptyPolicy(), rules };
  const changes = compare(is, wanted, { prune: false });
  for (const change of changes) await make(client, change);
  if (options.json === true)
    print(
      changes.map(({ id, does, says }) => ({ id, does, says })),
      options,
    );
  else process.stdout.write(changes.length === 0 ? 'No changes.\n' : `${changes.map(describe).join('\n')}\n`);
}
