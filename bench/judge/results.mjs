// Puts one section of bench/RESULTS.md in place, leaving what others wrote.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const FILE = new URL('../RESULTS.md', import.meta.url);

/** Replaces the part `### <title>` of the section `## Judge`, or adds it. */
export function writeResults(title, body) {
  const text = existsSync(FILE)
    ? readFileSync(FILE, 'utf8')
    : '# Results\n\nEach section is written by the script it names.\n';
  const sections = text.split(/^(?=## )/m);
  let at = sections.findIndex((section) => section.startsWith('## Judge'));
  if (at < 0) at = sections.push('## Judge\n\n') - 1;
  const parts = sections[at].trimEnd().split(/^(?=### )/m);
  const part = `### ${title}\n\n${body.trim()}\n\n`;
  const known = parts.findIndex((one) => one.startsWith(`### ${title}\n`));
  if (known < 0) parts.push(part);
  else parts[known] = part;
  sections[at] = `${parts.map((one) => one.trimEnd()).join('\n\n')}\n\n`;
  writeFileSync(FILE, `${sections.join('').trimEnd()}\n`);
}
