/**
 * Breaks the code on purpose and says what no test notices.
 *   npm run mutate                  everything
 *   npm run mutate -- rules [FILE]  Stryker over the pure rules, or one file of them
 *   npm run mutate -- hand [TEXT]   the mutations of by-hand.json whose id or file contains TEXT
 */
const { execFileSync, spawnSync } = require('node:child_process');
const { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

const root = join(__dirname, '../..');
const copy = join(root, '.data/mutants/by-hand');
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

/** What git tracks or would track, as it is in the working tree, beside the same packages. */
function copyTree() {
  rmSync(copy, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
  }).toString();
  for (const file of listed.split('\0').filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
}

function isNoticed({ file, from, to, tests }) {
  const path = join(copy, file);
  const whole = readFileSync(path, 'utf8');
  if (whole.split(from).length !== 2) throw new Error(`${file} does not have exactly one: ${from}`);
  writeFileSync(
    path,
    whole.replace(from, () => to),
  );
  try {
    return spawnSync('npx', ['jest', '--bail', ...tests], { cwd: copy, stdio: 'ignore' }).status !== 0;
  } finally {
    writeFileSync(path, whole);
  }
}

function mutateByHand(text) {
  const all = JSON.parse(readFileSync(join(__dirname, 'by-hand.json'), 'utf8'));
  const mutations = all.filter(({ id, file }) => id.includes(text) || file.includes(text));
  copyTree();
  const survivors = mutations.filter((mutation) => {
    const noticed = isNoticed(mutation);
    console.log(`${noticed ? 'noticed ' : 'SURVIVED'} ${mutation.id}`);
    return !noticed;
  });
  rmSync(copy, { recursive: true, force: true });
  const share = (100 * (mutations.length - survivors.length)) / Math.max(1, mutations.length);
  console.log(
    `${mutations.length - survivors.length} of ${mutations.length} noticed (${share.toFixed(1)} %)`,
  );
  return share >= LEAST_KILLED;
}

const [kind = 'all', ...rest] = process.argv.slice(2);
const held = [
  kind === 'hand' || mutateRules(kind === 'rules' ? rest : []),
  kind === 'rules' || mutateByHand(kind === 'hand' ? (rest[0] ?? '') : ''),
];
process.exitCode = held.every(Boolean) ? 0 : 1;
