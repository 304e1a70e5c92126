import { Command } from 'commander';
import { CliError, print } from './output.ts';
import { onService, parseJson, readText, type ServiceOptions, withServiceOptions } from './service.ts';

interface CheckOptions extends ServiceOptions {
  sender: string;
  receiver: string;
  group?: boolean;
  rules?: string;
}

export function checkCommand(): Command {
  return withServiceOptions(
    new Command('check')
      .argument('<text>', 'the text of a message; - for standard input')
      .description('Say what the rules of an app make of a text. Nothing is stored.')
      .option('--sender <uid>', 'who wrote it', 'cli')
      .option('--receiver <id>', 'to whom', 'cli')
      .option('--group', 'the receiver is a group')
      .option('--rules <file>', 'try the rules of a JSON file instead of the stored ones')
      .addHelpText(
        'before',
        `Examples:
  gatehouse check "hello there"
  gatehouse check "hello there" --rules new-rule.json

Ends with 1 when the message would be blocked or dropped.
`,
      ),
  ).action(check);
}

async function check(text: string, options: CheckOptions): Promise<void> {
  const said = text === '-' ? readText('-') : text;
  const body = {
    sender: options.sender,
    receiver: options.receiver,
    receiverType: options.group === true ? ('group' as const) : ('user' as const),
    data: { text: said },
    ...(options.rules !== undefined && { rules: rulesOf(options.rules) }),
  };
  await onService(options, async (client) => {
    const { data } = await client.checkMessages({ body });
    const judged = Array.isArray(data) ? data[0] : data;
    if (judged === undefined) throw new CliError('The service answered nothing.');
    if (judged.verdict === 'block' || judged.verdict === 'drop') process.exitCode = 1;
    if (options.json === true) {
      print(judged, options);
      return;
    }
    process.stdout.write(`${judged.verdict}${judged.actions.length > 0 ? ` (${judged.actions.join(', ')})` : ''}\n`);
    const spans = [...judged.matches, ...judged.shadow].map(({ start, end }) => ({ start, end }));
    if (spans.length > 0) process.stdout.write(`\n${underlined(said, spans, process.stdout.isTTY)}\n`);
    for (const [isShadow, matches] of [
      [false, judged.matches],
      [true, judged.shadow],
    ] as const)
      for (const { ruleId, conditionId, entry, text: found, start, end } of matches)
        process.stdout.write(
          `  ${isShadow ? 'in shadow: ' : ''}${ruleId}, condition ${conditionId}: ${JSON.stringify(found)} at ${start} to ${end}${entry === undefined ? '' : `, entry ${JSON.stringify(entry)}`}\n`,
        );
  });
}

/** The text with what was found underlined: by the terminal, or where there is none by a line of marks below each line. */
export function underlined(
  text: string,
  spans: readonly { start: number; end: number }[],
  isTerminal: boolean,
): string {
  const lines: string[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    const letters = [...line];
    let at = start;
    let shown = '';
    let marks = '';
    for (const letter of letters) {
      const isHit = spans.some((span) => span.start < at + letter.length && span.end > at);
      // What people write must not steer the terminal.
      const plain = /[\p{Cc}\p{Cf}]/u.test(letter) ? ' ' : letter;
      shown += isTerminal && isHit ? `\u001b[4m${plain}\u001b[24m` : plain;
      marks += isHit ? '^' : ' ';
      at += letter.length;
    }
    if (isTerminal || marks.includes('^')) lines.push(`  ${shown}`);
    if (!isTerminal && marks.includes('^')) lines.push(`  ${marks.trimEnd()}`);
    start += line.length + 1;
  }
  return lines.join('\n');
}

// The service says what is wrong with a rule better than we could here.
function rulesOf(file: string): never[] {
  const parsed = parseJson(readText(file), file);
  return (Array.isArray(parsed) ? parsed : [parsed]) as never[];
}
