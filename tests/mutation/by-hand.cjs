/** The mutations by hand: tests/mutation/by-hand/AREA.json, each run by itself against the test files that it names. */
const { execFileSync, spawnSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require('node:fs');
const { dirname, join } = require('node:path');
const { stripVTControlCharacters } = require('node:util');
const ts = require('typescript');

const { hardTests } = require('../support/run/selection.cjs');

const root = join(__dirname, '../..');
const folder = join(__dirname, 'by-hand');
/** A folder of its own for each run, so that two may run at the same time. */
const copy = join(root, `.data/mutants/by-hand-${process.pid}`);
const answer = join(copy, 'jest-answer.json');
const environment = join(copy, 'tests/mutation/first-failure.environment.cjs');
/** Broken workflow code makes every test of a file wait for its time-out. */
const LONGEST_RUN_MS = 600_000;

/** Every mutation with its area, which is the name of its file. */
const mutationsByHand = () =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) =>
      JSON.parse(readFileSync(join(folder, name), 'utf8')).map((mutation) => ({
        ...mutation,
        area: name.replace('.json', ''),
      })),
    );

/** The files that git tracks or would track, as in the working tree, next to the same packages. */
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

function mutated({ file, from, to }, whole) {
  if (whole.split(from).length !== 2) throw new Error(`${file} does not have exactly one: ${from}`);
  const text = whole.replace(from, () => to);
  if (!file.endsWith('.ts')) return text;
  const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, fileName: file });
  if (diagnostics.length > 0) throw new Error(`${file} is no TypeScript with: ${to}`);
  return text;
}

/** The options of jest for a file that `npm test` leaves to `npm run test:hard`. */
const configOf = (file) =>
  hardTests.some((pattern) => new RegExp(pattern).test(join(root, file)))
    ? ['--config', 'tests/support/run/hard.config.cjs']
    : [];

/** The test that failed first, null when all passed. Throws when no test ran. */
function firstFailed(file) {
  rmSync(answer, { force: true });
  const { status, stderr } = spawnSync(
    'npx',
    [
      'jest',
      ...configOf(file),
      '--forceExit',
      `--env=${environment}`,
      '--json',
      `--outputFile=${answer}`,
      file,
    ],
    { cwd: copy, encoding: 'utf8', timeout: LONGEST_RUN_MS },
  );
  if (status === 0) return null;
  if (!existsSync(answer)) throw new Error(`jest did not answer for ${file}:\n${stderr}`);
  const [{ assertionResults, message }] = JSON.parse(readFileSync(answer, 'utf8')).testResults;
  if (assertionResults.length === 0) throw new Error(`No test of ${file} ran:\n${message}`);
  const failed = assertionResults.find((one) => one.status === 'failed');
  return failed
    ? `${failed.fullName}: ${reasonOf(failed.failureMessages[0])}`
    : `after all tests: ${reasonOf(message)}`;
}

const LONGEST_REASON = 160;
const reasonOf = (message = '') =>
  stripVTControlCharacters(message).replace(/\s+/g, ' ').trim().slice(0, LONGEST_REASON);

/** Prints each mutation with the test that noticed it, then the share of each area; answers the share of all, in percent. */
function runByHand(texts) {
  const all = mutationsByHand();
  const areas = new Set(all.map(({ area }) => area));
  const fits = ({ id, file, area }, text) =>
    areas.has(text) ? area === text : id.includes(text) || file.includes(text);
  const chosen = all.filter((mutation) => texts.length === 0 || texts.some((text) => fits(mutation, text)));
  copyTree();
  const noticed = new Set();
  try {
    for (const mutation of chosen) {
      const path = join(copy, mutation.file);
      const whole = readFileSync(path, 'utf8');
      writeFileSync(path, mutated(mutation, whole));
      let failed = null;
      for (const file of mutation.tests) failed ??= firstFailed(file);
      writeFileSync(path, whole);
      if (failed !== null) noticed.add(mutation);
      console.log(`${failed === null ? 'SURVIVED' : 'noticed '} ${mutation.id} ${failed ?? ''}`.trimEnd());
    }
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
  const shareOf = (mutations) => {
    const count = mutations.filter((mutation) => noticed.has(mutation)).length;
    const percent = (100 * count) / Math.max(1, mutations.length);
    return { percent, text: `${count} of ${mutations.length} noticed (${percent.toFixed(1)} %)` };
  };
  for (const area of new Set(chosen.map((mutation) => mutation.area)))
    console.log(`${area}: ${shareOf(chosen.filter((mutation) => mutation.area === area)).text}`);
  const whole = shareOf(chosen);
  console.log(`all: ${whole.text}`);
  return whole.percent;
}

module.exports = { mutationsByHand, runByHand };
