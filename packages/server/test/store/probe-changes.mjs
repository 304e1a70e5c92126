/** Changes that exist for the tests of the store only. Plain JavaScript, since the writer thread loads them too. */

export async function probeRun(tx, statements) {
  const changed = [];
  for (const [sql, params] of statements) changed.push(await tx.run(sql, params));
  return changed;
}

export async function probeInsertMany(tx, { table, columns, rows, onConflict }) {
  return tx.insertMany(table, columns, rows, onConflict);
}

/** Reads, then writes what it read plus one: wrong unless the lock holds others off. */
export async function probeCount(tx, name) {
  await tx.lock(`probe:${name}`);
  const row = await tx.get('SELECT n FROM probe WHERE name = $1', [name]);
  await tx.run('UPDATE probe SET n = $2 WHERE name = $1', [name, row.n + 1]);
  return row.n + 1;
}

export async function probeThenThrow(tx, { name, topic }) {
  await tx.run('INSERT INTO probe (name, n) VALUES ($1, 1)', [name]);
  tx.touch(topic);
  throw new TypeError('a fault of ours');
}

export async function probeTouch(tx, topics) {
  for (const topic of topics) tx.touch(topic);
  return tx.now;
}

export async function probeLong(tx, name) {
  await tx.takesLong();
  await tx.run('INSERT INTO probe (name) VALUES ($1)', [name]);
}

/** Looks before it writes, and says whether it wrote. */
export async function probeOnce(tx, name) {
  if ((await tx.get('SELECT name FROM probe WHERE name = $1', [name])) !== undefined) return 'is there';
  await tx.run('INSERT INTO probe (name) VALUES ($1)', [name]);
  return 'made';
}

/** Ends the thread that writes. */
export async function probeEnd() {
  process.exit(1);
}

export async function probeEach(tx, { columns, given, sql }) {
  return tx.each(columns, given, sql);
}

/** Takes the names of many at once; throws, with some of them written, when one of them begins with "bad". */
export async function probeTogether(tx, names) {
  const taken = [];
  for (const name of names) {
    await tx.run('INSERT INTO probe (name, n) VALUES ($1, $2)', [name, names.length]);
    if (name.startsWith('bad')) throw new TypeError(`${name} is refused`);
    taken.push({ name, together: names.length });
  }
  return taken;
}

export const probeChanges = [
  probeRun,
  probeInsertMany,
  probeCount,
  probeThenThrow,
  probeTouch,
  probeLong,
  probeOnce,
  probeEnd,
  probeEach,
  probeTogether,
];
