/** Puts one section of bench/RESULTS.md in place, leaving what others wrote. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const file = new URL('RESULTS.md', import.meta.url);

export function writeSection(title, lines) {
  const text = existsSync(file)
    ? readFileSync(file, 'utf8')
    : '# Results\n\nEach section is written by the script it names.\n';
  const sections = text.split(/^(?=## )/m);
  const section = `## ${title}\n\n${lines.join('\n').trim()}\n\n`;
  const at = sections.findIndex((one) => one.startsWith(`## ${title}\n`));
  if (at < 0) sections.push(section);
  else sections[at] = section;
  writeFileSync(file, `${sections.map((one) => one.trimEnd()).join('\n\n')}\n`);
}
