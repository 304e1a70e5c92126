import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from './output.ts';
import { emptyPolicy, type Policy, type PolicyRecord, policyKinds } from './policy.ts';
import { parseJson } from './service.ts';

/** A folder: rules/<id>.json, lists/<id>.json, reasons/<id>.json, settings/<name>.json. Written so that a change is a small diff. */
export function writePolicy(folder: string, policy: Policy): number {
  let files = 0;
  for (const kind of policyKinds) {
    const inside = join(folder, kind);
    mkdirSync(inside, { recursive: true });
    const own = [...policy[kind]].filter(([id]) => !policy.untouched.has(`${kind}/${id}`));
    const names = new Set(own.map(([id]) => `${id}.json`));
    for (const name of readdirSync(inside)) if (name.endsWith('.json') && !names.has(name)) rmSync(join(inside, name));
    for (const [id, record] of own) {
      writeFileSync(join(inside, `${id}.json`), pretty(record));
      files++;
    }
  }
  return files;
}

export function readPolicyFolder(folder: string): Policy {
  if (!existsSync(folder))
    throw new CliError(`There is no folder ${folder}. Write one with: gatehouse export ${folder}`);
  const policy = emptyPolicy();
  for (const kind of policyKinds) {
    const inside = join(folder, kind);
    if (!existsSync(inside)) continue;
    for (const name of readdirSync(inside).sort())
      if (name.endsWith('.json')) policy[kind].set(name.slice(0, -5), readRecord(join(inside, name)));
  }
  return policy;
}

function readRecord(file: string): PolicyRecord {
  const record = parseJson(readFileSync(file, 'utf8'), file);
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    throw new CliError(`${file} must hold one JSON object.`);
  return record as PolicyRecord;
}

function pretty(record: PolicyRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
