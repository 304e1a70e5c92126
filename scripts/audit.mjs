/** Known faults in what we depend on. Where the registry answers no audit, it says so and is no reason to fail. */
import { spawnSync } from 'node:child_process';

const { stdout, stderr } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { encoding: 'utf8' });
const report = read(stdout);
if (report?.metadata?.vulnerabilities === undefined) {
  const why = report?.message ?? report?.error?.summary ?? stderr.trim().split('\n').at(-1) ?? '';
  console.log(
    `Not audited: this registry answers no audits (${String(why)
      .replaceAll(/https?:\/\/\S+/g, 'the registry')
      .slice(0, 200)}).`,
  );
} else {
  const { high, critical, moderate, low } = report.metadata.vulnerabilities;
  console.log(`Audited: ${critical} critical, ${high} high, ${moderate} moderate, ${low} low.`);
  for (const [name, { severity, range }] of Object.entries(report.vulnerabilities ?? {}))
    console.log(`  ${severity}: ${name} ${range}`);
  if (high + critical > 0) process.exitCode = 1;
}

function read(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
