// Tries every test that has properties with a new seed each round, until one fails: `npm run fuzz`, or `npm run fuzz -- 20` for 20 rounds.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

const rounds = Number(process.argv[2] ?? 10);
if (!Number.isInteger(rounds) || rounds < 1) {
  console.error(`npm run fuzz -- ROUNDS: a whole number of rounds, not ${process.argv[2]}`);
  process.exit(2);
}
const files = execFileSync('git', ['grep', '-lF', 'fc.assert(', '--', '*.test.ts'], { encoding: 'utf8' }).split('\n');

for (let round = 1; round <= rounds; round++) {
  const seed = String(randomInt(2 ** 28));
  console.log(`round ${round} of ${rounds}: FUZZ_SEED=${seed}`);
  const { status } = spawnSync('npx', ['vitest', 'run', '--reporter', 'dot', ...files.filter(Boolean)], {
    stdio: 'inherit',
    env: { ...process.env, FUZZ_SEED: seed },
  });
  if (status !== 0) {
    console.error(`To see it again: FUZZ_SEED=${seed} npx vitest run FILE`);
    process.exit(1);
  }
}
