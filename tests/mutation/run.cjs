/**
 * Breaks the code on purpose and says what no test notices.
 *   npm run mutate                    everything
 *   npm run mutate -- rules [FILE…]   Stryker over the pure rules, or some files of them
 *   npm run mutate -- hand [TEXT…]    the mutations by hand of an area, or whose id or file contains the text
 */
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');
const { runByHand } = require('./by-hand.cjs');

const root = join(__dirname, '../..');
/** The share of mutations that tests must notice, in percent. */
const LEAST_KILLED = 92;

/** Stryker's own exit code tells whether enough was noticed. */
function mutateRules(files) {
  const chosen = files.length > 0 ? ['--mutate', files.join(',')] : [];
  const config = 'tests/mutation/stryker.config.json';
  return (
    spawnSync('npx', ['stryker', 'run', config, ...chosen], { cwd: root, stdio: 'inherit' }).status === 0
  );
}

const [kind = 'all', ...rest] = process.argv.slice(2);
const held = [
  kind === 'hand' || mutateRules(kind === 'rules' ? rest : []),
  kind === 'rules' || runByHand(kind === 'hand' ? rest : []) >= LEAST_KILLED,
];
process.exitCode = held.every(Boolean) ? 0 : 1;
